"""Compares the reported levels of the memory hierarchy with those that a curve shows.

The logarithm of the rate over the working set is fitted by a staircase with a stair per level. The
edges of the stairs give the smallest sum of squares. Each edge is searched where its cache may end:
from a sixteenth of the reported size to one and a half times that size. A plateau is the median of
a stair's inner points. Neighbouring stairs within 8 % count as one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from streamgage.analysis.statistics.intervals import median
from streamgage.cpu_list import list_cpus
from streamgage.records import Cache, Machine
from streamgage.records.quantities import ByteCount

Mode = Literal["sequential", "worksharing", "throughput"]
"""How threads use their arrays. ``sequential``: there is one thread. ``worksharing``: all threads
share arrays, and each has a part of them. ``throughput``: each thread has its own arrays, and sizes
are per thread."""

MEMORY = "memory"
MEMORY_SIDE = "memory-side cache"
"""The name of the level in front of the memory, if HBM or DRAM caches it."""
_SAME = 1.08
"""The curve does not separate neighbouring plateaus whose ratio is below this."""
PAST_LAST_EDGE = 1.5
_LEAST, _MOST = 1 / 16, PAST_LAST_EDGE
"""The end of a cache is searched between these multiples of its reported size."""
_INNER = 1.3
"""Points whose working sets are within this factor of an edge lie on the slope."""


class LevelInUse(msgspec.Struct, frozen=True, kw_only=True):
    """A level of cache as a mode uses it, with the working set that fills it."""

    mode: Mode
    name: str
    bytes: ByteCount


class Rate(msgspec.Struct, frozen=True):
    """A point of a curve: a working set and any rate that is higher where memory is nearer."""

    bytes: int
    value: float


class Stair(msgspec.Struct, frozen=True):
    """A level of the hierarchy, as the curve shows it."""

    level: str
    """The name of the level: ``L1``, ``L2``, ``L3``, ``memory-side cache`` or ``memory``; ``L2-L3``
    where the curve does not separate them. A level as slow as memory counts as memory, even if it
    should be a cache."""
    rates: Sequence[Rate]
    """The rates on the plateau, by working set."""
    effective_bytes: int | None
    """The working set at which the rate has fallen half of the way (geometrically) to the next
    plateau."""
    claimed_bytes: int | None

    @property
    def values(self) -> list[float]:
        """The rates in ascending order."""
        return sorted(each.value for each in self.rates)


def levels_in_use(machine: Machine, cpus: Sequence[int], mode: Mode) -> list[LevelInUse]:
    """The levels of cache that a mode uses, smallest first, with the working set that fills each.

    ``sequential``: the cache of the first CPU. ``worksharing``: all caches that the threads use,
    together. ``throughput``: a thread's share of the cache that most threads share. A cache in
    front of the memory comes last; it is that of the nodes of these CPUs.
    """
    of_mode = cpus[:1] if mode == "sequential" else cpus
    found = []
    for cache in sorted(machine.data_caches, key=lambda each: each.level):
        used = _threads_of_instances(cache, of_mode)
        if used:
            found.append(_level(mode, f"L{cache.level}", cache.bytes, used))
    by_size: dict[int, list[int]] = {}
    for size, served in machine.memory_side_caches_of(of_mode):
        by_size.setdefault(size, []).append(len(served))
    found += [_level(mode, MEMORY_SIDE, size, used) for size, used in by_size.items()]
    return _one_a_level(found)


def last_cpu_cache(levels: Sequence[LevelInUse]) -> int | None:
    """The working set that fills the last CPU cache; ``None`` if no cache is known."""
    return max((each.bytes for each in levels if each.name != MEMORY_SIDE), default=None)


def _level(mode: Mode, name: str, size: int, used: Sequence[int]) -> LevelInUse:
    """Make a level. ``used``: the number of threads on each instance that any thread uses."""
    in_use = {
        "sequential": size,
        "worksharing": size * len(used),
        "throughput": size // max(used),
    }[mode]
    return LevelInUse(mode=mode, name=name, bytes=in_use)


def _threads_of_instances(cache: Cache, cpus: Sequence[int]) -> list[int]:
    """For each cache instance in use, the number of ``cpus`` that use it."""
    counts = [len([cpu for cpu in cpus if cpu in sharing]) for sharing in map(_set_of, cache.cpus)]
    return [count for count in counts if count]


def _set_of(cpus: str) -> set[int]:
    return set(list_cpus(cpus))


def _one_a_level(levels: Sequence[LevelInUse]) -> list[LevelInUse]:
    """Merge levels with the same name.

    Hybrid processors have caches of several sizes at a level. With ``worksharing`` their sizes are
    added; otherwise the smallest counts.
    """
    merged: dict[str, LevelInUse] = {}
    for each in levels:
        before = merged.get(each.name)
        if before is None:
            merged[each.name] = each
            continue
        both = (before.bytes, each.bytes)
        size = sum(both) if each.mode == "worksharing" else min(both)
        merged[each.name] = LevelInUse(mode=each.mode, name=each.name, bytes=size)
    return list(merged.values())


class _Part(msgspec.Struct, frozen=True):
    """Points ``first`` to ``last`` (inclusive) of the curve."""

    names: tuple[str, ...]
    first: int
    last: int
    claimed: int | None


def stairs_of(rates: Sequence[Rate], levels: Sequence[LevelInUse]) -> list[Stair]:
    """Find the levels that the rates show, the fastest first; none if there are too few rates."""
    if len(rates) < 2:
        return []
    logs = [math.log2(each.value) for each in rates]
    parts = _merged(_stairs(rates, logs, levels), rates)
    plateaus = [_plateau(rates, each) for each in parts]
    return [
        Stair(
            level=_name(part.names),
            rates=inner,
            effective_bytes=_edge(rates, plateaus, number),
            claimed_bytes=part.claimed,
        )
        for number, (part, inner) in enumerate(zip(parts, plateaus, strict=True))
    ]


def _name(levels: Sequence[str]) -> str:
    """Name a plateau that several levels share; it is memory if one of them is memory."""
    if levels[-1] == MEMORY:
        return MEMORY
    return "-".join(dict.fromkeys((levels[0], levels[-1])))


def unseen(
    levels: Sequence[LevelInUse], names: Sequence[str], sizes: Sequence[int]
) -> list[LevelInUse]:
    """The caches that the curve should show, by their size, but that have no stair of their own.

    Working sets that should fit into them are as slow as memory. ``names``: the names of the
    stairs.
    """
    if MEMORY not in names:
        return []
    seen = max((n for n, each in enumerate(levels, 1) if _ends_in(each.name, names)), default=0)
    return [each for each in levels[seen:] if min(sizes) < each.bytes <= max(sizes)]


def _ends_in(name: str, names: Sequence[str]) -> bool:
    """Return whether a stair belongs to that level, alone or as the last of several."""
    return any(each == name or each.endswith(f"-{name}") for each in names)


def _stairs(
    points: Sequence[Rate], logs: Sequence[float], levels: Sequence[LevelInUse]
) -> list[_Part]:
    """Fit the staircase by least squares; levels outside of the points have no stair."""
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
        _Part((name,), first, last, claim)
        for name, first, last, claim in zip(names, starts, ends, claims, strict=True)
        if last >= first
    ]


def _best_edges(
    points: Sequence[Rate], logs: Sequence[float], levels: Sequence[LevelInUse]
) -> list[int]:
    """The last point of each level's stair, ascending; -1 if the level has no stair."""
    squares = _Squares(logs)
    allowed = [
        [
            number
            for number, point in enumerate(points[:-1])
            if _LEAST * level.bytes <= point.bytes <= _MOST * level.bytes
        ]
        for level in levels
    ]
    # best[e]: the least squares up to point e, if the stairs of the levels so far end there.
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
    """Squared distances of ranges of values from their means, by sums that are computed once."""

    def __init__(self, values: Sequence[float]) -> None:
        self._sums = [0.0]
        self._squares = [0.0]
        for value in values:
            self._sums.append(self._sums[-1] + value)
            self._squares.append(self._squares[-1] + value * value)

    def within(self, first: int, last: int) -> float:
        """The sum of the squared distances of the values ``first`` to ``last`` from their mean."""
        n = last - first + 1
        if n <= 0:
            return 0.0
        total = self._sums[last + 1] - self._sums[first]
        return max(0.0, self._squares[last + 1] - self._squares[first] - total * total / n)


