"""Finds the states of a machine's own speed: one factor over time that all variants share.

The host of a guest, or a processor's clock, goes from one speed to another for seconds to minutes,
and all variants change together. That shows in their residuals: the logarithm of each time, less
what the variant usually takes. The usual times of two variants are compared within blocks, because
their medians over the run may come from different states.

The residuals, in the order measured, are joined into short bins, each with its median, so that
single disturbed samples count for nothing. A piecewise constant function is fitted to the bins by
optimal partitioning. Pieces with nearly the same level are then one state.

A change counts only if it is larger than the noise, if at least two variants show it, and if no
ramp explains it better. Many levels, or ramps, are a drift: it has a range and no states.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.partition import noise_of, partition

FEWEST_SAMPLES = 40
"""With fewer samples that can be compared, no change is looked for."""
LEAST_CHANGE = 0.03
"""Levels closer than this are one state."""
LEAST_DRIFT = 0.05
"""A drift over less than this range is ordinary variation."""
MOST_STATES = 3
LEAST_SHARE = 0.05
"""Of the measured time. A state with less is part of the nearest one."""
PENALTY = 5.0
"""For each change, in units of the noise's variance times the logarithm of the number of bins. A
change that is none lowers the sum of squares by about 2 of these units at most (Yao, Statistics and
Probability Letters 6, 1988). Neighbouring bins of a real machine are not independent, so it is
more."""
ERRORS = 5.0
"""A change counts if it is as many standard errors large."""
OWN_SAMPLES = 8
"""As many samples of a variant in each of two states show how much it changes itself."""
_BIN = 5
"""The least samples in a bin: two disturbed ones do not change its median."""
_USUAL_BIN = 9
_USUAL_BINS = 20
"""Bins are larger if there are at least so many of them."""
_MOST_BINS = 240
_LEAST_BINS = 3
"""A stay in a state takes at least so many bins."""
_SHARED_BLOCKS = 5
"""Two variants are compared in at least so many blocks."""
_RAMP = 0.25
"""If the quarter of a piece next to a change differs from the rest by this share of the change, the
change is no step."""
_APART = 2.0
"""States are at least so many deviations of the bins apart."""
_NO_LINE = 10.0
"""The squares that states must explain better than a straight line, in variances of the noise."""
_NEAR = 0.1
"""Changes that are so close to a fresh allocation are at it, as a share of its usual samples."""
_MOSTLY = 0.8
_BY_CHANCE = 0.05
_WINDOWS = 16
_LEAST_WINDOW = 15
"""A drift's range is that of medians of so many parts of the run, each of so many samples."""
_NORMAL_SCALE = 1.4826


@dataclass(frozen=True)
class TimedSample:
    """A sample as this module needs it."""

    variant: int
    block: int
    epoch: int
    seconds: float
    """Of one pass; above 0."""
    measured_seconds: float
    """Of the whole sample."""


@dataclass(frozen=True)
class SpeedState:
    """One state: its speed, where the state with the largest share of the time has 1."""

    speed: float
    share: float
    """Of the measured time."""


@dataclass(frozen=True)
class Speeds:
    """The common factor over time; without changes, both ``states`` and ``drift`` are empty."""

    states: tuple[SpeedState, ...] = ()
    """The states, fastest first; empty if there are not two."""
    state_of: tuple[int, ...] = ()
    """The state of each sample, in the order given; empty without states."""
    changes: tuple[int, ...] = ()
    """The samples, by position, with which another state began."""
    drift: tuple[float, float] | None = None
    """The lowest and highest speed of a machine that drifts, over its median speed."""
    speed_of: tuple[float, ...] = ()
    """The common speed at each sample, as that of ``states`` or ``drift``; empty if it never
    changed."""
    known: bool = True
    """``False`` if there were too few samples, or variants, to see a change."""


STEADY = Speeds()
UNKNOWN = Speeds(known=False)


def find_speeds(samples: Sequence[TimedSample]) -> Speeds:
    """The states of the machine over ``samples``, which are in the order measured."""
    usual = _usual_times(samples)
    places = [place for place, each in enumerate(samples) if each.variant in usual]
    if len(usual) < 2 or len(places) < FEWEST_SAMPLES:
        return UNKNOWN
    pieces: list[_Piece] = []
    for _ in range(2):
        residuals = [
            math.log(samples[place].seconds) - usual[samples[place].variant] for place in places
        ]
        bins = _Bins(residuals)
        pieces = _pieces(residuals, bins)
        usual = _without(pieces, [samples[place] for place in places])
    if len(pieces) < 2:
        return STEADY
    return _Judged(samples, places, residuals, bins, pieces).speeds()


