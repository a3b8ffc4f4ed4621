from __future__ import annotations

import random

import pytest

from streamgage.analysis.statistics.modes import two_modes


def test_a_few_slow_samples_far_away_are_a_second_mode() -> None:
    source = random.Random(1)
    times = [1 + 0.001 * source.random() for _ in range(26)] + [1.2, 1.201, 1.202, 1.203]
    modes = two_modes(times)
    assert modes is not None
    assert modes.fast == pytest.approx(1.0005, abs=0.001)
    assert modes.slow == pytest.approx(1.2015)
    assert modes.fast_share == pytest.approx(26 / 30)


def test_two_even_halves_are_found_by_the_dip() -> None:
    source = random.Random(2)
    times = [source.gauss(1.0 + 0.1 * (k % 2), 0.01) for k in range(60)]
    modes = two_modes(times)
    assert modes is not None
    assert modes.fast_share == pytest.approx(0.5)
    assert (modes.fast, modes.slow) == pytest.approx((1.0, 1.1), abs=0.01)


def test_a_single_slow_sample_is_no_mode() -> None:
    source = random.Random(3)
    assert two_modes([1 + 0.001 * source.random() for _ in range(29)] + [2.0]) is None


def test_modes_closer_than_the_stopping_rule_resolves_are_none() -> None:
    source = random.Random(4)
    assert two_modes([source.gauss(1.0 + 0.005 * (k % 2), 0.0001) for k in range(60)]) is None


def test_equal_times_and_few_times_have_one_mode() -> None:
    assert two_modes([1.0] * 30) is None
    assert two_modes([1.0, 2.0, 3.0]) is None
    assert two_modes([]) is None


@pytest.mark.parametrize("kind", ["normal", "exponential"])
def test_samples_with_one_mode_are_seldom_called_two(kind: str) -> None:
    source = random.Random(kind)
    wrong = 0
    for _ in range(300):
        spread = [
            source.gauss(0, 1) if kind == "normal" else source.expovariate(1) for _ in range(40)
        ]
        wrong += two_modes([10 + x for x in spread]) is not None
    assert wrong <= 9
