"""The interval of a median over values that were measured one after another.

The speed of an allocation depends on its physical pages. Samples on the same pages differ less, so
the samples of one allocation say little about the next run. The median of each epoch is therefore
one observation, and samples inside an epoch do not count as independent. Samples of a single epoch
are observations themselves.

Neighbouring observations resemble each other where a machine drifts, because other activity on a
host lasts for seconds. Their correlation says how many independent ones they are worth:

- The correlation leaves no doubt that they are worth eight or more: consecutive observations are
  merged into eight stretches (batch means; Schmeiser, Operations Research 30, 1982), and the Walsh
  averages of the stretches' medians give the interval (Hodges and Lehmann, Annals of Mathematical
  Statistics 34, 1963). They need medians that are about symmetric.
- They may be worth fewer, or the medians are skewed: the interval is that of the order statistics
  of the stretches' medians, widened by the correlation that they may have. So is that of a single
  epoch, with order statistics of its samples.
- They are hardly worth five: there is no interval of 95 %. The machine drifts, and the bounds are
  the range of all samples.

Two to five epochs are too few for an interval of 95 %. Their bounds are the range of all samples,
and are called a range. If allocations differ more than samples do, the range of n epochs holds the
median in 1 - 2^(1-n) of all cases; if samples differ more, in nearly all. Student's t on two epochs
would hold it in 95 %, with bounds far beyond every sample (0.9 to 2571 GB/s was seen).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise

from streamgage.analysis.statistics.intervals import (
    FEWEST,
    Interval,
    median,
    median_bounds,
    median_interval,
    range_of,
)

MOST_STRETCHES = 8
_FEWEST_INDEPENDENT = 4.5
_DOUBT_ERRORS, _SURE_ERRORS = 0.65, 1.5
"""Standard errors by which the correlation that is seen may be too low: so that there is an
interval, and so that nothing is in doubt."""
_MOST_CORRELATION = 0.98
_SAMPLES_OF_SHORT, _MOST_SHORT = 3, 24
_MOST_SKEWED = 0.6
"""From 0, where the median of the stretches is in their middle, to 1, where it is at an end."""
_WALSH_RANKS = {6: 1, 7: 3, 8: 4}
"""Ranks from either end of the ordered Walsh averages of so many values that bound their centre
with 95 %, exact for symmetric ones (Wilcoxon's signed ranks)."""


def interval_over_epochs(epochs: Sequence[Sequence[float]]) -> Interval | None:
    """The bounds of the median, in the unit of the samples; ``None`` for a single sample.

    ``epochs`` and their samples are in the order measured. With six observations or more that do
    not depend on each other too much, the bounds are an interval of 95 %, else the range of all
    samples. The bounds hold the median of all samples, and lie within their range.
    """
    filled = [epoch for epoch in epochs if epoch]
    everything = sorted(chain.from_iterable(filled))
    if not everything:
        return None
    seen = _observations(filled)
    if len(seen) < FEWEST:
        return median_bounds(everything) if len(filled) == 1 else range_of(everything)
    correlation = correlation_of_neighbours(seen)
    error = 1 / math.sqrt(len(seen))
    if independent_of(len(seen), correlation + _DOUBT_ERRORS * error) < _FEWEST_INDEPENDENT:
        return range_of(everything)
    is_sure = independent_of(len(seen), correlation + _SURE_ERRORS * error) >= MOST_STRETCHES
    most = correlation + (0 if is_sure else error)
    if len(filled) == 1:
        bounds = median_interval(everything)
        widened = math.sqrt(len(seen) / independent_of(len(seen), most))
    else:
        medians = sorted(median(sorted(part)) for part in _stretches(filled))
        symmetric = is_sure and _skewness(medians) <= _MOST_SKEWED
        bounds = _walsh(medians) if symmetric else median_interval(medians)
        widened = widening(len(seen), len(medians), most)
    assert bounds is not None  # six values have one
    return _within(everything, bounds, widened)


def drift(epochs: Sequence[Sequence[float]]) -> bool:
    """Return whether neighbours resemble each other so much that all are worth less than five."""
    seen = _observations([epoch for epoch in epochs if epoch])
    correlation = correlation_of_neighbours(seen) if len(seen) >= FEWEST else 0.0
    return len(seen) >= FEWEST and independent_of(len(seen), correlation) < _FEWEST_INDEPENDENT


def _observations(epochs: Sequence[Sequence[float]]) -> list[float]:
    """The medians of the epochs, or those of short stretches of a single one."""
    parts = _short(epochs[0]) if len(epochs) == 1 else epochs
    return [median(sorted(part)) for part in parts]


def _within(everything: Sequence[float], bounds: Interval, widened: float) -> Interval:
    """The bounds, widened from the median of all samples on, within the range of all."""
    overall = median(everything)
    low = overall - widened * max(overall - bounds.low, 0)
    high = overall + widened * max(bounds.high - overall, 0)
    if low < everything[0] and high > everything[-1]:
        return range_of(everything)
    return Interval(max(low, everything[0]), min(high, everything[-1]))


def correlation_of_neighbours(values: Sequence[float]) -> float:
    """The correlation of a value's rank with that of the next one; 0 if all are equal.

    Ranks keep a few values that are far off from hiding it (Spearman). What a short series shows is
    too low, by about (1 + 4 r) / n (Marriott and Pope, Biometrika 41, 1954).
    """
    n = len(values)
    ordered = sorted(values)
    middle = n / 2
    apart = [(bisect_left(ordered, e) + bisect_right(ordered, e)) / 2 - middle for e in values]
    squares = math.fsum(each * each for each in apart)
    shown = math.fsum(one * two for one, two in pairwise(apart)) / squares if squares else 0.0
    return shown + (1 + 4 * shown) / n


def independent_of(count: int, correlation: float) -> float:
    """How many independent values ``count`` values are worth if neighbours correlate."""
    r = _between_0_and_1(correlation)
    return count * (1 - r) / (1 + r)


def widening(count: int, stretches: int, correlation: float) -> float:
    """How many times as wide an interval from stretches is because they depend on each other.

    ``count`` observations, whose neighbours correlate, are merged into so many stretches. The
    variance of the mean of all is compared with what the scatter of the stretches says of it.
    """
    r = _between_0_and_1(correlation)
    length = count / stretches
    inside = 1 + 2 * math.fsum((1 - k / length) * r**k for k in range(1, math.ceil(length)))
    of_all, of_stretch = 1 / independent_of(count, r), inside / length
    seen = max(of_stretch - of_all, 1e-9) / (stretches - 1)
    return max(1.0, math.sqrt(of_all / seen))


def _between_0_and_1(correlation: float) -> float:
    return min(max(correlation, 0.0), _MOST_CORRELATION)


def _walsh(medians: Sequence[float]) -> Interval:
    """The interval of the centre of symmetric values, six to eight of them."""
    averages = sorted((a + b) / 2 for i, a in enumerate(medians) for b in medians[i:])
    rank = _WALSH_RANKS[len(medians)]
    return Interval(averages[rank - 1], averages[-rank])


def _skewness(ordered: Sequence[float]) -> float:
    """How far the median is from the middle of the range: 0 in the middle, 1 at an end."""
    low, high = ordered[0], ordered[-1]
    return abs(low + high - 2 * median(ordered)) / (high - low) if high > low else 0.0


def _short(samples: Sequence[float]) -> list[Sequence[float]]:
    """Short stretches of many samples, which hide less of a drift than single ones; else these."""
    parts = min(len(samples) // _SAMPLES_OF_SHORT, _MOST_SHORT)
    if parts < MOST_STRETCHES:
        return [[each] for each in samples]
    edges = [len(samples) * i // parts for i in range(parts + 1)]
    return [samples[first:last] for first, last in pairwise(edges)]


def _stretches(epochs: Sequence[Sequence[float]]) -> Sequence[Sequence[float]]:
    if len(epochs) <= MOST_STRETCHES:
        return epochs
    edges = [len(epochs) * i // MOST_STRETCHES for i in range(MOST_STRETCHES + 1)]
    return [
        [value for epoch in epochs[first:last] for value in epoch]
        for first, last in pairwise(edges)
    ]
