"""Finds when the level of a series changed, such as the rate of a node night by night."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.partition import noise_of, partition

FEWEST = 8
"""In a shorter series no change is looked for."""
_LEAST_PIECE = 3
_PENALTY = 17.0
"""In variances of the noise. Simulated with a noise of 2 %, looked at every second night: 1 false
change in 10.9 years of a node. A step of 3 % is found after 9 nights (median), one of 6 % after
3."""
_NEIGHBOURS = 3
"""On either side, whose median tells whether a value is far off."""
_FAR = 3.0
"""In deviations of the noise."""
_LEAST_NOISE = 0.002
"""Figures are never steadier than that, as a share."""
LEAST_CHANGE = 0.01
"""A smaller change is of no interest, as a share."""


@dataclass(frozen=True)
class Change:
    """A change of the level; levels are those of ``values``."""

    place: int
    """The first value of the new level."""
    before: float
    after: float


def find_changes(values: Sequence[float]) -> list[Change]:
    """The changes of the level of a series of positive values, in order.

    A level is the median of its values. Levels that differ by less than 1 % are one.
    """
    if len(values) < FEWEST or min(values) <= 0:
        return []
    logarithms = [math.log(value) for value in values]
    noise = max(noise_of(logarithms), _LEAST_NOISE)
    edges = _edges(logarithms, noise)
    while (merged := _without_the_least(values, edges)) != edges:
        edges = merged
    levels = [_level(values, first, last) for first, last in pairwise(edges)]
    return [
        Change(place, before, after)
        for place, (before, after) in zip(edges[1:-1], pairwise(levels), strict=True)
    ]


@dataclass(frozen=True)
class SoundLevel:
    """The level that a series held when all was well."""

    value: float
    """Its median, as a logarithm."""
    first: int
    end: int
    """The place after its last value."""


def sound_level(logarithms: Sequence[float], noise: float) -> SoundLevel:
    """The highest level that a series held for some time; it has a value at least.

    ``noise``: the deviation of single values. Where the level fell some nights ago, later nights do
    not make the fall usual. A single high value is no level.
    """
    n = len(logarithms)
    whole = SoundLevel(median(sorted(logarithms)), 0, n)
    # Without such a distance no change can pay for its penalty.
    if n < 2 * _LEAST_PIECE or max(logarithms) - min(logarithms) < math.sqrt(_PENALTY) * noise:
        return whole
    return max(
        (
            SoundLevel(median(sorted(logarithms[first:end])), first, end)
            for first, end in pairwise(_edges(logarithms, noise))
        ),
        key=lambda level: level.value,
    )


def _edges(logarithms: Sequence[float], noise: float) -> list[int]:
    return partition(clipped(logarithms, noise), _PENALTY * noise**2, _LEAST_PIECE)


def clipped(values: Sequence[float], noise: float) -> list[float]:
    """The values, none of them far from its neighbours: one bad night is no change."""
    kept = []
    for place, value in enumerate(values):
        usual = median(sorted(values[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]))
        kept.append(min(max(value, usual - _FAR * noise), usual + _FAR * noise))
    return kept


def _level(values: Sequence[float], first: int, last: int) -> float:
    return median(sorted(values[first:last]))


def _without_the_least(values: Sequence[float], edges: Sequence[int]) -> list[int]:
    """The edges without the one of the smallest change, if that is of no interest."""
    levels = [_level(values, first, last) for first, last in pairwise(edges)]
    steps = [abs(math.log(after / before)) for before, after in pairwise(levels)]
    if not steps or min(steps) >= LEAST_CHANGE:
        return list(edges)
    least = steps.index(min(steps)) + 1
    return [*edges[:least], *edges[least + 1 :]]
