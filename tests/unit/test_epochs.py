"""Intervals of a median over fresh allocations."""

from __future__ import annotations

import itertools
import math
import random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.analysis.statistics.epochs import interval_over_epochs
from streamgage.analysis.statistics.intervals import Interval, median, median_interval

TIMES = st.floats(min_value=1e-12, max_value=1e6)


def test_six_epochs_give_the_range_of_their_medians() -> None:
    epochs = [[level - 0.1, level, level + 0.1] for level in (3.0, 6.0, 1.0, 5.0, 2.0, 4.0)]
    assert interval_over_epochs(epochs) == Interval(1.0, 6.0)


def test_epochs_that_follow_each_other_have_no_interval() -> None:
    epochs = [[level - 0.1, level, level + 0.1] for level in range(1, 31)]
    assert interval_over_epochs(epochs) == Interval(0.9, 30.1, "range")
    assert interval_over_epochs([[float(time) for time in range(40)]]) == Interval(0, 39, "range")


def test_skewed_epochs_have_order_statistics_in_place_of_averages() -> None:
    """One of eight stretches is slow: averages with it would say 5."""
    source = random.Random(3)
    levels = [1 + source.gauss(0, 0.01) for _ in range(24)]
    levels[12] = levels[14] = 9.0
    bounds = interval_over_epochs([[level] for level in levels])
    assert bounds is not None
    assert (bounds.high, bounds.bounded_by) == (9.0, "interval")


def test_samples_of_one_epoch_are_all_there_is() -> None:
    times = [1.5, 1.0, 1.6, 1.2, 1.4, 1.1, 1.3]
    assert interval_over_epochs([times]) == median_interval(sorted(times))
    assert interval_over_epochs([[1.0]]) is None
    assert interval_over_epochs([]) is None
    assert interval_over_epochs([[], []]) is None


def test_too_few_epochs_have_the_range_of_their_samples_and_it_is_called_so() -> None:
    two = [[1.0, 0.9, 1.0], [1.4, 1.1]]
    assert interval_over_epochs(two) == Interval(0.9, 1.4, "range")
    assert interval_over_epochs([*two, [1.0], [1.2], [1.5]]) == Interval(0.9, 1.5, "range")
    assert interval_over_epochs([[2.0, 3.0, 1.0]]) == Interval(1.0, 3.0, "range")


def test_two_allocations_far_apart_bound_nothing_that_was_not_seen() -> None:
    """Student's t gave 0.9 to 2571 GB/s for such a run."""
    assert interval_over_epochs([[1 / 75.9], [1 / 30.1]]) == Interval(1 / 75.9, 1 / 30.1, "range")


def test_times_without_length_have_bounds_too() -> None:
    assert interval_over_epochs([[0.0], [1.0]]) == Interval(0.0, 1.0, "range")


@given(st.lists(st.lists(TIMES, min_size=1, max_size=5), min_size=2, max_size=30))
def test_the_bounds_hold_the_median_and_lie_inside_the_samples(epochs: list[list[float]]) -> None:
    bounds = interval_over_epochs(epochs)
    times = sorted(itertools.chain(*epochs))
    assert bounds is not None
    assert times[0] <= bounds.low <= median(times) <= bounds.high <= times[-1]


def simulated(source: random.Random, count: int) -> list[list[float]]:
    """Allocations of a machine whose median is 1: each is off by 3 %, its samples by 0.5 %.

    Something slows down one sample in ten.
    """
    return [
        [
            level * (1 + source.gauss(0, 0.005)) * (2 if source.random() < 0.1 else 1)
            for _ in range(9)
        ]
        for level in (1 + source.gauss(0, 0.03) for _ in range(count))
    ]


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 8, 20, 100])
def test_no_bounds_of_simulated_runs_reach_beyond_their_samples(count: int) -> None:
    source = random.Random(count)
    for _ in range(100):
        epochs = simulated(source, count)
        bounds = interval_over_epochs(epochs)
        assert bounds is not None
        assert min(map(min, epochs)) <= bounds.low <= bounds.high <= max(map(max, epochs))
        assert bounds.bounded_by == "range" or count >= 6


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_range_of_a_few_allocations_holds_as_often_as_that_of_their_medians(count: int) -> None:
    source = random.Random(count)
    held = 0
    for _ in range(400):
        bounds = interval_over_epochs(simulated(source, count))
        assert bounds is not None
        held += bounds.low <= 1.0 <= bounds.high
    assert held / 400 >= 1 - 2 ** (1 - count) - 0.05


MEDIAN_OF_ALL = 1 + NormalDist(0, math.hypot(0.03, 0.005)).inv_cdf(0.5 / 0.9)
"""One sample in ten takes twice as long, so the middle of all is not that of the others."""


@pytest.mark.parametrize("count", [6, 7, 8, 20, 100])
def test_allocations_that_differ_are_covered_as_often_as_is_said(count: int) -> None:
    """Where allocations differ, samples inside them say little: 95 % hold for the epochs."""
    source = random.Random(count)
    held = 0
    for _ in range(400):
        bounds = interval_over_epochs(simulated(source, count))
        assert bounds is not None
        held += bounds.low <= MEDIAN_OF_ALL <= bounds.high
    assert held / 400 >= 0.93


def series(source: random.Random, count: int, apart: float, likeness: float) -> list[list[float]]:
    """Allocations of a machine whose median is 1, each of them like the one before.

    ``apart``: the standard deviation of the allocations; that of their samples is 0.5 %.
    """
    level, epochs = source.gauss(0, 1), []
    for _ in range(count):
        epochs.append([1 + apart * level + source.gauss(0, 0.005) for _ in range(5)])
        level = likeness * level + math.sqrt(1 - likeness**2) * source.gauss(0, 1)
    return epochs


@pytest.mark.parametrize("count", [8, 12, 18, 40])
@pytest.mark.parametrize("likeness", [0.0, 0.3, 0.5, 0.8])
def test_a_machine_that_drifts_is_covered_or_has_a_range(count: int, likeness: float) -> None:
    source = random.Random(5)
    right = 0
    for _ in range(400):
        bounds = interval_over_epochs(series(source, count, 0.01, likeness))
        assert bounds is not None
        right += bounds.bounded_by == "range" or bounds.low <= 1 <= bounds.high
    assert right / 400 >= (0.93 if count > 8 else 0.92)


def test_independent_epochs_are_bounded_more_closely_than_by_order_statistics() -> None:
    source = random.Random(5)
    ours, others, intervals = 0.0, 0.0, 0
    for _ in range(400):
        epochs = series(source, 18, 0.01, 0.0)
        bounds = interval_over_epochs(epochs)
        assert bounds is not None
        medians = sorted(
            median(sorted(itertools.chain(*epochs[18 * n // 8 : 18 * (n + 1) // 8])))
            for n in range(8)
        )
        if bounds.bounded_by == "interval":
            intervals += 1
            ours += bounds.high - bounds.low
            others += medians[-1] - medians[0]
    assert intervals >= 0.9 * 400
    assert ours / others < 1


@pytest.mark.parametrize("likeness", [0.5, 0.8])
def test_samples_of_one_epoch_that_drift_are_covered_or_have_a_range(likeness: float) -> None:
    source = random.Random(5)
    right = 0
    for _ in range(400):
        epochs = series(source, 40, 0.01, likeness)
        bounds = interval_over_epochs([[epoch[0] for epoch in epochs]])
        assert bounds is not None
        right += bounds.bounded_by == "range" or bounds.low <= 1 <= bounds.high
    assert right / 400 >= 0.9
