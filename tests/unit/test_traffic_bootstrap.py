from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.analysis.statistics.bootstrap import bootstrap_median, paired_ratio

VALUES = st.lists(st.floats(0.1, 10), min_size=1, max_size=40)


def test_nothing_has_no_median() -> None:
    assert bootstrap_median([]) is None
    assert paired_ratio({0: 1.0}, {1: 1.0}) is None
    assert paired_ratio({0: 1.0}, {0: 0.0}) is None


@given(VALUES)
def test_the_interval_holds_the_median_and_lies_among_the_values(values: list[float]) -> None:
    found = bootstrap_median(values)
    assert found is not None
    assert min(values) <= found.low <= found.value <= found.high <= max(values)
    assert found == bootstrap_median(values)
    assert found.n == len(values)


def test_few_values_are_bounded_by_their_extremes() -> None:
    found = bootstrap_median([3.0, 1.0, 2.0])
    assert found is not None
    assert (found.low, found.value, found.high) == (1.0, 2.0, 3.0)


def test_pairs_take_out_what_the_machine_did_to_both() -> None:
    speeds = [1 + 0.5 * (block % 7) for block in range(40)]
    above = {block: 3 * speed for block, speed in enumerate(speeds)}
    below = dict(enumerate(speeds))
    found = paired_ratio(above, below)
    assert found is not None
    assert (found.low, found.value, found.high) == pytest.approx((3, 3, 3))


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    source = random.Random(3)
    held = 0
    for _ in range(200):
        found = bootstrap_median([source.gauss(1, 0.1) for _ in range(30)])
        assert found is not None
        held += found.low <= 1 <= found.high
    assert 180 <= held <= 199


def test_slow_drift_widens_the_interval() -> None:
    source = random.Random(5)
    level, drifting = 0.0, []
    for _ in range(60):
        level = 0.9 * level + source.gauss(0, 0.1)
        drifting.append(1 + level)
    shuffled = source.sample(drifting, len(drifting))
    slow, quick = bootstrap_median(drifting), bootstrap_median(shuffled)
    assert slow is not None and quick is not None
    assert slow.high - slow.low > 1.2 * (quick.high - quick.low)
