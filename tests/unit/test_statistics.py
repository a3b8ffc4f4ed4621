from __future__ import annotations

import math
import random
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import REPOSITORY

from streamgage.analysis.statistics.intervals import (
    interval_rank,
    median_interval,
    summarise,
)


def coverage(n: int, rank: int) -> Fraction:
    """Probability that the rank-th smallest and largest hold the median between them."""
    return 1 - Fraction(2 * sum(math.comb(n, k) for k in range(rank)), 2**n)


@pytest.mark.parametrize("confidence", [Fraction(95, 100), Fraction(99, 100)])
@pytest.mark.parametrize("n", [*range(6, 60), 100, 299, 300])
def test_the_interval_is_the_narrowest_that_covers(n: int, confidence: Fraction) -> None:
    rank = interval_rank(n, confidence)
    if rank is None:
        assert coverage(n, 1) < confidence
        return
    assert coverage(n, rank) >= confidence
    assert coverage(n, rank + 1) < confidence


def test_ranks_are_those_that_the_engine_is_held_to() -> None:
    folder = REPOSITORY / "library" / "streamgage" / "statistics" / "testing"
    table = (folder / "median_interval_ranks.inc").read_text("utf-8")
    rows = re.findall(r"\{(\d+), (\d+), (\d+)\}", table)
    assert rows
    for n, usual, stricter in ((int(each) for each in row) for row in rows):
        assert (interval_rank(n) or 0) == usual, n
        assert (interval_rank(n, Fraction(99, 100)) or 0) == stricter, n


@pytest.mark.parametrize("n", [6, 20, 25, 64])
def test_intervals_of_skewed_times_hold_the_median_as_often_as_promised(n: int) -> None:
    source = random.Random(n)
    held = 0
    for _ in range(4000):
        bounds = median_interval(sorted(source.expovariate(1.0) for _ in range(n)))
        assert bounds is not None
        held += bounds.low <= math.log(2) <= bounds.high
    assert held / 4000 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 4000)


def test_a_summary_of_nothing_is_nothing() -> None:
    assert summarise([]) is None


def test_too_few_samples_have_a_median_but_no_interval() -> None:
    summary = summarise([3.0, 1.0, 2.0, 5.0])
    assert summary is not None
    assert (summary.n, summary.median, summary.mean) == (4, 2.5, 2.75)
    assert (summary.minimum, summary.maximum, summary.interval) == (1.0, 5.0, None)


@given(st.lists(st.floats(1e-9, 1e3), min_size=6, max_size=80))
def test_the_interval_holds_the_median_of_the_samples(times: list[float]) -> None:
    summary = summarise(times)
    assert summary is not None and summary.interval is not None
    assert summary.minimum <= summary.interval.low <= summary.median
    assert summary.median <= summary.interval.high <= summary.maximum
