"""The evidence for the noise of one figure.

Figures are held as seconds: of a transfer of 1 GB, of a load, of a program. Times are summarised,
never rates; the ratio of two figures is that of their seconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from streamgage.analysis.statistics.epochs import MOST_STRETCHES, drift, interval_over_epochs
from streamgage.analysis.statistics.intervals import FEWEST, Interval

LEAST, MOST = 1e-30, 1e30
"""The range of seconds that can have been measured; documents with other figures are wrong."""


@dataclass(frozen=True)
class Observations:
    """Seconds in the order measured, in parts that count as independent of each other.

    A part is an allocation of the arrays. If there are many, or only one, it is a stretch of the
    run. If several runs are pooled, it is a whole run.
    """

    parts: tuple[tuple[float, ...], ...]
    """The seconds of each part in ascending order; no part is empty."""
    known: Interval | None = None
    """The bounds by all that the parts are merged from; ``None``: they are those of the parts."""
    drifts: bool = False
    """``True`` if what the parts are merged from depends on what was just before it."""

    @property
    def few(self) -> bool:
        """``True`` if there are too few parts for an interval; only their range is known."""
        return len(self.parts) < FEWEST

    def bounds(self) -> Interval | None:
        """The bounds of the median with 95 % confidence, or the range of all seconds.

        They are a range for a few parts, and for parts of a machine that drifts.
        """
        return self.known or interval_over_epochs(self.parts)


@dataclass(frozen=True)
class Bounds:
    """The bounds from a document that lacks the values behind them.

    ``n``: the number of figures (2 to 5) whose range they are; ``None`` if they are an interval of
    95 %.
    """

    low: float
    high: float
    n: int | None


@dataclass(frozen=True)
class PlateauTimes:
    """The seconds at each working set of a plateau, to be paired with those of another plateau."""

    seconds: Mapping[int, float]
    otherwise: Bounds | None
    """The bounds of the plateau's median, in case the other plateau has other working sets."""


Evidence = Observations | Bounds | PlateauTimes | None
"""The evidence for the noise of a figure; ``None`` for a single figure, whose noise is unknown."""


def within_reason(seconds: float) -> bool:
    """Return whether a time of that length can have been measured."""
    return LEAST < seconds < MOST


def believable(evidence: Evidence) -> Evidence:
    """The evidence; ``None`` if it holds times that cannot have been measured, or such bounds.

    Times of length zero are accepted, because a clock may be too coarse.
    """
    match evidence:
        case Observations():
            ordered = [[value for value in part if value != 0] for part in evidence.parts]
            values = [end for part in ordered if part for end in (part[0], part[-1])]
        case PlateauTimes():
            values = [*evidence.seconds.values()]
        case Bounds():
            values = [evidence.low, evidence.high]
        case None:
            values = []
    return evidence if all(within_reason(value) for value in values) else None


def observations_of(epochs: Sequence[Sequence[float]]) -> Observations | None:
    """The parts of a run with these epochs; ``None`` if there are fewer than two parts.

    If there are more than eight epochs, or samples of a single one, consecutive ones are merged,
    because disturbances of a machine last for a while (batch means, as in ``analysis/epochs.py``).
    """
    filled = [epoch for epoch in epochs if epoch]
    if not filled:
        return None
    before = filled
    if len(filled) == 1:
        filled = [[value] for value in filled[0]]
    if len(filled) < 2:
        return None
    parts = min(len(filled), MOST_STRETCHES)
    edges = [len(filled) * number // parts for number in range(parts + 1)]
    return Observations(
        tuple(
            tuple(sorted(chain.from_iterable(filled[first:last])))
            for first, last in pairwise(edges)
        ),
        interval_over_epochs(before),
        drift(before),
    )


def rounds_bounds(low: float | None, high: float | None, rounds: int) -> Bounds | None:
    """The bounds that studies store: the range of two to five rounds, else of 95 % confidence."""
    if low is None or high is None or not 0 < low <= high < math.inf:
        return None
    return Bounds(low, high, rounds if 2 <= rounds < FEWEST else None)
