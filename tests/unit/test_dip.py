from __future__ import annotations

import math
import random

import pytest
from brute_dip import brute_dip
from hypothesis import given, settings
from hypothesis import strategies as st

from streamgage.analysis.statistics.dip import (
    PROBABILITIES,
    SCALED_DIPS,
    dip,
    dip_probability,
    simulate,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 40).map(float), min_size=1, max_size=16))
def test_the_dip_is_that_of_its_definition_with_equal_values(sample: list[float]) -> None:
    assert dip(sorted(sample)) == pytest.approx(max(brute_dip(sample), 0.5 / len(sample)), abs=1e-8)


@pytest.mark.parametrize("seed", range(40))
def test_the_dip_is_that_of_its_definition_for_random_samples(seed: int) -> None:
    source = random.Random(seed)
    n = source.randint(4, 30)
    sample = [source.gauss(source.choice((0, seed % 5)), 1) for _ in range(n)]
    assert dip(sorted(sample)) == pytest.approx(max(brute_dip(sample), 0.5 / n), abs=1e-8)


def test_two_points_far_apart_have_the_greatest_dip() -> None:
    assert dip([0.0] * 500 + [1.0] * 500) == pytest.approx(0.25, abs=1e-3)


def test_evenly_spaced_values_have_the_least_dip() -> None:
    assert dip([float(k) for k in range(50)]) == pytest.approx(1 / 100)


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=40), st.integers(1, 9))
def test_the_dip_does_not_change_with_shift_and_scale(values: list[int], scale: int) -> None:
    ordered = sorted(map(float, values))
    assert dip([scale * x + 3 for x in ordered]) == pytest.approx(dip(ordered))


@pytest.mark.parametrize("n", [20, 50])
def test_the_table_is_what_the_simulation_gives(n: int) -> None:
    # 4000 repetitions scatter the rarer quantiles; a different seed than the table's.
    again = simulate(n, repetitions=4000, seed=1)
    for chance, stored, fresh in zip(PROBABILITIES, SCALED_DIPS[n], again, strict=True):
        if chance >= 0.01:
            assert fresh == pytest.approx(stored, rel=0.03)


@pytest.mark.parametrize(
    ("n", "five_percent", "one_percent"),
    [(20, 0.1051, 0.1206), (50, 0.0703, 0.0812), (100, 0.0511, 0.0590), (200, 0.0368, 0.0427)],
)
def test_the_table_agrees_with_a_published_one(
    n: int, five_percent: float, one_percent: float
) -> None:
    # The 5 % and 1 % points of the dip in the R package diptest (Maechler), from 10^6 samples.
    row = dict(zip(PROBABILITIES, SCALED_DIPS[n], strict=True))
    assert row[0.05] / math.sqrt(n) == pytest.approx(five_percent, rel=0.01)
    assert row[0.01] / math.sqrt(n) == pytest.approx(one_percent, rel=0.01)


def test_probabilities_fall_as_the_dip_grows() -> None:
    source = random.Random(5)
    chances = []
    for distance in (0, 3, 6, 12):
        sample = sorted(source.gauss(distance * (k % 2), 1) for k in range(60))
        chances.append(dip_probability(sample))
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] == PROBABILITIES[-1]


def test_tiny_samples_are_not_judged() -> None:
    assert dip_probability([0.0, 0.0, 1.0, 1.0]) == 1.0


@pytest.mark.parametrize("n", [9, 33, 130, 1000])
def test_sizes_between_and_past_the_rows_are_judged_alike(n: int) -> None:
    source = random.Random(n)
    uniform = sum(
        dip_probability(sorted(source.random() for _ in range(n))) < 0.05 for _ in range(400)
    )
    assert uniform / 400 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)
