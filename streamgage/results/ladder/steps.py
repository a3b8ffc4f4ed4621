"""Plateaus of a ladder: which part of a curve is which level, and where each level ends.

The logarithm of bandwidth is taken for a staircase with as many stairs as there are levels. The
edges are those that leave the least squares, and each is looked for where its cache may end: from a
sixteenth of what it claims to one and a half times as much. A plateau is the median of a stair's
inner points; neighbouring stairs that are within 8 % are one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.analysis.statistics.intervals import median
from streamgage.results.ladder.document import LadderPoint, LevelInUse, Step

MEMORY = "memory"
ALIKE = 1.08
"""Ratio of neighbouring plateaus below which the curve does not tell them apart."""
_LEAST, _MOST = 1 / 16, 1.5
"""Of what a cache claims: where its end is looked for."""
_INNER = 1.3
"""Points nearer than that to an edge are on the slope."""


@dataclass(frozen=True)
class _Stair:
    """Points ``first`` to ``last`` (inclusive) of the curve."""

    names: tuple[str, ...]
    first: int
    last: int
    claimed: int | None


def steps_of(
    points: Sequence[LadderPoint],
    levels: Sequence[LevelInUse],
    threads: int,
    hertz: float | None,
) -> list[Step]:
    """The levels that the points show, the fastest first; none of too few points."""
    if len(points) < 2:
        return []
    logs = [math.log2(each.gbps.value) for each in points]
    stairs = _merged(_stairs(points, logs, levels), points)
    plateaus = [_plateau(points, each) for each in stairs]
    return [
        Step(
            level="-".join(dict.fromkeys((stair.names[0], stair.names[-1]))),
            low_bytes=inner[0].bytes,
            high_bytes=inner[-1].bytes,
            gbps=_bounded(inner),
            points=len(inner),
            bytes_per_cycle=None if not hertz else _bounded(inner).value * 1e9 / hertz / threads,
            effective_bytes=_edge(points, plateaus, number),
            claimed_bytes=stair.claimed,
        )
        for number, (stair, inner) in enumerate(zip(stairs, plateaus, strict=True))
    ]


def _stairs(
    points: Sequence[LadderPoint], logs: Sequence[float], levels: Sequence[LevelInUse]
) -> list[_Stair]:
    """The staircase of least squares; levels that lie outside of the points have no stair."""
    low, high = points[0].bytes, points[-1].bytes
    inside = [each for each in levels if low < each.bytes <= high]
    above = [each for each in levels if each.bytes > high]
    edges = _best_edges(points, logs, inside)
    starts = [0, *(edge + 1 for edge in edges)]
    ends = [*edges, len(points) - 1]
    names = [each.name for each in inside] + [above[0].name if above else MEMORY]
    claims: list[int | None] = [each.bytes for each in inside]
    claims.append(above[0].bytes if above else None)
    return [
        _Stair((name,), first, last, claim)
        for name, first, last, claim in zip(names, starts, ends, claims, strict=True)
        if last >= first
    ]


def _best_edges(
    points: Sequence[LadderPoint], logs: Sequence[float], levels: Sequence[LevelInUse]
) -> list[int]:
    """For each level the last point of its stair, ascending; -1 where it has none."""
    squares = _Squares(logs)
    allowed = [
        [
            number
            for number, point in enumerate(points[:-1])
            if _LEAST * level.bytes <= point.bytes <= _MOST * level.bytes
        ]
        for level in levels
    ]
    # best[e]: the least squares up to point e, which ends the stair of the levels so far.
    best: dict[int, tuple[float, list[int]]] = {-1: (0.0, [])}
    for ends in allowed:
        reached: dict[int, tuple[float, list[int]]] = {}
        for before, (cost, edges) in best.items():
            for end in [each for each in ends if each > before] or [before]:
                total = cost + squares.within(before + 1, end)
                if end not in reached or total < reached[end][0]:
                    reached[end] = (total, [*edges, end])
        best = reached
    last = len(logs) - 1
    return min(
        ((cost + squares.within(end + 1, last), edges) for end, (cost, edges) in best.items()),
        key=lambda each: each[0],
    )[1]


class _Squares:
    """Squared distances of runs of values from their means, from sums that are made once."""

    def __init__(self, values: Sequence[float]) -> None:
        self._sums = [0.0]
        self._squares = [0.0]
        for value in values:
            self._sums.append(self._sums[-1] + value)
            self._squares.append(self._squares[-1] + value * value)

    def within(self, first: int, last: int) -> float:
        """Of the values ``first`` to ``last``, inclusive; 0 for none."""
        n = last - first + 1
        if n <= 0:
            return 0.0
        total = self._sums[last + 1] - self._sums[first]
        return max(0.0, self._squares[last + 1] - self._squares[first] - total * total / n)


def _merged(stairs: Sequence[_Stair], points: Sequence[LadderPoint]) -> list[_Stair]:
    """Stairs of which each is slower than the one before, beyond what noise may be."""
    kept: list[_Stair] = []
    for stair in stairs:
        while kept:
            before = _value(_plateau(points, kept[-1]))
            here = _value(_plateau(points, stair))
            if before >= ALIKE * here:
                break
            last = kept.pop()
            stair = _Stair(last.names + stair.names, last.first, stair.last, stair.claimed)  # noqa: PLW2901
        kept.append(stair)
    return kept


def _plateau(points: Sequence[LadderPoint], stair: _Stair) -> list[LadderPoint]:
    """The points of a stair that lie on neither slope; all where there are no others."""
    own = list(points[stair.first : stair.last + 1])
    low = 0.0 if stair.first == 0 else own[0].bytes * _INNER
    high = math.inf if stair.last == len(points) - 1 else own[-1].bytes / _INNER
    inner = [each for each in own if low <= each.bytes <= high]
    return inner or own


def _value(points: Sequence[LadderPoint]) -> float:
    return median(sorted(each.gbps.value for each in points))


def _bounded(points: Sequence[LadderPoint]) -> Bounded:
    values = sorted(each.gbps.value for each in points)
    return Bounded(value=median(values), low=values[0], high=values[-1])


def _edge(
    points: Sequence[LadderPoint], plateaus: Sequence[Sequence[LadderPoint]], number: int
) -> int | None:
    """Where the curve crosses the geometric mean of a plateau and the next one."""
    if number + 1 == len(plateaus):
        return None
    middle = math.sqrt(_value(plateaus[number]) * _value(plateaus[number + 1]))
    start = plateaus[number][-1].bytes
    for before, after in _falls(points, start):
        if after.gbps.value < middle <= before.gbps.value:
            share = math.log(before.gbps.value / middle) / math.log(
                before.gbps.value / after.gbps.value
            )
            return round(
                math.exp(math.log(before.bytes) * (1 - share) + math.log(after.bytes) * share)
            )
    return start


def _falls(points: Sequence[LadderPoint], start: int) -> Iterator[tuple[LadderPoint, LadderPoint]]:
    return ((one, next_) for one, next_ in pairwise(points) if one.bytes >= start)
