"""An interval that may be looked at after every pair: coverage and power on made series."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from streamgage.analysis.statistics.paired_sequence import excludes, interval, log_capital

ALPHA = 0.05
SERIES = 300
LONGEST = 80


def normal(rng: random.Random) -> float:
    return rng.gauss(0, 1)


def heavy(rng: random.Random) -> float:
    """Student's t with two degrees of freedom, which has no variance."""
    return rng.gauss(0, 1) / math.sqrt(rng.expovariate(1))


def drawn_apart(rng: random.Random) -> float:
    """The difference of two equal skewed times."""
    return rng.lognormvariate(0, 1) - rng.lognormvariate(0, 1)


@pytest.mark.parametrize("noise", [normal, heavy, drawn_apart])
def test_equal_programs_are_seldom_said_to_differ_however_often_one_looks(
    noise: Callable[[random.Random], float],
) -> None:
    rng = random.Random(7)
    found = 0
    for _ in range(SERIES):
        seen: list[float] = []
        for _ in range(LONGEST):
            seen.append(noise(rng))
            if excludes(seen, 0.0, ALPHA):
                found += 1
                break
    assert found <= ALPHA * SERIES


def test_a_shift_as_great_as_the_noise_is_found_within_some_thirty_pairs() -> None:
    rng = random.Random(8)
    found = sum(
        excludes([1.0 + rng.gauss(0, 1) for _ in range(30)], 0.0, ALPHA) for _ in range(SERIES)
    )
    assert found >= 0.9 * SERIES


def test_the_interval_holds_the_shift_and_gets_narrower() -> None:
    rng = random.Random(9)
    seen = [0.03 + rng.gauss(0, 0.05) for _ in range(400)]
    wide, narrow = interval(seen[:40], ALPHA), interval(seen, ALPHA)
    assert wide is not None and narrow is not None
    assert wide[0] < narrow[0] < 0.03 < narrow[1] < wide[1]
    assert excludes(seen, narrow[0] - 1e-6, ALPHA) and not excludes(seen, 0.03, ALPHA)


def test_few_or_equal_differences() -> None:
    assert interval([], ALPHA) is None
    assert interval([1.0] * 4, ALPHA) is None
    low, high = interval([0.5] * 40, ALPHA) or (0.0, 0.0)
    assert low == pytest.approx(0.5) and high == pytest.approx(0.5)
    assert interval([0.0] * 40, ALPHA) is not None


def test_no_bet_is_won_on_a_shift_that_nothing_speaks_against() -> None:
    assert log_capital([], 0.0) == pytest.approx(0.0)
    assert log_capital([0.0] * 20, 0.0) == pytest.approx(0.0)
    assert log_capital([1.0, -1.0] * 20, 0.0) < 0