def _usual_times(samples: Sequence[TimedSample]) -> dict[int, float]:
    """The logarithm of each variant's time over that of the most frequent one, within blocks.

    Variants that share too few blocks with that one are left out.
    """
    times: dict[int, dict[int, float]] = {}
    for each in samples:
        times.setdefault(each.variant, {})[each.block] = math.log(each.seconds)
    if not times:
        return {}
    reference = times[max(times, key=lambda variant: (len(times[variant]), -variant))]
    found = {}
    for variant, own in times.items():
        shared = sorted(own[block] - reference[block] for block in own.keys() & reference.keys())
        if len(shared) >= _SHARED_BLOCKS:
            found[variant] = median(shared)
    return found


class _Bins:
    """Medians of a few residuals each, in the order measured."""

    def __init__(self, residuals: Sequence[float]) -> None:
        n = len(residuals)
        size = _USUAL_BIN if n >= _USUAL_BIN * _USUAL_BINS else _BIN
        number = n // max(size, math.ceil(n / _MOST_BINS))
        self.edges = [n * place // number for place in range(number + 1)]
        self.values = [median(sorted(residuals[a:b])) for a, b in pairwise(self.edges)]
        self.noise = noise_of(self.values)


@dataclass(frozen=True)
class _Piece:
    """A stretch of residuals with one level, from ``first`` up to ``last``, which is not in it."""

    first: int
    last: int
    level: float


def _pieces(residuals: Sequence[float], bins: _Bins) -> list[_Piece]:
    penalty = PENALTY * math.log(len(bins.values)) * bins.noise**2
    edges = [bins.edges[cut] for cut in partition(bins.values, penalty, _LEAST_BINS)]
    levels = [median(sorted(residuals[a:b])) for a, b in pairwise(edges)]
    exact = [edges[0]]
    for place, (before, after) in enumerate(pairwise(levels), 1):
        at = bins.edges.index(edges[place])
        low, high = bins.edges[at - 1], bins.edges[at + 1]
        exact.append(_best_cut(residuals, max(low, exact[-1] + 1), high, (before, after)))
    exact.append(edges[-1])
    return [_Piece(a, b, median(sorted(residuals[a:b]))) for a, b in pairwise(exact)]


def _best_cut(residuals: Sequence[float], low: int, high: int, levels: tuple[float, float]) -> int:
    """The place of a change between two levels: the least sum of distances from them."""
    before, after = levels
    best, least, distance = low, 0.0, 0.0
    for place in range(low, high):
        distance += abs(residuals[place] - before) - abs(residuals[place] - after)
        if distance < least:
            best, least = place + 1, distance
    return min(best, high - 1)


def _without(pieces: Sequence[_Piece], samples: Sequence[TimedSample]) -> dict[int, float]:
    """The usual logarithm of each variant's time, with the levels of the pieces taken off."""
    times: dict[int, list[float]] = {}
    for piece in pieces:
        for each in samples[piece.first : piece.last]:
            times.setdefault(each.variant, []).append(math.log(each.seconds) - piece.level)
    return {variant: median(sorted(own)) for variant, own in times.items()}


@dataclass
class _Group:
    """Pieces of one level."""

    pieces: list[_Piece]

    @property
    def level(self) -> float:
        return sum(e.level * (e.last - e.first) for e in self.pieces) / self.n

    @property
    def n(self) -> int:
        return sum(each.last - each.first for each in self.pieces)

    @property
    def span(self) -> float:
        levels = [each.level for each in self.pieces]
        return max(levels) - min(levels)


class _Judged:
    """Decides what the pieces are: states, a drift, or neither."""

    def __init__(
        self,
        samples: Sequence[TimedSample],
        places: Sequence[int],
        residuals: Sequence[float],
        bins: _Bins,
        pieces: list[_Piece],
    ) -> None:
        self.samples = samples
        self.places = places
        self.residuals = residuals
        self.pieces = pieces
        self.bins = bins
        firsts = [each.first for each in pieces]
        around = [
            abs(value - pieces[bisect_right(firsts, (a + b) // 2) - 1].level)
            for value, (a, b) in zip(bins.values, pairwise(bins.edges), strict=True)
        ]
        self.noise = max(bins.noise, _NORMAL_SCALE * median(sorted(around)))
        self.samples_per_bin = len(residuals) / len(bins.values)

    def speeds(self) -> Speeds:
        groups = self._groups()
        if len(groups) < 2:
            return STEADY
        if not self._is_shared(groups) or self._is_of_allocations(groups):
            return STEADY
        if len(groups) > MOST_STATES or self._is_unclear(groups) or self._is_ramp(groups):
            return self._drift()
        return self._states(groups)

    def _error(self, group: _Group) -> float:
        """The standard error of a group's level; a median's variance is pi/2 that of a mean."""
        return self.noise * math.sqrt(math.pi / 2 * self.samples_per_bin / group.n)

    def _groups(self) -> list[_Group]:
        """Pieces whose levels differ by less than the least change or by noise, joined."""
        groups = sorted((_Group([each]) for each in self.pieces), key=lambda each: each.level)
        time = self._seconds(self.pieces)
        while len(groups) > 1:
            gaps = [
                (b.level - a.level)
                / max(LEAST_CHANGE, ERRORS * math.hypot(self._error(a), self._error(b)))
                for a, b in pairwise(groups)
            ]
            rare = [
                place
                for place, each in enumerate(groups)
                if self._seconds(each.pieces) < LEAST_SHARE * time
            ]
            if min(gaps) < 1:
                place = gaps.index(min(gaps))
            elif rare:
                after = min(rare[0], len(gaps) - 1)
                place = min({max(rare[0] - 1, 0), after}, key=lambda each: gaps[each])
            else:
                break
            groups[place : place + 2] = [_Group(groups[place].pieces + groups[place + 1].pieces)]
        return groups

    def _seconds(self, pieces: Sequence[_Piece]) -> float:
        return sum(
            self.samples[self.places[place]].measured_seconds
            for piece in pieces
            for place in range(piece.first, piece.last)
        )

    def _is_shared(self, groups: Sequence[_Group]) -> bool:
        """Return whether at least two variants, and nearly all that can show it, change."""
        middle = (groups[0].level + groups[-1].level) / 2
        fast, slow = (
            self._by_variant([e for e in self.pieces if (e.level > middle) is above])
            for above in (False, True)
        )
        agree = seen = 0
        change = groups[-1].level - groups[0].level
        for variant in fast.keys() & slow.keys():
            if min(len(fast[variant]), len(slow[variant])) < 3:
                continue
            seen += 1
            agree += median(slow[variant]) - median(fast[variant]) > change / 3
        return agree >= 2 and agree >= 0.75 * seen

    def _by_variant(self, pieces: Sequence[_Piece]) -> dict[int, list[float]]:
        found: dict[int, list[float]] = {}
        for piece in pieces:
            for place in range(piece.first, piece.last):
                variant = self.samples[self.places[place]].variant
                found.setdefault(variant, []).append(self.residuals[place])
        return {variant: sorted(values) for variant, values in found.items()}

    def _is_of_allocations(self, groups: Sequence[_Group]) -> bool:
        """Return whether fresh allocations of the arrays explain the changes.

        Each allocation has pages of its own, and so a speed of its own. The changes are then where
        the arrays were allocated. A single change may be there by chance; it is explained if there
        are so few allocations that chance also gives them no more changes than that.
        """
        epochs = [self.samples[place].epoch for place in self.places]
        starts = [place for place, (a, b) in enumerate(pairwise(epochs), 1) if a != b]
        if not starts:
            return False
        reach = _NEAR * len(epochs) / (len(starts) + 1)
        changes = [stay.first for stay, _ in self._stays(groups)[1:]]
        near = sum(min(abs(each - start) for start in starts) <= reach for each in changes)
        if len(changes) == 1:
            return near == 1 and len(starts) + 1 > _BY_CHANCE * 2 ** len(starts)
        return near == len(changes) or (len(changes) > 2 and near >= _MOSTLY * len(changes))

    def _stays(self, groups: Sequence[_Group]) -> list[tuple[_Piece, int]]:
        """The stays in states, in order of time, each with the number of its group."""
        number_of = {each: number for number, group in enumerate(groups) for each in group.pieces}
        stays: list[tuple[_Piece, int]] = []
        for piece in self.pieces:
            number = number_of[piece]
            goes_on = bool(stays) and stays[-1][1] == number
            first = stays.pop()[0].first if goes_on else piece.first
            stays.append((_Piece(first, piece.last, groups[number].level), number))
        return stays

    def _is_unclear(self, groups: Sequence[_Group]) -> bool:
        """Return whether groups overlap: by noise, or as their pieces differ among themselves."""
        gap = min(b.level - a.level for a, b in pairwise(groups))
        return gap < _APART * self.noise or any(each.span > gap / 2 for each in groups)

    def _is_ramp(self, groups: Sequence[_Group]) -> bool:
        """Return whether the speed goes from one level to the next by degrees."""
        stays = self._stays(groups)
        if self._squares_of_line() < self._squares_of(stays) + _NO_LINE * self.noise**2:
            return True
        moved = changed = 0.0
        for (before, one), (after, other) in pairwise(stays):
            change = groups[other].level - groups[one].level
            for stay, at_end in ((before, True), (after, False)):
                quarter = max(1, (stay.last - stay.first) // 4)
                values = self.residuals[stay.first : stay.last]
                near, rest = (
                    (values[-quarter:], values[:-quarter])
                    if at_end
                    else (values[:quarter], values[quarter:])
                )
                step = median(sorted(near)) - median(sorted(rest))
                moved += (step if at_end else -step) * math.copysign(1, change)
                changed += abs(change)
        return moved > _RAMP * changed

    def _squares_of(self, stays: Sequence[tuple[_Piece, int]]) -> float:
        firsts = [stay.first for stay, _ in stays]
        return sum(
            (value - stays[bisect_right(firsts, (a + b) // 2) - 1][0].level) ** 2
            for value, (a, b) in zip(self.bins.values, pairwise(self.bins.edges), strict=True)
        )

    def _squares_of_line(self) -> float:
        values = self.bins.values
        n = len(values)
        mean, middle = sum(values) / n, (n - 1) / 2
        rise = sum((place - middle) * value for place, value in enumerate(values))
        rise /= n * (n * n - 1) / 12
        return sum(
            (value - mean - rise * (place - middle)) ** 2 for place, value in enumerate(values)
        )

    def _drift(self) -> Speeds:
        n = len(self.residuals)
        windows = min(_WINDOWS, n // _LEAST_WINDOW)
        levels = [
            median(sorted(self.residuals[n * place // windows : n * (place + 1) // windows]))
            for place in range(windows)
        ]
        low, high = min(levels), max(levels)
        if high - low < LEAST_DRIFT:
            return STEADY
        middle = median(sorted(e.level for e in self.pieces for _ in range(e.first, e.last)))
        firsts = [self.places[each.first] for each in self.pieces]
        speeds = [math.exp(middle - each.level) for each in self.pieces]
        return Speeds(
            drift=(math.exp(middle - high), math.exp(middle - low)),
            speed_of=tuple(
                speeds[max(0, bisect_right(firsts, place) - 1)]
                for place in range(len(self.samples))
            ),
        )

    def _states(self, groups: Sequence[_Group]) -> Speeds:
        stays = self._stays(groups)
        firsts = [self.places[stay.first] for stay, _ in stays]
        state_of = [
            stays[max(0, bisect_right(firsts, place) - 1)][1] for place in range(len(self.samples))
        ]
        seconds = [0.0] * len(groups)
        for each, state in zip(self.samples, state_of, strict=True):
            seconds[state] += each.measured_seconds
        levels = [
            median(
                sorted(value for e in group.pieces for value in self.residuals[e.first : e.last])
            )
            for group in groups
        ]
        main = levels[seconds.index(max(seconds))]
        states = tuple(
            SpeedState(math.exp(main - level), own / sum(seconds))
            for level, own in zip(levels, seconds, strict=True)
        )
        return Speeds(
            states=states,
            state_of=tuple(state_of),
            changes=tuple(firsts[1:]),
            speed_of=tuple(states[state].speed for state in state_of),
        )


def own_speeds(times: Mapping[int, Sequence[float]], states: Sequence[SpeedState]) -> list[float]:
    """The speed of one variant in each state, over its speed in the state with the largest share.

    ``times``: its seconds in each state. Where it has too few, it has the common speed.
    """
    main = max(range(len(states)), key=lambda state: states[state].share)
    usual = times.get(main, ())
    found = []
    for number, state in enumerate(states):
        own = times.get(number, ())
        enough = min(len(own), len(usual)) >= OWN_SAMPLES
        found.append(median(sorted(usual)) / median(sorted(own)) if enough else state.speed)
    return found
