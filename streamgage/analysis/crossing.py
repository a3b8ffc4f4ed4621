"""Where a curve that physics lets only rise crosses a level, by the whole curve.

A single noisy point names no crossing. Each point has a range, by which it is surely below the
level, surely above it, or neither. The crossing lies between the last point that is surely below
and the first that is surely above. It has no name if the curve falls below the level again, if no
point is surely above, or if none is surely below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from streamgage.analysis.statistics.estimate import Estimate

Open = Literal["falls", "wide"]
"""Why a crossing has no name. ``falls``: a point is above the level, and a later one below it.
``wide``: the ranges of points reach both below and above it."""


@dataclass(frozen=True)
class Crossing:
    """The crossing of a level, or why there is none."""

    at: Estimate | None
    """Where the curve crosses it: interpolated between the medians, with the places of the points
    that bound it."""
    open_because: Open | None = None
    """Why it is unknown where, or whether, the curve crosses the level."""
    unclear: tuple[int, ...] = ()
    """The numbers of the points that are neither surely below nor surely above."""

    @property
    def never(self) -> bool:
        """Return whether the curve surely stays below the level."""
        return self.at is None and self.open_because is None


def crossing_of(places: Sequence[float], figures: Sequence[Estimate], level: float) -> Crossing:
    """Find where a rising curve crosses ``level``.

    ``places``: where each point stands, such as its bandwidth. ``figures``: from the first point to
    the last. A figure without bounds is taken as exact.
    """
    below = [n for n, each in enumerate(figures) if _high(each) < level]
    above = [n for n, each in enumerate(figures) if _low(each) >= level]
    known = {*below, *above}
    unclear = tuple(n for n in range(len(figures)) if n not in known)
    if above and below and below[-1] > above[0]:
        return Crossing(None, "falls", unclear)
    if not above:
        ends_below = not figures or below[-1:] == [len(figures) - 1]
        return Crossing(None, None if ends_below else "wide", unclear)
    if not below or any(each.value < level for each in figures[above[0] :]):
        return Crossing(None, "wide", unclear)
    first, last = below[-1], above[0]
    value = _interpolated(places[first : last + 1], figures[first : last + 1], level)
    ends = sorted((places[first], places[last]))
    return Crossing(
        Estimate(value=value, low=ends[0], high=ends[1], bounded_by="range"),
        None,
        tuple(n for n in unclear if first < n < last),
    )


def stays_above(figures: Sequence[Estimate], level: float) -> bool:
    """Return whether the first figure is surely at or above ``level``, and no later one below."""
    return _low(figures[0]) >= level and all(_high(each) >= level for each in figures)


def _interpolated(places: Sequence[float], figures: Sequence[Estimate], level: float) -> float:
    """The place at which the medians, made to rise, reach the level."""
    rising = list(accumulate((each.value for each in figures), max))
    for (x0, y0), (x1, y1) in pairwise(zip(places, rising, strict=True)):
        if y0 < level <= y1:
            return x0 + (level - y0) / (y1 - y0) * (x1 - x0)
    return places[-1]


def _low(figure: Estimate) -> float:
    return figure.value if figure.low is None else figure.low


def _high(figure: Estimate) -> float:
    return figure.value if figure.high is None else figure.high
