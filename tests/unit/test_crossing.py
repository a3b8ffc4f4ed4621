"""Where a rising curve crosses a level follows from the whole curve."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.analysis.crossing import crossing_of, stays_above
from streamgage.analysis.statistics.estimate import Estimate


def exact(*values: float) -> list[Estimate]:
    """Figures without bounds."""
    return [Estimate(value=each, low=None, high=None) for each in values]


def within(*figures: tuple[float, float, float]) -> list[Estimate]:
    """Figures with their bounds."""
    return [Estimate(value=value, low=low, high=high) for value, low, high in figures]


def test_it_lies_between_the_points_around_it() -> None:
    found = crossing_of([1, 2, 3], exact(10, 15, 25), 20).at
    assert found is not None
    assert found.value == pytest.approx(2.5)
    assert (found.low, found.high) == (2, 3)


def test_a_curve_that_stays_below_never_crosses() -> None:
    assert crossing_of([1, 2, 3], exact(10, 11, 12), 20).never
    noisy = within((10, 9, 11), (15, 9, 30), (12, 11, 13))
    assert crossing_of([1, 2, 3], noisy, 20).never, "a later point is surely below"


def test_a_curve_that_falls_again_names_none() -> None:
    found = crossing_of([1, 2, 3, 4], exact(10, 25, 15, 30), 20)
    assert (found.at, found.open_because, found.never) == (None, "falls", False)


@pytest.mark.parametrize(
    "last", [(25.0, 15.0, 40.0), (15.0, 10.0, 40.0)], ids=["above by its median", "below"]
)
def test_ranges_around_the_level_name_none(last: tuple[float, float, float]) -> None:
    found = crossing_of([1, 2, 3], within((10, 9, 11), (18, 10, 35), last), 20)
    assert (found.at, found.open_because, found.unclear) == (None, "wide", (1, 2))


def test_a_later_median_below_the_level_names_none_however_sure_one_point_is() -> None:
    found = crossing_of([1, 2, 3], within((10, 9, 11), (25, 22, 28), (15, 9, 40)), 20)
    assert (found.at, found.open_because) == (None, "wide")


def test_a_curve_that_begins_above_the_level_names_none() -> None:
    assert crossing_of([1, 2], exact(25, 30), 20).open_because == "wide"


def test_no_points_cross_nothing() -> None:
    assert crossing_of([], [], 20).never


def test_enough_is_enough_only_if_no_later_figure_is_surely_less() -> None:
    assert stays_above(exact(20, 25), 20)
    assert stays_above(within((22, 21, 23), (19, 15, 22)), 20)
    assert not stays_above(within((22, 18, 23), (25, 24, 26)), 20)
    assert not stays_above(within((22, 21, 23), (15, 14, 16)), 20)


@given(
    st.lists(st.floats(1, 100), min_size=2, max_size=12),
    st.floats(1, 100),
    st.floats(0, 0.5),
)
def test_a_crossing_is_never_outside_the_points_that_bound_it(
    values: list[float], level: float, width: float
) -> None:
    figures = within(*((each, each * (1 - width), each * (1 + width)) for each in values))
    found = crossing_of(list(range(len(values))), figures, level)
    if found.at is not None:
        assert found.at.low is not None and found.at.high is not None
        assert found.at.low <= found.at.value <= found.at.high
        assert all(each >= level for each in values[round(found.at.high) :])
