"""The evidence for the noise of one figure.

A figure is held as seconds: of a transfer of 1 GB, of a load, of a program. Times are summarised,
never rates, and the ratio of two figures is that of their seconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from streamgage.analysis.statistics.epochs import MOST_STRETCHES, interval_over_epochs
from streamgage.analysis.statistics.intervals import FEWEST, Interval

LEAST, MOST = 1e-30, 1e30
"""Seconds of a figure; what a document has beyond them was never measured."""


@dataclass(frozen=True)
class Observed:
    """Seconds in the order measured, in parts that count as independent of each other.

    A part is an allocation of the arrays, a stretch of the run if there are many of them or one
    alone, or a whole run where several are pooled.
    """

    parts: tuple[tuple[float, ...], ...]
    """Each ascending, none empty."""

    @property
    def few(self) -> bool:
        """``True`` if there are too few parts for an interval: their range is what is known."""
        return len(self.parts) < FEWEST

    def bounds(self) -> Interval | None:
        """Bounds of the median with 95 % confidence; of a few parts their range."""
        return interval_over_epochs(self.parts)


@dataclass(frozen=True)
class Bounds:
    """Bounds that a document gives, without what they come from.

    ``n`` figures whose range they are (2 to 5); None if they are an interval of 95 %.
    """

    low: float
    high: float
    n: int | None


@dataclass(frozen=True)
class AtPoints:
    """Seconds at each working set of a plateau, to pair with those of another plateau."""

    seconds: Mapping[int, float]
    otherwise: Bounds | None
    """Bounds of the plateau's median, for use if the other one lacks the same working sets."""


Evidence = Observed | Bounds | AtPoints | None
"""``None`` stands for a single figure, whose noise is unknown."""


def within_reason(seconds: float) -> bool:
    """Return whether something of that length may have been measured."""
    return LEAST < seconds < MOST


def believable(evidence: Evidence) -> Evidence:
    """The evidence; None if it holds what was never measured, or a bound beyond all reason.

    Times without length are left in: a clock may be too coarse.
    """
    match evidence:
        case Observed():
            ordered = [[value for value in part if value != 0] for part in evidence.parts]
            values = [end for part in ordered if part for end in (part[0], part[-1])]
        case AtPoints():
            values = [*evidence.seconds.values()]
        case Bounds():
            values = [evidence.low, evidence.high]
        case None:
            values = []
    return evidence if all(within_reason(value) for value in values) else None


def observed(epochs: Sequence[Sequence[float]]) -> Observed | None:
    """The parts of a run with these epochs; None if there are fewer than two parts.

    Where there are more than eight epochs, or samples of the only one, those that follow each other
    are taken together: what else a machine does lasts (batch means, as in ``analysis/epochs.py``).
    """
    filled = [epoch for epoch in epochs if epoch]
    if len(filled) == 1:
        filled = [[value] for value in filled[0]]
    if len(filled) < 2:
        return None
    parts = min(len(filled), MOST_STRETCHES)
    edges = [len(filled) * number // parts for number in range(parts + 1)]
    return Observed(
        tuple(
            tuple(sorted(chain.from_iterable(filled[first:last])))
            for first, last in pairwise(edges)
        )
    )


def rounds_bounds(low: float | None, high: float | None, rounds: int) -> Bounds | None:
    """Bounds as studies give them: the range of two to five rounds, else of 95 %."""
    if low is None or high is None or not 0 < low <= high < math.inf:
        return None
    return Bounds(low, high, rounds if 2 <= rounds < FEWEST else None)
