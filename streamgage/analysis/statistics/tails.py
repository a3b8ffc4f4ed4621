"""How likely a sound unit lies far below the middle of its class, whatever the shape of the noise.

A normal distribution promises too much: where noise has heavy tails, sound units lie where it puts
none. Faults only lower a figure, so the upper half of a class shows the shape of its noise, and the
lower half shows it near the middle. The shapes that both allow are averaged by their likelihood
(a posterior predictive tail). Few units allow every shape, so their tail is heavy; a thousand units
tell the shapes apart.

The lower tail may be longer than the upper half shows: a tenth of the units scatters more, or the
slowest of several parts decides. So the units below the middle are looked at from the inside to the
outside. As long as one follows the other without a gap, they belong to the noise, and how far they
reach says how likely the next one is. What lies beyond a gap is not part of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import erfc, exp, log, pi, sqrt

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.modes import thinned, two_modes
from streamgage.analysis.statistics.outliers import student_tail

_QUARTILE = 0.6745
"""The upper quartile of the standard normal distribution."""
_EFFICIENCY = 0.37
_MOST_SKEW = 1.8
"""The lower half of a sound class is at most so much wider than the upper one: 1.7 with an
exponential lower tail. A wider one holds slow units."""
_TOO_WIDE = 2.5
"""A lower half so many times wider than the upper one holds many slow units."""
_APART = 4.5
"""Units so many scales of the upper half below the middle are not part of the noise, where the
lower half is too wide for it."""
_FEWEST_SOUND = 0.55
"""The share of a class that must remain."""
_NEAR = 2.0
"""Distances below it need no shape."""
_LEAST_WEIGHT = 1e-12
_EDGES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5, 6.0)
_FAULTS_FROM = 3.5
"""Units farther below the middle may be faulty, so they say nothing about the noise."""
_TAIL_FROM = 2.0
"""Scales below the middle from which on the tail is looked at by itself."""
_USUAL_SCALE, _USUAL_BEND = 0.39, -0.05
"""The usual tail from there on, as a generalized Pareto distribution: between that of a normal
sample (0.41 and -0.10) and an exponential one with the same mean."""
_NO_BEND = 1e-3
_LEAST_LENGTH = 1e-6
_EMPTY = 0.2
"""The chance that a stretch of such a tail is empty, below which it is a gap."""
_EMPTY_OF_ANY = 0.01
"""The chance that such a stretch of a tail like Cauchy's is empty, below which it is a gap."""
_WEIGHT = 20
"""Units that this knowledge is worth."""
NO_MAJORITY = 0.35
"""From this share of the units on, a slow group is as likely to be the usual one."""
LEAST_FAST = 0.2
"""Where a smaller share of the units is in a faster group, the others are what is usual."""
_FEWEST_IN_GROUPS = 8
_FEWEST_OF_A_GROUP = 3
"""Fewer units are no group, but odd ones."""
_FEWEST_OF_A_SCALE = 8
_LEAST_APART = 0.03
"""Groups that are nearer are one."""
_GAP = 0.01
"""The chance that the tail of a sound class has a unit beyond what is taken for a gap."""
_NO_NOISE = 0.01
"""The chance that one unit of a class is so far above the others, below which it is no noise."""
_Tail = Callable[[float], float]


def _normal(z: float) -> float:
    return 0.5 * erfc(z / sqrt(2))


def _student(freedom: float, quartile: float) -> _Tail:
    return lambda z: student_tail(z * quartile / _QUARTILE, freedom)


def _laplace(z: float) -> float:
    return 0.5 * exp(-z * log(2) / _QUARTILE)


_SHAPES: tuple[tuple[float, float, _Tail], ...] = (
    (0.50, 1e9, _normal),
    (0.20, 8.0, _student(8.0, 0.7064)),
    (0.15, 5.0, _student(5.0, 0.7267)),
    (0.05, 3.0, _student(3.0, 0.7649)),
    (0.10, 1e9, _laplace),
)
"""The weight of each shape before anything is measured, its degrees of freedom, and its tail. Each
is scaled to the quartiles of the normal distribution."""


@dataclass(frozen=True)
class SlowGroup:
    """Units with one speed, below those of the others."""

    below: float
    """The middle of its logarithms less that of the others: negative."""
    share: float
    """The share of all units that is in it."""

    @property
    def no_majority(self) -> bool:
        """Whether it is as likely to be the usual group as the other one."""
        return self.share >= NO_MAJORITY


@dataclass(frozen=True)
class Excess:
    """How far the lower tail of a class reaches beyond ``_TAIL_FROM``."""

    share: float
    """The share of units that are there."""
    scale: float
    """How far they reach, in scales of the class."""
    bend: float
    """Above 0 the tail is longer than an exponential one, below 0 shorter."""

    def tail(self, z: float) -> float:
        """The predictive probability of ``z`` scales and more."""
        farther = max(0.0, z - _TAIL_FROM) / self.scale
        if abs(self.bend) < _NO_BEND:
            return self.share * exp(-farther)
        base = 1 + self.bend * farther
        return self.share * base ** (-1 / self.bend) if base > 0 else 0.0


