"""Fits a piecewise constant function to values in order: optimal partitioning.

The least sum of squares with a penalty for each change (Jackson and others, IEEE Signal Processing
Letters 12, 2005).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from streamgage.analysis.statistics.intervals import median

_NORMAL_SCALE = 1.4826
_LEAST_NOISE = 1e-6


def noise_of(values: Sequence[float]) -> float:
    """The standard deviation of values whose level changes now and then.

    It comes from differences of neighbours, which a few changes do not affect (Rice, Annals of
    Statistics 12, 1984). There are two values or more.
    """
    steps = sorted(abs(b - a) for a, b in pairwise(values))
    return max(_NORMAL_SCALE * median(steps) / math.sqrt(2), _LEAST_NOISE)


def partition(values: Sequence[float], penalty: float, least: int) -> list[int]:
    """The edges of the pieces, from 0 up to the number of values.

    ``penalty``: by how much a change must lower the sum of squares. ``least``: the fewest values of
    a piece.
    """
    n = len(values)
    sums, squares = [0.0], [0.0]
    for value in values:
        sums.append(sums[-1] + value)
        squares.append(squares[-1] + value * value)
    best, cut = [-penalty] + [math.inf] * n, [0] * (n + 1)
    for end in range(least, n + 1):
        for start in (0, *range(least, end - least + 1)):
            total = sums[end] - sums[start]
            cost = squares[end] - squares[start] - total * total / (end - start)
            if best[start] + cost + penalty < best[end]:
                best[end], cut[end] = best[start] + cost + penalty, start
    edges = [n]
    while edges[-1]:
        edges.append(cut[edges[-1]])
    return edges[::-1]
