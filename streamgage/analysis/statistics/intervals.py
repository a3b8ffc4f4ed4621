"""Statistics of repeated times, after Hoefler and Belli (SC'15).

Times are summarised, never rates. Intervals are of the median, from order statistics, and assume no
distribution. There is never an interval of the best. If there are fewer values than an interval
needs, the bounds are their range, and are called that. Student's t would give an interval for two
values, but one that reaches far beyond everything that was seen.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

REPORTED = Fraction(95, 100)
"""The confidence of the intervals that are shown."""
NORMAL = 1.959964
"""The 97.5 % quantile of the normal distribution."""
_STUDENT = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
)
"""The same quantile of Student's t with 1 to 20 degrees of freedom."""
_RARE_NORMAL = 3.290527
"""The 99.95 % quantile of the normal distribution."""
_RARE_STUDENT = (
    *(636.6192, 31.5991, 12.9240, 8.6103, 6.8688, 5.9588, 5.4079, 5.0413, 4.7809, 4.5869),
    *(4.4370, 4.3178, 4.2208, 4.1405, 4.0728, 4.0150, 3.9651, 3.9216, 3.8834, 3.8495),
)
"""The same quantile of Student's t with 1 to 20 degrees of freedom."""


FEWEST = 6
"""The fewest independent values whose order statistics bound the median with 95 %."""
BoundedBy = Literal["interval", "range"]
"""What bounds are: an interval of 95 % confidence, or the range of a few values."""


@dataclass(frozen=True)
class Interval:
    """The bounds of a median, in the unit of the samples; they lie within the samples' range."""

    low: float
    high: float
    bounded_by: BoundedBy = "interval"


@dataclass(frozen=True)
class Summary:
    """The summary of ``n`` times in seconds."""

    n: int
    minimum: float
    maximum: float
    mean: float
    median: float
    deviation: float | None
    """The standard deviation of the sample; ``None`` for a single time."""
    interval: Interval | None
    """The interval; ``None`` if ``n`` is too small for 95 %."""

    @property
    def bounds(self) -> Interval | None:
        """The interval, or the range of a few times; ``None`` for a single time."""
        if self.interval is not None or self.n < 2:
            return self.interval
        return range_of((self.minimum, self.maximum))


@lru_cache(maxsize=1024)
def interval_rank(n: int, confidence: Fraction = REPORTED) -> int | None:
    """The rank r (from 1) such that the r-th smallest and r-th largest of ``n`` bound the median.

    It is the greatest r with P(r-th smallest > median or r-th largest < median) <= 1 - confidence,
    that is 2 * P(B < r) <= 1 - confidence for B ~ Binomial(n, 1/2), exact in integers (David and
    Nagaraja, Order Statistics, 7.1). ``None`` if even the extremes do not reach the confidence:
    below 6 samples for 95 %, below 8 for 99 %.
    """
    allowed = (1 - confidence) * 2**n / 2
    tail, rank = 0, 0
    while (tail := tail + math.comb(n, rank)) <= allowed:
        rank += 1
    return rank or None


def median(ordered: Sequence[float]) -> float:
    """The median of an ascending, non-empty sequence."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def median_interval(ordered: Sequence[float], confidence: Fraction = REPORTED) -> Interval | None:
    """The nonparametric interval of the median of an ascending sequence.

    ``None`` if n is too small.
    """
    rank = interval_rank(len(ordered), confidence)
    return None if rank is None else Interval(ordered[rank - 1], ordered[-rank])


def median_bounds(ordered: Sequence[float]) -> Interval | None:
    """The 95 % interval of an ascending sequence, or the range of a few values.

    ``None`` below two.
    """
    if len(ordered) < 2:
        return None
    return median_interval(ordered) or range_of(ordered)


def range_of(ordered: Sequence[float]) -> Interval:
    """The range of an ascending sequence, for too few values for an interval."""
    return Interval(ordered[0], ordered[-1], "range")


def summarise(times: Sequence[float]) -> Summary | None:
    """Summarise times in seconds, in any order; ``None`` if there are none."""
    if not times:
        return None
    ordered = sorted(times)
    mean = math.fsum(ordered) / len(ordered)
    return Summary(
        n=len(ordered),
        minimum=ordered[0],
        maximum=ordered[-1],
        mean=mean,
        median=median(ordered),
        deviation=_deviation(ordered, mean),
        interval=median_interval(ordered),
    )


def _deviation(times: Sequence[float], mean: float) -> float | None:
    """The standard deviation of a sample; ``None`` for a single time."""
    if len(times) < 2:
        return None
    return math.sqrt(math.fsum((each - mean) ** 2 for each in times) / (len(times) - 1))


def quantile(freedom: float, *, rare: bool = False) -> float:
    """The 97.5 % quantile of Student's t; below one degree of freedom, that of one.

    ``rare``: the 99.95 % quantile, which one of 2,000 exceeds. Between the rows of the table its
    logarithm is interpolated linearly in 1/freedom, which is right within 3 %; from two degrees of
    freedom on if ``rare``. Beyond the table it approaches the normal quantile.
    """
    freedom = max(freedom, 1.0)
    table, normal = (_RARE_STUDENT, _RARE_NORMAL) if rare else (_STUDENT, NORMAL)
    rows = [float(number) for number in range(1, len(table) + 1)]
    place = bisect_right(rows, freedom)
    if place == len(table):
        before, after, above, below = 1 / rows[-1], 0.0, table[-1], normal
    else:
        before, after = 1 / rows[place - 1], 1 / rows[place]
        above, below = table[place - 1], table[place]
    share = (before - 1 / freedom) / (before - after)
    return math.exp(math.log(above) + share * (math.log(below) - math.log(above)))


def welch(first: float, first_freedom: float, second: float, second_freedom: float) -> float:
    """The degrees of freedom of a difference of two estimates with these variances.

    Welch 1947 (Biometrika 34) and Satterthwaite 1946 (Biometrics Bulletin 2).
    """
    both = first + second
    if both == 0:
        return min(first_freedom, second_freedom)
    return both**2 / (first**2 / first_freedom + second**2 / second_freedom)