@dataclass(frozen=True)
class Shape:
    """The noise of a class: middle, scale, number of units, and the weight of each shape."""

    middle: float
    scale: float
    n: int
    weights: tuple[float, ...] = tuple(weight for weight, _, _ in _SHAPES)
    beyond: Excess | None = None
    """What the units of the lower tail show; ``None``: nothing is known of them."""
    slow_group: SlowGroup | None = None
    """The slower one of two groups of units; the shape is that of the faster one if it is large
    enough."""

    @property
    def freedom(self) -> float:
        """The degrees of freedom with which the scale is known."""
        return _freedom(self.n)

    def lower_tail(self, value: float, own_scale: float = 0.0) -> float:
        """The one-sided probability that a sound unit lies this low.

        ``own_scale``: the standard error of the value itself, used if it exceeds the scale.
        """
        scale = max(self.scale, own_scale)
        return self.tail((self.middle - value) / (scale * self._wider))

    def excludes(self, value: float, chance: float) -> bool:
        """Whether a sound unit lies this high with less than that chance, which is small."""
        z = (value - self.middle) / (self.scale * self._wider)
        return z > _distance_of(chance, self.weights, self.n)

    @property
    def _wider(self) -> float:
        # The middle is a median, whose variance is pi/2 times that of a mean.
        return sqrt(1 + pi / (2 * self.n))

    def tail(self, z: float) -> float:
        """The probability of a distance of ``z`` scales and more below the middle."""
        if z < _NEAR:  # all shapes agree there, and nobody is accused for it
            return _normal(z)
        known = _tail_of(z, self.weights, self.freedom)
        return known if self.beyond is None else max(known, self.beyond.tail(z))

    def least_loss(self, chance: float) -> float:
        """The loss from which on a unit is too low for chance, as a share."""
        distance = _distance(lambda z: self.tail(z) > chance)
        return 1 - exp(-distance * self.scale * self._wider)


def _freedom(n: int) -> float:
    return max(1.0, _EFFICIENCY * (n - 1))


def _tail_of(z: float, weights: Sequence[float], freedom: float) -> float:
    """The probability of a distance of ``z`` scales by the shapes alone."""
    return sum(
        weight * max(tail(z), _known_scale(z, of_shape, freedom))
        for weight, (_, of_shape, tail) in zip(weights, _SHAPES, strict=True)
        if weight > _LEAST_WEIGHT
    )


@cache
def _distance_of(chance: float, weights: tuple[float, ...], n: int) -> float:
    """The scales above the middle beyond which a sound unit lies with that chance."""
    return _distance(lambda z: _tail_of(z, weights, _freedom(n)) > chance)


def _distance(is_nearer: Callable[[float], bool]) -> float:
    """The least distance in scales, to a hundredth, that is not nearer."""
    low, high = _NEAR, 200.0
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if is_nearer(middle) else (low, middle)
    return high


def _known_scale(z: float, freedom: float, of_scale: float) -> float:
    """The tail that remains where few units give the scale."""
    return student_tail(z, 1 / (1 / freedom + 1 / of_scale))


