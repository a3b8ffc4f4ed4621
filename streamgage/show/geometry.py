"""The positions of points, bars and ticks of a plot, in the units of its axes.

A picture and a page draw the same: each only has words of its own for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.show.page import RATE, Unit
from streamgage.show.reach import Reach

Place = TypeVar("Place")
_DIGITS = (1, 2, 5)


class Arrow(NamedTuple, Generic[Place]):
    """The end of a bar that goes on beyond the axis."""

    place: Place
    """The place of the figure."""
    at: float
    """The position where the axis ends."""
    text: str
    """The bound that is not on the axis."""
    up: bool


@dataclass(frozen=True)
class Points(Generic[Place]):
    """Figures on their axis, with the bars of their intervals; ``None``: no figure."""

    values: Sequence[float | None]
    below: Sequence[float]
    """How far each bar reaches below its figure."""
    above: Sequence[float]
    arrows: Sequence[Arrow[Place]]


def points_of(
    places: Sequence[Place], figures: Sequence[Estimate | None], reach: Reach, unit: Unit | None
) -> Points[Place]:
    """The figures at these places. Bars end where the axis does, and an arrow says so."""
    unit = unit or RATE
    values: list[float | None] = []
    below: list[float] = []
    above: list[float] = []
    arrows: list[Arrow[Place]] = []
    for place, figure in zip(places, figures, strict=True):
        if figure is None:
            values.append(None)
            below.append(0.0)
            above.append(0.0)
            continue
        span = reach.span(figure)
        values.append(unit.factor * figure.value)
        below.append(max(0.0, unit.factor * (figure.value - span.low)))
        above.append(max(0.0, unit.factor * (span.high - figure.value)))
        for bound, end, up in ((span.above, span.high, True), (span.below, span.low, False)):
            if bound is not None:
                arrows.append(Arrow(place, unit.factor * end, unit.write(bound), up))
    return Points(values, below, above, arrows)


def fourfold_ticks(low: float, high: float) -> list[int]:
    """Sizes on a logarithmic axis: a tick for every fourfold."""
    return [4**power for power in range(3, 24) if low / 1.2 <= 4**power <= 1.2 * high]


def decimal_ticks(low: float, high: float) -> list[float]:
    """Figures on a logarithmic axis: ticks at 1, 2, 5, 10, 20, ..."""
    steps = [digit * 10.0**power for power in range(-3, 7) for digit in _DIGITS]
    return [each for each in steps if low <= each <= high]


def ends_of_counts(counts: Sequence[int]) -> tuple[float, float]:
    """The ends of an axis of counts, with room on either side."""
    room = max(0.3, 0.04 * (counts[-1] - counts[0]))
    return counts[0] - room, counts[-1] + room
