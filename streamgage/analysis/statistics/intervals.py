"""Honest statistics of repeated times, after Hoefler and Belli (SC'15).

Times are summarised, never rates; intervals are of the median, from order statistics, and assume no
distribution; there is never an interval on the best.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

REPORTED = Fraction(95, 100)
"""Confidence of the intervals that are shown."""
AT_LOOKS = Fraction(99, 100)
"""Confidence at the looks of the stopping rule: repeated looks inflate the error."""
HALF_WIDTH = 0.01
"""The median is settled when its half-interval is at most this share of it."""
BEST_GAIN = 0.003
"""... and the best improved by less than this share over the latest samples."""
NORMAL = 1.959964
"""97.5 % quantile of the normal distribution."""
_STUDENT = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
)
"""The same of Student's t with 1 to 20 degrees of freedom."""


@dataclass(frozen=True)
class Interval:
    """Bounds of a median, in the unit of the samples."""

    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """``n`` times in seconds; ``interval`` is null where ``n`` is too small for 95 %."""

    n: int
    minimum: float
    maximum: float
    mean: float
    median: float
    interval: Interval | None


@dataclass(frozen=True)
class Convergence:
    """How settled a series is: shares of the median and of the best."""

    half_width: float | None
    """Half the 99 % interval over the median; null where there are too few samples for one."""
    best_gain: float
    """By how much the best improved over the latest samples."""

    @property
    def settled(self) -> bool:
        """Whether the stopping rule is met, the least number of samples left aside."""
        return (
            self.half_width is not None
            and self.half_width <= HALF_WIDTH
            and self.best_gain < BEST_GAIN
        )


@lru_cache(maxsize=1024)
def interval_rank(n: int, confidence: Fraction = REPORTED) -> int | None:
    """Rank r (from 1) such that the r-th smallest and r-th largest of ``n`` bound the median.

    The greatest r with P(r-th smallest > median or r-th largest < median) <= 1 - confidence, that
    is 2 * P(B < r) <= 1 - confidence for B ~ Binomial(n, 1/2), exact in integers (David and
    Nagaraja, Order Statistics, 7.1). Null where even the extremes do not reach the confidence:
    below 6 samples for 95 %, below 8 for 99 %.
    """
    allowed = (1 - confidence) * 2**n / 2
    tail, rank = 0, 0
    while (tail := tail + math.comb(n, rank)) <= allowed:
        rank += 1
    return rank or None


def median(ordered: Sequence[float]) -> float:
    """Median of an ascending, non-empty sequence."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def median_interval(ordered: Sequence[float], confidence: Fraction = REPORTED) -> Interval | None:
    """Nonparametric interval of the median of an ascending sequence; null where n is too small."""
    rank = interval_rank(len(ordered), confidence)
    return None if rank is None else Interval(ordered[rank - 1], ordered[-rank])


def summarise(times: Sequence[float]) -> Summary | None:
    """Summary of times in seconds, in any order; null where there are none."""
    if not times:
        return None
    ordered = sorted(times)
    return Summary(
        n=len(ordered),
        minimum=ordered[0],
        maximum=ordered[-1],
        mean=math.fsum(ordered) / len(ordered),
        median=median(ordered),
        interval=median_interval(ordered),
    )


def convergence(times: Sequence[float]) -> Convergence | None:
    """State of the stopping rule after ``times``, in the order measured; null where there are none.

    The half-width is that of the wider side; the latest samples are the last max(10, n/3).
    """
    if not times:
        return None
    ordered = sorted(times)
    bounds = median_interval(ordered, AT_LOOKS)
    middle = median(ordered)
    wider = max(middle - bounds.low, bounds.high - middle) if bounds else 0.0
    half_width = wider / middle if bounds and middle > 0 else None
    earlier = times[: -max(10, len(times) // 3)]
    gain = 1 - ordered[0] / min(earlier) if earlier and min(earlier) > 0 else 1.0
    return Convergence(half_width, gain)


def quantile(freedom: float) -> float:
    """The 97.5 % quantile; below one degree of freedom that of one.

    Between the rows of the table its logarithm is taken to be linear in 1/freedom, which is right
    within 3 % everywhere; beyond the table, down to the normal one.
    """
    freedom = max(freedom, 1.0)
    rows = [float(number) for number in range(1, len(_STUDENT) + 1)]
    place = bisect_right(rows, freedom)
    if place == len(_STUDENT):
        before, after, above, below = 1 / rows[-1], 0.0, _STUDENT[-1], NORMAL
    else:
        before, after = 1 / rows[place - 1], 1 / rows[place]
        above, below = _STUDENT[place - 1], _STUDENT[place]
    share = (before - 1 / freedom) / (before - after)
    return math.exp(math.log(above) + share * (math.log(below) - math.log(above)))


def welch(one: float, one_freedom: float, other: float, other_freedom: float) -> float:
    """Degrees of freedom of a difference of two estimates of these variances.

    Welch 1947 (Biometrika 34) and Satterthwaite 1946 (Biometrics Bulletin 2).
    """
    both = one + other
    if both == 0:
        return min(one_freedom, other_freedom)
    return both**2 / (one**2 / one_freedom + other**2 / other_freedom)
