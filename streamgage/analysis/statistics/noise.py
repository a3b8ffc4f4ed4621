"""Decides whether two figures differ by more than their noise, from their bounds in documents.

Bounds become the variance of a logarithm, separately for either side. For the range of two to five
figures, the deviation is the range divided by its expectation (Tippett 1925). The variances of two
figures are added (the delta method; with unequal bounds the MOVER of Zou and Donner, Statistics in
Medicine 27, 2008), and the degrees of freedom are Welch's. So a difference of a few rounds only
counts if it is larger than their range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.evidence import Bounds, rounds_bounds
from streamgage.analysis.statistics.intervals import NORMAL, quantile, welch

RANGE = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326}
"""The expected range of so many normal figures, in standard deviations."""
MEDIAN = {2: 1.0, 3: 1.35, 4: 1.19, 5: 1.43}
"""The variance of the median of so many normal figures, divided by that of their mean (Hojo
1931)."""
_MOST = 300.0
"""The widest bounds of a logarithm; wider ones would say nothing."""
_MANY = 1e6
"""The degrees of freedom of an interval that already covers 95 %."""


@dataclass(frozen=True)
class Scatter:
    """The variances of the logarithm of a median, downwards and upwards."""

    down: float
    up: float
    freedom: float


EXACT = Scatter(0.0, 0.0, _MANY)
"""The scatter of an exactly known figure."""


def scatter_of(value: float, bounds: Bounds) -> Scatter:
    """The noise of ``value``, from its bounds."""
    if bounds.n is not None:
        deviation = (math.log(bounds.high) - math.log(bounds.low)) / RANGE[bounds.n]
        spread = deviation**2 * MEDIAN[bounds.n] / bounds.n
        return Scatter(spread, spread, bounds.n - 1)
    down = max(math.log(value) - math.log(bounds.low), 0.0) / NORMAL
    up = max(math.log(bounds.high) - math.log(value), 0.0) / NORMAL
    return Scatter(down**2, up**2, _MANY)


def bounds_of_ratio(ratio: float, one: Scatter, two: Scatter) -> tuple[float, float]:
    """The 95 % bounds of the ratio of the first figure to the second."""
    reaches = [
        min(
            quantile(welch(first, one.freedom, second, two.freedom)) * math.sqrt(first + second),
            _MOST,
        )
        for first, second in ((one.down, two.up), (one.up, two.down))
    ]
    return ratio * math.exp(-reaches[0]), ratio * math.exp(reaches[1])


def differ(one: Estimate, n: int, other: Estimate, other_n: int) -> bool:
    """Return whether two figures over so many rounds differ beyond noise.

    ``False`` if the noise is unknown.
    """
    scatters = [_of_estimate(figure, rounds) for figure, rounds in ((one, n), (other, other_n))]
    first, second = scatters
    if first is None or second is None:
        return False
    low, high = bounds_of_ratio(one.value / other.value, first, second)
    return low > 1 or high < 1


def is_beyond_noise(ratio: Estimate, n: int) -> bool:
    """Return whether a paired ratio over so many rounds differs from 1.

    ``False`` if its noise is unknown.
    """
    found = _of_estimate(ratio, n)
    if found is None:
        return False
    low, high = bounds_of_ratio(ratio.value, found, EXACT)
    return low > 1 or high < 1


def _of_estimate(figure: Estimate, n: int) -> Scatter | None:
    """The scatter of an estimate; ``None`` without bounds.

    A range of more than five figures counts as one of five.
    """
    if figure.value <= 0:
        return None
    parts = 1 if figure.bounded_by == "interval" else max(2, min(n, max(RANGE)))
    bounds = rounds_bounds(figure.low, figure.high, parts)
    return None if bounds is None else scatter_of(figure.value, bounds)
