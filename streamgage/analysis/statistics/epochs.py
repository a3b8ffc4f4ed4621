"""The interval of a median over fresh allocations of the arrays.

Which physical pages an allocation gets changes its speed by more than samples on the same pages
differ, so that samples of one allocation say little of the next run's. The median of each epoch is
one observation; samples inside an epoch are not counted as independent ones. Nor are epochs that
follow each other where there are many: what else a host does lasts for seconds. They are taken
together into a few stretches of the run (batch means; Schmeiser, Operations Research 30, 1982).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, pairwise

from streamgage.analysis.statistics.intervals import Interval, median, median_interval

MOST_STRETCHES = 8
_STUDENT_T = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""97.5 % quantile of Student's t for that many observations (one degree of freedom fewer)."""
_MOST = 700.0
"""Logarithm of about the greatest number that there is."""


def interval_over_epochs(epochs: Sequence[Sequence[float]]) -> Interval | None:
    """95 % interval of the median, in the unit of the samples; null where there are too few.

    From the medians of the epochs, or of eight stretches of epochs that follow each other where
    there are more: by order statistics where there are at least six of them; for
    two to five, where no order statistics reach 95 %, by Student's t. One epoch alone is summarised
    by the order statistics of its samples. The interval always holds the median of all samples.
    """
    filled = [sorted(epoch) for epoch in _stretches([epoch for epoch in epochs if epoch])]
    if not filled:
        return None
    everything = sorted(chain.from_iterable(filled))
    if len(filled) == 1:
        return median_interval(everything)
    middles = sorted(median(epoch) for epoch in filled)
    bounds = median_interval(middles) or _student(middles)
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


def _student(values: Sequence[float]) -> Interval:
    """On the logarithms, so that no bound is below zero; of times without length, their range."""
    if values[0] <= 0:
        return Interval(values[0], values[-1])
    n = len(values)
    logarithms = [math.log(value) for value in values]
    mean = math.fsum(logarithms) / n
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in logarithms) / (n - 1) / n)
    half = _STUDENT_T[n] * spread
    return Interval(math.exp(max(mean - half, -_MOST)), math.exp(min(mean + half, _MOST)))
