"""The range of an axis: it includes every bound, except bounds that say nothing.

An interval of very few figures may be endless. An axis that contained it would flatten all else, so
such a bound is cut at the end of the axis and marked with an arrow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from streamgage.analysis.statistics.estimate import Estimate

_ABSURD = 3.0
"""A bound is cut if it exceeds the greatest figure by more than this factor."""
_ABSURD_ON_LOG = 30.0
"""The same factor for a logarithmic axis, which has more room. It also limits how small a bound may
be."""
_ROOM = 1.05
_AROUND_DOTS = 0.12
"""The margin on either side of dots, as a share of their range; if all are equal, of the value."""


@dataclass(frozen=True)
class Span:
    """The part of an interval that an axis shows."""

    low: float
    high: float
    below: float | None = None
    """The lower bound itself, if the axis ends above it."""
    above: float | None = None
    """The upper bound itself, if the axis ends below it."""


@dataclass(frozen=True)
class Reach:
    """The range of an axis: it holds all figures, and the bounds within ``least`` and ``most``."""

    low: float
    high: float
    least: float
    most: float

    @property
    def end(self) -> float:
        """The end of a linear axis, a little above everything on it."""
        return _ROOM * self.high

    def span(self, estimate: Estimate) -> Span:
        """The interval of an estimate, cut where it leaves the axis."""
        low, high = _bounds(estimate)
        below = low < self.least
        above = high > self.most
        return Span(
            self.low if below else low,
            self.high if above else high,
            low if below else None,
            high if above else None,
        )

    def cuts(self, estimates: Iterable[Estimate | None]) -> bool:
        """Return whether the interval of any estimate leaves the axis."""
        spans = [self.span(each) for each in estimates if each is not None]
        return any(each.below is not None or each.above is not None for each in spans)


def reach_of(estimates: Iterable[Estimate | None], *, log: bool = False) -> Reach:
    """The range of an axis that shows these estimates; it ends at 1 if there are none.

    A linear axis begins at 0, because rates, times and ratios are never negative.
    """
    known = [each for each in estimates if each is not None]
    if not known:
        return Reach(0.1 if log else 0.0, 1.0, 0.0, 1.0)
    values = [each.value for each in known]
    bounds = [bound for each in known for bound in _bounds(each)]
    least = min(values) / _ABSURD_ON_LOG if log else 0.0
    most = max(values) * (_ABSURD_ON_LOG if log else _ABSURD)
    inside = [*values, *(each for each in bounds if least <= each <= most)]
    return Reach(min(inside) if log else min(0.0, *values), max(inside), least, most)


def ends_of_dots(values: Collection[float]) -> tuple[float, float]:
    """The ends of the axis of dots.

    It begins at 0 if the dots come near 0, else a little below them.
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = _AROUND_DOTS * (high - low) or _AROUND_DOTS * high
    return max(0.0, low - room), high + room


def _bounds(estimate: Estimate) -> tuple[float, float]:
    """The bounds of an estimate; its figure if it has none."""
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    return low, high
