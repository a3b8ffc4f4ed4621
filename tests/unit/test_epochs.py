"""Intervals of a median over fresh allocations."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.intervals import Interval, median, median_interval

TIMES = st.floats(min_value=1e-12, max_value=1e6)


def test_six_epochs_give_the_range_of_their_medians() -> None:
    epochs = [[level - 0.1, level, level + 0.1] for level in (3.0, 1.0, 2.0, 6.0, 5.0, 4.0)]
    assert interval_over_epochs(epochs) == Interval(1.0, 6.0)


def test_samples_of_one_epoch_are_all_there_is() -> None:
    times = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    assert interval_over_epochs([times]) == median_interval(times)
    assert interval_over_epochs([[1.0]]) is None
    assert interval_over_epochs([]) is None
    assert interval_over_epochs([[], []]) is None


def test_a_few_epochs_are_taken_as_few() -> None:
    two = interval_over_epochs([[1.0] * 50, [1.01] * 50])
    five = interval_over_epochs([[1.0] * 50, [1.01] * 50] * 2 + [[1.005] * 50])
    assert two is not None and five is not None
    assert two.low < 0.95 and two.high > 1.05
    assert 0.99 < five.low < 1.0 and 1.02 > five.high > 1.005


def test_times_without_length_have_bounds_too() -> None:
    assert interval_over_epochs([[0.0], [1.0]]) == Interval(0.0, 1.0)


@given(st.lists(st.lists(TIMES, min_size=1, max_size=5), min_size=2, max_size=30))
def test_the_interval_holds_the_median_and_is_above_zero(epochs: list[list[float]]) -> None:
    bounds = interval_over_epochs(epochs)
    assert bounds is not None
    assert 0 < bounds.low <= median(sorted(itertools.chain(*epochs))) <= bounds.high


@pytest.mark.parametrize("count", [3, 5, 7, 20])
def test_allocations_that_differ_are_covered_as_often_as_is_said(count: int) -> None:
    """Where allocations differ, samples inside them say little: 95 % hold for the epochs."""
    source = random.Random(count)
    held = 0
    for _ in range(400):
        levels = [1.0 + source.gauss(0, 0.03) for _ in range(count)]
        epochs = [[level * (1 + source.gauss(0, 0.005)) for _ in range(9)] for level in levels]
        bounds = interval_over_epochs(epochs)
        assert bounds is not None
        held += bounds.low <= 1.0 <= bounds.high
    assert held >= 0.92 * 400
