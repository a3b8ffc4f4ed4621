"""A figure with its bounds as a cell."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.show.report.parts import Cell
from streamgage.units import format_half_width, format_rate


def bounded_cell(
    figure: Bounded | None, write: Callable[[float], str] = format_rate, *, strong: bool = False
) -> Cell:
    """The value, with its bounds less heavy; a dash where there is none."""
    if figure is None:
        return Cell("–")
    low, high = figure.low, figure.high
    told = "" if low is None or high is None else within(low, high, figure.value, write)
    return Cell(write(figure.value), figure.value, told, strong=strong)


def within(
    low: float, high: float, value: float, write: Callable[[float], str] = format_rate
) -> str:
    """``29.6 to 29.8``; where these would be the same, as of a rate: ``±0.1``, rounded up."""
    if write(low) != write(high):
        return f"{write(low)} to {write(high)}"
    return f"±{format_half_width((high - low) / 2, value)}" if write is format_rate else ""
