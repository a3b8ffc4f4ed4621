"""The ratio of two figures that were measured separately, with its interval.

The ratio is the first one's seconds divided by the second one's, so above 1 the second is better.
Everything is computed on a logarithmic scale, where a ratio is a difference.

- If both have observations in six parts or more: a bootstrap of both medians. It draws parts with
  all their samples, from each side separately (Efron and Tibshirani, An Introduction to the
  Bootstrap, 8.3 and 8.5). Percentiles of so few parts give an interval that is too narrow. They are
  moved out as far as Student's t lies beyond the normal distribution (the expanded percentile
  interval of Hesterberg, The American Statistician 69(4), 2015, 5.3).
- If one has fewer parts, or only bounds: the variances of the two logarithms are added, as in
  ``analysis/statistics/noise.py``. The range of a machine that drifts counts as that of five parts.
- Plateaus with the same working sets are paired set by set, so their shape has no influence. For
  two to five pairs the interval is that of Student's t on the logarithms. It may reach beyond all
  pairs, as a test of a difference must: a figure has bounds, but a verdict needs confidence.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.evidence import (
    Bounds,
    Evidence,
    Observations,
    PlateauTimes,
)
from streamgage.analysis.statistics.intervals import (
    FEWEST,
    median,
    median_interval,
    quantile,
    welch,
)
from streamgage.analysis.statistics.noise import MEDIAN, Scatter, bounds_of_ratio, scatter_of
from streamgage.comparison.compare.draws import DRAWS, logarithms

_MOST = 300.0
"""The widest half of an interval, as a logarithm: a wider interval says nothing."""


@dataclass(frozen=True)
class Ratio:
    """The ratio; ``low`` and ``high`` bound it with 95 % confidence, ``None`` if unknown."""

    value: float
    low: float | None
    high: float | None


def ratio_of(first: float, evidence: Evidence, second: float, other: Evidence) -> Ratio:
    """The ratio ``first`` / ``second``, both in seconds and above 0, with the evidence for each."""
    if isinstance(evidence, PlateauTimes) and isinstance(other, PlateauTimes):
        both = sorted(evidence.seconds.keys() & other.seconds.keys())
        if len(both) > 1:
            return _paired([evidence.seconds[each] / other.seconds[each] for each in both])
    value = first / second
    if isinstance(evidence, Observations) and isinstance(other, Observations):
        if min(_lowest(evidence), _lowest(other)) <= 0:  # a clock that is too coarse for them
            return Ratio(value, None, None)
        few = min(len(evidence.parts), len(other.parts)) < FEWEST
        if not (few or evidence.drifts or other.drifts):
            return _bootstrap(value, evidence, other)
    one, two = _scatter(first, evidence), _scatter(second, other)
    if one is None or two is None:
        return Ratio(value, None, None)
    return _added(value, one, two)


def _paired(ratios: Sequence[float]) -> Ratio:
    ordered = sorted(ratios)
    value = median(ordered)
    bounds = median_interval(ordered)
    if bounds is not None:
        return Ratio(value, bounds.low, bounds.high)
    n = len(ordered)
    found = [math.log(each) for each in ordered]
    half = min(quantile(n - 1) * math.sqrt(_variance(found) / n), _MOST)
    middle = math.exp(math.fsum(found) / n)
    low, high = middle * math.exp(-half), middle * math.exp(half)
    return Ratio(value, min(low, value), max(high, value))


def _lowest(evidence: Observations) -> float:
    return min(part[0] for part in evidence.parts)


def _bootstrap(value: float, first: Observations, second: Observations) -> Ratio:
    above, below = logarithms(first, "above"), logarithms(second, "below")
    differences = sorted(map(operator.sub, above, below))
    m, k = len(first.parts), len(second.parts)
    # Drawing from m parts gives (m - 1)/m of the variance.
    drawn = _variance(above), _variance(below)
    right = drawn[0] * m / (m - 1), drawn[1] * k / (k - 1)
    widened = math.sqrt(sum(right) / sum(drawn)) if sum(drawn) else 1.0
    reach = quantile(welch(right[0], m - 1, right[1], k - 1)) * widened
    cut = int(0.5 * (1 + math.erf(-reach / math.sqrt(2))) * DRAWS)  # of a normal distribution
    low, high = math.exp(differences[cut]), math.exp(differences[-1 - cut])
    return Ratio(value, min(low, value), max(high, value))


def _scatter(value: float, evidence: Evidence) -> Scatter | None:
    if isinstance(evidence, PlateauTimes):
        evidence = evidence.otherwise
    if evidence is None:
        return None
    if isinstance(evidence, Bounds):
        return scatter_of(value, evidence)
    parts = evidence.parts
    if _lowest(evidence) <= 0:
        return None
    if evidence.drifts and (bounds := evidence.bounds()) is not None:
        return scatter_of(value, Bounds(bounds.low, bounds.high, FEWEST - 1))
    if len(parts) >= FEWEST:
        drawn = logarithms(evidence, "alone")
        spread = _variance(drawn) * len(parts) / (len(parts) - 1)
    else:
        spread = _variance([math.log(median(part)) for part in parts])
        spread *= MEDIAN[len(parts)] / len(parts)
    return Scatter(spread, spread, len(parts) - 1)


def _variance(values: Sequence[float]) -> float:
    """The variance of a sample. Python's own is exact to the last bit, and takes far longer."""
    mean = math.fsum(values) / len(values)
    apart = [value - mean for value in values]
    return math.fsum(map(operator.mul, apart, apart)) / (len(values) - 1)


def _added(value: float, first: Scatter, second: Scatter) -> Ratio:
    """The ratio whose numerator scatters as ``first`` and its denominator as ``second``."""
    return Ratio(value, *bounds_of_ratio(value, first, second))
