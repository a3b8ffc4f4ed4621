"""Medians of parts that are drawn anew, for the bootstrap of a ratio."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from streamgage.analysis.comparison.evidence import Observed

SEED = 1993
DRAWS = 1000


@lru_cache(maxsize=1024)
def logarithms(evidence: Observed, salt: str) -> NDArray[np.float64]:
    """Logarithms of the medians of what is drawn: whole parts, as many as there are.

    One a draw. All values are ordered once; a draw gives each the weight with which its part was
    drawn, and its median is where half of the weight is reached.
    """
    values = np.concatenate([np.asarray(part) for part in evidence.parts])
    part_of = np.repeat(np.arange(len(evidence.parts)), [len(part) for part in evidence.parts])
    order = np.argsort(values, kind="stable")
    # How many values of each part are among the first ones: a row a value, a column a part.
    among = (part_of[order][:, None] == np.arange(len(evidence.parts))).cumsum(axis=0)
    drawn = _drawn(len(evidence.parts), salt)
    total = drawn @ among[-1]
    lower = _reached(drawn, among, (total + 1) // 2)
    upper = _reached(drawn, among, total // 2 + 1)
    ordered = values[order]
    medians: NDArray[np.float64] = np.log((ordered[lower] + ordered[upper]) / 2)
    return medians


def _reached(
    drawn: NDArray[np.int64], among: NDArray[np.int64], weight: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The first value up to which each draw has that much weight, by bisection."""
    low, high = np.zeros_like(weight), np.full_like(weight, len(among) - 1)
    while (low < high).any():
        middle = (low + high) // 2
        enough = (drawn * among[middle]).sum(axis=1) >= weight
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return low


@lru_cache(maxsize=64)
def _drawn(parts: int, salt: str) -> NDArray[np.int64]:
    """How often each part was drawn: a row a draw, a column a part."""
    source = random.Random(f"{SEED}:{salt}")
    draws = [source.choices(range(parts), k=parts) for _ in range(DRAWS)]
    return np.array([[draw.count(part) for part in range(parts)] for draw in draws])