def shape_of(values: Sequence[float], floor: float) -> Shape:
    """The shape of the bulk of some logarithms; its scale is at least ``floor``."""
    ordered = sorted(values)
    group = _slow_group(ordered)
    # Faults only lower a figure, so the slower group says nothing about the noise.
    if group is not None and len(ordered) - group[0] >= _FEWEST_OF_A_SCALE:
        ordered = ordered[group[0] :]
    most = len(ordered)
    while True:
        n = len(ordered)
        middle = median(ordered)
        upper = _half_scale([value - middle for value in ordered[n // 2 :]])
        lower = _half_scale([middle - value for value in ordered[: n - n // 2]][::-1])
        # Many slow units move the median: without them the upper half is a half of the sound ones.
        sound = [each for each in ordered if each > middle - _APART * max(upper, floor)]
        many = lower > _TOO_WIDE * max(upper, floor)
        if not many or len(sound) == n or len(sound) < _FEWEST_SOUND * most:
            break
        ordered = sound
    both = sqrt((upper**2 + lower**2) / 2)
    scale = max(floor, min(both if n < 40 else max(upper, lower), _MOST_SKEW * max(upper, floor)))
    scale *= n / (n - 0.8)
    below = [(middle - value) / scale for value in reversed(ordered[: n // 2])]
    return Shape(
        middle,
        scale,
        n,
        _weights(ordered, middle, scale),
        excess_of(below, n),
        None if group is None else group[1],
    )


def _slow_group(ordered: Sequence[float]) -> tuple[int, SlowGroup] | None:
    """The number of units in the slower one of two groups of logarithms, and what it is.

    ``None`` if there is one group, or the faster one is too small.
    """
    n = len(ordered)
    if n < _FEWEST_IN_GROUPS or ordered[-1 - n // 10] - ordered[n // 10] < _LEAST_APART:
        return None
    modes = two_modes([exp(ordered[-1] - value) for value in thinned(ordered)])
    if modes is None or modes.fast_share < LEAST_FAST or modes.slow - modes.fast < _LEAST_APART:
        return None
    fast = round(modes.fast_share * n)
    if min(fast, n - fast) < _FEWEST_OF_A_GROUP:
        return None
    return n - fast, SlowGroup(log(modes.fast / modes.slow), (n - fast) / n)


def excess_of(distances: Sequence[float], units: int) -> Excess:
    """What the tail shows. ``distances``: those below the middle in scales, ascending."""
    farther = [z - _TAIL_FROM for z in distances if z >= _TAIL_FROM]
    found = _excess(farther, 0, 0.0, 0.0, units)
    total = squares = 0.0
    for place, each in enumerate(farther):
        far = each > 1 and units * found.tail(_TAIL_FROM + each) < _GAP
        if far and (_is_a_gap(farther, place) or _is_a_gap_of_any_tail(farther, place)):
            break
        total += each
        squares += each * each
        found = _excess(farther, place + 1, total, squares, units)
    return found


def _is_a_gap(ascending: Sequence[float], place: int) -> bool:
    """Whether fewer units are before this one than such a tail has, in which they become fewer.

    The nearer half of those beyond says how many a stretch should hold at least.
    """
    beyond = len(ascending) - place
    length = max(ascending[place + beyond // 2] - ascending[place], _LEAST_LENGTH)
    before = ascending[place] - (ascending[place - 1] if place else 0.0)
    return exp(-before * beyond / 2 / length) < _EMPTY


def _is_a_gap_of_any_tail(ascending: Sequence[float], place: int) -> bool:
    """Whether even a tail like Cauchy's has a unit nearer than all of those beyond.

    Its distances are far apart, so those beyond say nothing of the density before them. But of each
    that reaches the one before, half reach twice as far.
    """
    before = _TAIL_FROM + (ascending[place - 1] if place else 0.0)
    beyond = len(ascending) - place
    return (before / (_TAIL_FROM + ascending[place])) ** beyond < _EMPTY_OF_ANY


def _excess(
    ascending: Sequence[float], number: int, total: float, squares: float, units: int
) -> Excess:
    """The tail of the first ``number`` units, and of what is usual for a normal sample.

    A generalized Pareto distribution: its bend by moments (Hosking and Wallis 1987), its scale by
    the median, which a few slow units among the others hardly change.
    """
    weight = number + _WEIGHT
    bend, scale = _USUAL_BEND, _USUAL_SCALE
    if number > 2 and total > 0:
        variation = max(0.6, squares * number / (total * total) - 1)
        own = (1 - 1 / variation) / 2
        bend = (number * own + _WEIGHT * _USUAL_BEND) / weight
        per_median = own / (2**own - 1) if abs(own) > _NO_BEND else 1 / log(2)
        scale = (number * per_median * median(ascending[:number]) + _WEIGHT * _USUAL_SCALE) / weight
    return Excess((number + 1) / (units + 1), scale, bend + 1 / weight)


def _half_scale(distances: Sequence[float]) -> float:
    """The scale of one half, by the median of its distances from the middle."""
    return median(list(distances)) / _QUARTILE if distances else 0.0


def _weights(ordered: Sequence[float], middle: float, scale: float) -> tuple[float, ...]:
    """The weight of each shape after the units were seen."""
    n = len(ordered)
    above = _counts(
        [z for value in ordered if (z := (value - middle) / scale) >= 0 and _may_be_noise(z, n)],
        None,
    )
    below = _counts([(middle - value) / scale for value in ordered if value < middle], _FAULTS_FROM)
    found = []
    for number, (weight, _, _) in enumerate(_SHAPES):
        likelihood = log(weight)
        for counts, most in ((above, None), (below, _FAULTS_FROM)):
            shares = _shares(number, most)
            likelihood += sum(
                count * log(share) for count, share in zip(counts, shares, strict=True) if count
            )
        found.append(likelihood)
    most_likely = max(found)
    weights = [exp(max(-60.0, each - most_likely)) for each in found]
    total = sum(weights)
    return tuple(each / total for each in weights)


def _may_be_noise(z: float, n: int) -> bool:
    """Whether the heaviest shape puts one of ``n`` units so many scales above the middle.

    A unit farther above is another thing, and says nothing about the noise of the others.
    """
    return n * max(tail(z) for _, _, tail in _SHAPES) >= _NO_NOISE


def _edges(most: float | None) -> list[float]:
    return [each for each in _EDGES if most is None or each <= most]


def _counts(distances: Sequence[float], most: float | None) -> list[int]:
    """How many distances are between two edges; those beyond ``most`` are left out."""
    edges = _edges(most)
    counts = [0] * (len(edges) + (most is None))
    for each in distances:
        place = bisect_right(edges, each)
        if place < len(counts):
            counts[place] += 1
    return counts


@cache
def _shares(number: int, most: float | None) -> tuple[float, ...]:
    """The share of half the units between two edges, given that they are not beyond ``most``."""
    tail = _SHAPES[number][2]
    edges = [0.0, *_edges(most)]
    shares = [tail(low) - tail(high) for low, high in pairwise(edges)]
    shares += [tail(edges[-1])] if most is None else []
    total = sum(shares)
    return tuple(max(1e-12, each / total) for each in shares)
