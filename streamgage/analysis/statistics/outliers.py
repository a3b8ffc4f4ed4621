"""Finds figures that lie below what chance explains.

It only needs arithmetic on sorted lists: for 100,000 figures that is as fast as loading NumPy,
which the machine that judges a fleet need not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, inf, log, log1p, pi, sqrt

from streamgage.analysis.statistics.intervals import median

FEWEST = 8
"""Fewest figures for a scale: of fewer the median absolute deviation is a matter of chance, and its
Student distribution has fewer than three degrees of freedom."""
_CONSISTENT = 1.4826
"""Times the median absolute deviation is the standard deviation of a normal sample."""
_SMALL_SAMPLE = {8: 1.129, 9: 1.107}
"""The factor by which that is too small for few figures (Croux and Rousseeuw 1992, table 1)."""
_EFFICIENCY = 0.37
"""The efficiency of the median absolute deviation: it estimates the scale as well as the standard
deviation of this part of the sample (Rousseeuw and Croux 1993)."""


@dataclass(frozen=True)
class Bulk:
    """Most of a sample, whatever a minority of it does: its middle, its scale, and how many."""

    middle: float
    scale: float
    n: int

    @property
    def freedom(self) -> float:
        """Degrees of freedom with which the scale is known."""
        return max(1.0, _EFFICIENCY * (self.n - 1))

    def lower_tail(self, value: float, own_scale: float = 0.0) -> float:
        """The probability that a value of the bulk lies this low, one-sided.

        ``own_scale``: the standard error of the value itself, where it is above the scale of all.
        """
        scale = max(self.scale, own_scale)
        # The middle is a median, whose variance is pi/2 of that of a mean.
        distance = (value - self.middle) / (scale * sqrt(1 + pi / (2 * self.n)))
        return student_tail(-distance, self.freedom)


def bulk_of(values: Sequence[float], floor: float) -> Bulk:
    """The bulk by median and median absolute deviation; its scale is at least ``floor``."""
    ordered = sorted(values)
    middle = median(ordered)
    n = len(ordered)
    spread = median(sorted(abs(value - middle) for value in ordered))
    factor = _SMALL_SAMPLE.get(n, n / (n - 0.8))
    return Bulk(middle, max(floor, factor * _CONSISTENT * spread), n)


def student_tail(t: float, freedom: float) -> float:
    """The upper tail of Student's distribution.

    By the normal deviate of Wallace (1959), good to a few percent of the tail from three degrees of
    freedom on, however far out.
    """
    if freedom == inf:
        return 0.5 * erfc(t / sqrt(2))
    root = sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    upper = 0.5 * erfc(root / sqrt(2))
    return upper if t > 0 else 1 - upper


def false_discovery(ps: Sequence[float]) -> list[float]:
    """The share of false positives among all probabilities as small as each one.

    Benjamini and Hochberg (1995): taking all with at most ``q`` takes a share of ``q`` by mistake,
    on average.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__, reverse=True)
    found = [1.0] * len(ps)
    least = 1.0
    for rank, place in zip(range(len(ps), 0, -1), order, strict=True):
        least = min(least, ps[place] * len(ps) / rank)
        found[place] = least
    return found


def any_by_chance(ps: Sequence[float], tests: int) -> list[float]:
    """The chance, for each probability, that one of ``tests`` sound figures is as small.

    Holm (1979): taking all with at most ``a`` makes any mistake in a share of ``a`` of all fleets.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    found = [1.0] * len(ps)
    most = 0.0
    for rank, place in enumerate(order):
        most = max(most, min(1.0, ps[place] * (tests - rank)))
        found[place] = most
    return found


def log_width(low: float, high: float, quantile: float = 1.96) -> float:
    """The standard error of the logarithm of a figure, from the bounds of its 95 % interval."""
    return log(high / low) / (2 * quantile) if 0 < low < high else 0.0
