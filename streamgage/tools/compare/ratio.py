"""The ratio of two figures that were measured apart, with its interval.

Above 1 the second is better: the ratio is that of the first one's seconds over the second one's.
All is done on the scale of logarithms, on which a ratio is a difference.

- Where both have what was observed in six parts or more, by a bootstrap of both medians: parts are
  drawn again, with all their samples, from each side by itself (Efron and Tibshirani, An
  Introduction to the Bootstrap, 8.3 and 8.5). Percentiles of so few parts lie too near: they are
  moved out as far as Student's t lies beyond the normal distribution (the expanded percentile
  interval of Hesterberg, The American Statistician 69(4), 2015, 5.3).
- Where one has fewer parts, or bounds alone, the variances of the two logarithms are added, those
  to either side by themselves (the delta method; with unlike bounds the MOVER of Zou and Donner,
  Statistics in Medicine 27, 2008), and the degrees of freedom are Welch's. Of the extremes of two
  to five figures the deviation is their range over its expectation (Tippett 1925).
- Plateaus with the same working sets are paired set by set: that leaves their shape out of it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.evidence import (
    ENOUGH_PARTS,
    AtPoints,
    Bounds,
    Evidence,
    Observed,
)
from streamgage.analysis.statistics.intervals import NORMAL, median, quantile, welch
from streamgage.tools.compare.pictures import DRAWS, logarithms

_RANGE = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326}
"""Expected range of so many normal figures, in their standard deviations."""
_MEDIAN = {2: 1.0, 3: 1.35, 4: 1.19, 5: 1.43}
"""Variance of the median of so many normal figures over that of their mean (Hojo 1931)."""
_MOST = 300.0
"""Of a logarithm: what reaches farther bounds nothing."""
_MANY = 1e6
"""Degrees of freedom of an interval that is of 95 % already."""


@dataclass(frozen=True)
class Ratio:
    """The ratio; ``low`` and ``high`` bound it with 95 % confidence, null where that is unknown."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class _Scatter:
    """Variances of the logarithm of a median, downwards and upwards."""

    down: float
    up: float
    freedom: float


def ratio_of(first: float, evidence: Evidence, second: float, other: Evidence) -> Ratio:
    """The ratio of ``first`` over ``second`` seconds, both above 0, with what is known of each."""
    if isinstance(evidence, AtPoints) and isinstance(other, AtPoints):
        both = sorted(evidence.seconds.keys() & other.seconds.keys())
        if len(both) > 1:
            return _paired([evidence.seconds[each] / other.seconds[each] for each in both])
    value = first / second
    if isinstance(evidence, Observed) and isinstance(other, Observed):
        if min(_lowest(evidence), _lowest(other)) <= 0:  # a clock that is too coarse for them
            return Ratio(value, None, None)
        if min(len(evidence.parts), len(other.parts)) >= ENOUGH_PARTS:
            return _bootstrap(value, evidence, other)
    one, two = _scatter(first, evidence), _scatter(second, other)
    if one is None or two is None:
        return Ratio(value, None, None)
    return _added(value, one, two)


def _paired(ratios: Sequence[float]) -> Ratio:
    bounds = interval_over_epochs([[each] for each in ratios])
    value = median(sorted(ratios))
    return Ratio(value, bounds.low if bounds else None, bounds.high if bounds else None)


def _lowest(evidence: Observed) -> float:
    return min(part[0] for part in evidence.parts)


def _bootstrap(value: float, one: Observed, other: Observed) -> Ratio:
    above, below = logarithms(one, "above"), logarithms(other, "below")
    differences = sorted(map(operator.sub, above, below))
    m, k = len(one.parts), len(other.parts)
    # Drawing from m parts gives (m - 1)/m of the variance.
    drawn = _variance(above), _variance(below)
    right = drawn[0] * m / (m - 1), drawn[1] * k / (k - 1)
    widened = math.sqrt(sum(right) / sum(drawn)) if sum(drawn) else 1.0
    reach = quantile(welch(right[0], m - 1, right[1], k - 1)) * widened
    cut = int(0.5 * (1 + math.erf(-reach / math.sqrt(2))) * DRAWS)  # of a normal distribution
    low, high = math.exp(differences[cut]), math.exp(differences[-1 - cut])
    return Ratio(value, min(low, value), max(high, value))


def _scatter(value: float, evidence: Evidence) -> _Scatter | None:
    if isinstance(evidence, AtPoints):
        evidence = evidence.otherwise
    if evidence is None:
        return None
    if isinstance(evidence, Bounds):
        return _of_bounds(value, evidence)
    parts = evidence.parts
    if _lowest(evidence) <= 0:
        return None
    if len(parts) >= ENOUGH_PARTS:
        drawn = logarithms(evidence, "alone")
        spread = _variance(drawn) * len(parts) / (len(parts) - 1)
    else:
        spread = _variance([math.log(median(part)) for part in parts])
        spread *= _MEDIAN[len(parts)] / len(parts)
    return _Scatter(spread, spread, len(parts) - 1)


def _variance(values: Sequence[float]) -> float:
    """Of a sample. Python's own is exact to the last bit, and takes far longer."""
    mean = math.fsum(values) / len(values)
    apart = [value - mean for value in values]
    return math.fsum(map(operator.mul, apart, apart)) / (len(values) - 1)


def _of_bounds(value: float, bounds: Bounds) -> _Scatter:
    if bounds.n is not None:
        deviation = (math.log(bounds.high) - math.log(bounds.low)) / _RANGE[bounds.n]
        spread = deviation**2 * _MEDIAN[bounds.n] / bounds.n
        return _Scatter(spread, spread, bounds.n - 1)
    down = max(math.log(value) - math.log(bounds.low), 0.0) / NORMAL
    up = max(math.log(bounds.high) - math.log(value), 0.0) / NORMAL
    return _Scatter(down**2, up**2, _MANY)


def _added(value: float, one: _Scatter, two: _Scatter) -> Ratio:
    """The first one's seconds are above the line, the second one's below it."""
    reaches = [
        min(
            quantile(welch(first, one.freedom, second, two.freedom)) * math.sqrt(first + second),
            _MOST,
        )
        for first, second in ((one.down, two.up), (one.up, two.down))
    ]
    return Ratio(value, value * math.exp(-reaches[0]), value * math.exp(reaches[1]))
