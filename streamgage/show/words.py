"""Cells as words, for the formats that are text."""

from __future__ import annotations

from streamgage.show.page import Cell


def words(cell: Cell) -> str:
    """``23.9 ±0.2``: the figure, and the wider half of its interval where that is known."""
    if cell.text or cell.value is None or cell.unit is None:
        return cell.text
    written = cell.unit.write(cell.value)
    if cell.low is None or cell.high is None:
        return f"{written}{cell.unit.suffix}"
    half = max(cell.high - cell.value, cell.value - cell.low)
    return f"{written} ±{cell.unit.half(half, cell.value)}{cell.unit.suffix}"
