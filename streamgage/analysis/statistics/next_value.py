"""What one more value of a kind will be, by earlier ones and by what is usual.

Runs of a machine differ by more than the interval of one run says: another run has other pages,
another state of the host and other neighbours. The scatter between earlier runs says how far. Few
runs say little of it, so it is combined with that of usual machines. (Kalibera and Jones, "Rigorous
benchmarking in reasonable time", ISMM 2013, treat runs as a level of their own.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.intervals import Interval, quantile

FEWEST = 3
"""Fewer values say nothing of the next one."""
_USUAL = 0.025
"""The standard deviation between runs of a usual machine, as a share."""
_WORTH = 2
"""As many degrees of freedom is what is known of usual machines worth."""


@dataclass(frozen=True)
class NextValue:
    """The distribution of the next value: of its logarithm, Student's t."""

    usual: float
    """The middle of the distribution, in the unit of the values."""
    deviation: float
    """The standard deviation of the next logarithm, with that of the middle in it."""
    freedom: int

    @property
    def interval(self) -> Interval:
        """The next value lies within it in 95 of 100 cases."""
        return self._within(quantile(self.freedom))

    @property
    def rare(self) -> float:
        """The next value lies below this once in 2,000 cases."""
        return self._within(quantile(self.freedom, rare=True)).low

    def _within(self, deviations: float) -> Interval:
        reach = math.exp(deviations * self.deviation)
        return Interval(self.usual / reach, self.usual * reach)


def next_value(values: Sequence[float]) -> NextValue | None:
    """What comes after these; ``None`` below three, or if one is not positive."""
    if len(values) < FEWEST or min(values) <= 0:
        return None
    logarithms = [math.log(each) for each in values]
    n = len(logarithms)
    mean = math.fsum(logarithms) / n
    squares = math.fsum((each - mean) ** 2 for each in logarithms)
    return next_of(math.exp(mean), math.sqrt(squares / (n - 1)), n)


def next_of(usual: float, scale: float, n: int) -> NextValue:
    """What comes after ``n`` values with this middle, and this deviation of their logarithms."""
    freedom = _WORTH + n - 1
    variance = (_WORTH * _USUAL**2 + (n - 1) * scale**2) / freedom
    return NextValue(usual, math.sqrt(variance * (1 + 1 / n)), freedom)
