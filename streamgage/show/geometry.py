"""The positions of points, bars and ticks of a plot, in the units of its axes.

Pictures and HTML pages draw the same positions, each with its own library.
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
    """The arrow at the end of a bar whose bound lies beyond the axis."""

    place: Place
    """The position of the figure along the other axis."""
    at: float
    """The position where the axis ends."""
    text: str
    """The bound that lies beyond the axis, in words."""
    up: bool


@dataclass(frozen=True)
class Points(Generic[Place]):
    """Figures in the axis' unit, with the bars of their intervals; ``None`` is a missing figure."""

    values: Sequence[float | None]
    below: Sequence[float]
    """How far each bar reaches below its figure; ``above`` likewise."""
    above: Sequence[float]
    arrows: Sequence[Arrow[Place]]


def points_of(
    places: Sequence[Place], figures: Sequence[Estimate | None], reach: Reach, unit: Unit | None
) -> Points[Place]:
    """Position the figures at these places. Bars end where the axis does, and an arrow says so."""
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
    """The ticks of a logarithmic axis of sizes in bytes: one for every factor of four."""
    return [4**power for power in range(3, 24) if low / 1.2 <= 4**power <= 1.2 * high]


def decimal_ticks(low: float, high: float) -> list[float]:
    """The ticks of a logarithmic axis of figures: 1, 2, 5, 10, 20, ..."""
    steps = [digit * 10.0**power for power in range(-3, 7) for digit in _DIGITS]
    return [each for each in steps if low <= each <= high]


def ends_of_counts(counts: Sequence[int]) -> tuple[float, float]:
    """The ends of an axis of counts, with room on both sides."""
    room = max(0.3, 0.04 * (counts[-1] - counts[0]))
    return counts[0] - room, counts[-1] + room
