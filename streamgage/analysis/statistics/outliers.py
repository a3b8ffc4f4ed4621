"""Finds figures that are lower than chance explains.

It only needs arithmetic on sorted lists. For 100,000 figures that takes no longer than loading
NumPy, which the machine that judges a fleet may lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, inf, log, log1p, pi, sqrt

from streamgage.analysis.statistics.intervals import median

FEWEST = 8
"""The fewest figures for a scale. With fewer, the median absolute deviation depends on chance, and
its Student distribution has fewer than three degrees of freedom."""
_CONSISTENT = 1.4826
"""The ratio of the standard deviation to the median absolute deviation, in a normal sample."""
_SMALL_SAMPLE = {8: 1.129, 9: 1.107}
"""The factor that corrects this ratio for few figures (Croux and Rousseeuw 1992, table 1)."""
_EFFICIENCY = 0.37
"""The efficiency of the median absolute deviation: it estimates the scale as well as the standard
deviation of this part of the sample (Rousseeuw and Croux 1993)."""


@dataclass(frozen=True)
class Bulk:
    """The bulk of a sample, which a minority cannot change: its middle, its scale, and its size."""

    middle: float
    scale: float
    n: int

    @property
    def freedom(self) -> float:
        """The degrees of freedom with which the scale is known."""
        return max(1.0, _EFFICIENCY * (self.n - 1))

    def lower_tail(self, value: float, own_scale: float = 0.0) -> float:
        """The one-sided probability that a value of the bulk lies this low.

        ``own_scale``: the standard error of the value itself, used if it exceeds the scale of the
        bulk.
        """
        scale = max(self.scale, own_scale)
        # The middle is a median, whose variance is pi/2 times that of a mean.
        distance = (value - self.middle) / (scale * sqrt(1 + pi / (2 * self.n)))
        return student_tail(-distance, self.freedom)


def bulk_of(values: Sequence[float], floor: float) -> Bulk:
    """The bulk, by median and median absolute deviation; its scale is at least ``floor``."""
    ordered = sorted(values)
    middle = median(ordered)
    n = len(ordered)
    spread = median(sorted(abs(value - middle) for value in ordered))
    factor = _SMALL_SAMPLE.get(n, n / (n - 0.8))
    return Bulk(middle, max(floor, factor * _CONSISTENT * spread), n)


def student_tail(t: float, freedom: float) -> float:
    """The upper tail of Student's distribution.

    It uses the normal deviate of Wallace (1959). From three degrees of freedom on, it is right to a
    few percent of the tail, however far out.
    """
    if freedom == inf:
        return 0.5 * erfc(t / sqrt(2))
    root = sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    upper = 0.5 * erfc(root / sqrt(2))
    return upper if t > 0 else 1 - upper


def false_discovery(ps: Sequence[float]) -> list[float]:
    """For each probability, the share of false positives among all that are at most as great.

    Benjamini and Hochberg (1995): selecting all with at most ``q`` selects a share of ``q`` by
    mistake, on average.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__, reverse=True)
    found = [1.0] * len(ps)
    least = 1.0
    for rank, place in zip(range(len(ps), 0, -1), order, strict=True):
        least = min(least, ps[place] * len(ps) / rank)
        found[place] = least
    return found


def any_by_chance(ps: Sequence[float], tests: int) -> list[float]:
    """For each probability, the chance that one of ``tests`` sound figures has one as small.

    Holm (1979): selecting all with at most ``a`` makes any mistake in a share of ``a`` of all
    fleets.
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
