"""The interval of a median over fresh allocations of the arrays.

The speed of an allocation depends on its physical pages. Samples on the same pages differ less, so
the samples of one allocation say little about the next run. The median of each epoch is therefore
one observation, and samples inside an epoch do not count as independent. If there are many epochs,
neighbouring ones do not either, because other activity on a host lasts for seconds. They are merged
into a few stretches of the run (batch means; Schmeiser, Operations Research 30, 1982).

Two to five epochs are too few for an interval of 95 %. Their bounds are the range of all samples,
and are called a range. If allocations differ more than samples do, the range of n epochs holds the
median in 1 - 2^(1-n) of all cases; if samples differ more, in nearly all. Student's t on two epochs
would hold it in 95 %, with bounds far beyond every sample (0.9 to 2571 GB/s was seen).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from streamgage.analysis.statistics.intervals import (
    Interval,
    median,
    median_bounds,
    median_interval,
    range_of,
)

MOST_STRETCHES = 8


def interval_over_epochs(epochs: Sequence[Sequence[float]]) -> Interval | None:
    """The bounds of the median, in the unit of the samples; ``None`` for a single sample.

    With six epochs or more, order statistics of their medians give an interval of 95 %. If there
    are more than eight, consecutive epochs are merged into eight stretches first. With two to five
    epochs the bounds are the range of all samples. A single epoch is summarised by its samples: by
    their order statistics, or below six by their range. The bounds hold the median of all samples,
    and lie within the range of all samples.
    """
    filled = [sorted(epoch) for epoch in _stretches([epoch for epoch in epochs if epoch])]
    if not filled:
        return None
    everything = sorted(chain.from_iterable(filled))
    if len(filled) == 1:
        return median_bounds(everything)
    bounds = median_interval(sorted(median(epoch) for epoch in filled))
    if bounds is None:
        return range_of(everything)
    overall = median(everything)
    return Interval(min(bounds.low, overall), max(bounds.high, overall))


def _stretches(epochs: Sequence[Sequence[float]]) -> Sequence[Sequence[float]]:
    if len(epochs) <= MOST_STRETCHES:
        return epochs
    edges = [len(epochs) * i // MOST_STRETCHES for i in range(MOST_STRETCHES + 1)]
    return [
        [value for epoch in epochs[first:last] for value in epoch]
        for first, last in pairwise(edges)
    ]
