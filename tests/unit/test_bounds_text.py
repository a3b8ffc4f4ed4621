"""How a figure is written with its bounds."""

from __future__ import annotations

import pytest

from streamgage.show.page import (
    NANOSECONDS,
    RATE,
    SHARE,
    Cell,
    Unit,
    bounds_text,
    figure_text,
    words,
)


def test_near_bounds_are_a_half_width() -> None:
    assert figure_text(47.9, 47.2, 48.5) == "47.9 ±0.7"
    assert words(Cell(value=47.9, low=47.2, high=48.5, unit=RATE)) == "47.9 ±0.7"


def test_bounds_a_fifth_of_the_figure_apart_are_shown_themselves() -> None:
    assert figure_text(20.0, 18.0, 22.0) == "20.0 ±2.0"
    assert figure_text(20.0, 17.9, 22.0) == "17.9 to 22.0"
    assert words(Cell(value=13.2, low=10.1, high=18.2, unit=RATE)) == "10.1 to 18.2"


def test_lopsided_bounds_are_shown_themselves_where_it_matters() -> None:
    assert figure_text(47.9, 44.0, 48.1) == "44.0 to 48.1"
    assert figure_text(47.9, 47.7, 48.0) == "47.9 ±0.2"
    assert figure_text(47.9, 46.9, 49.9) == "47.9 ±2.0"


@pytest.mark.parametrize(
    ("unit", "value", "low", "high", "text"),
    [
        (NANOSECONDS, 89.4e-9, 80.1e-9, 120e-9, "80.1 to 120"),
        (SHARE, 0.5, 0.4, 0.55, "40 % to 55 %"),
        (RATE, 0.0, 0.0, 0.0, "±0.00"),
    ],
)
def test_the_unit_writes_the_bounds(
    unit: Unit, value: float, low: float, high: float, text: str
) -> None:
    assert bounds_text(low, high, value, unit) == text


def test_a_figure_without_bounds_stands_alone() -> None:
    assert figure_text(47.9, None, None) == "47.9"