def _merged(stairs: Sequence[_Part], points: Sequence[Rate]) -> list[_Part]:
    """Merge stairs unless each is slower than the one before by more than noise explains."""
    kept: list[_Part] = []
    for stair in stairs:
        while kept:
            before = _value(_plateau(points, kept[-1]))
            here = _value(_plateau(points, stair))
            if before >= _SAME * here:
                break
            last = kept.pop()
            stair = _Part(last.names + stair.names, last.first, stair.last, stair.claimed)  # noqa: PLW2901
        kept.append(stair)
    return kept


def _plateau(points: Sequence[Rate], stair: _Part) -> list[Rate]:
    """The points of a stair that lie on neither slope; all of them if there are no others."""
    own = list(points[stair.first : stair.last + 1])
    low = 0.0 if stair.first == 0 else own[0].bytes * _INNER
    high = math.inf if stair.last == len(points) - 1 else own[-1].bytes / _INNER
    inner = [each for each in own if low <= each.bytes <= high]
    return inner or own


def _value(points: Sequence[Rate]) -> float:
    return median(sorted(each.value for each in points))


def _edge(points: Sequence[Rate], plateaus: Sequence[Sequence[Rate]], number: int) -> int | None:
    """The working set where the curve crosses the geometric mean of neighbouring plateaus."""
    if number + 1 == len(plateaus):
        return None
    middle = math.sqrt(_value(plateaus[number]) * _value(plateaus[number + 1]))
    start = plateaus[number][-1].bytes
    for before, after in _falls(points, start):
        if after.value < middle <= before.value:
            share = math.log(before.value / middle) / math.log(before.value / after.value)
            return round(
                math.exp(math.log(before.bytes) * (1 - share) + math.log(after.bytes) * share)
            )
    return start


def _falls(points: Sequence[Rate], start: int) -> Iterator[tuple[Rate, Rate]]:
    return ((one, next_) for one, next_ in pairwise(points) if one.bytes >= start)
