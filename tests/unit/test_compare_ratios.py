"""Ratios of figures that were measured apart: their intervals hold what they promise."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from example_sides import noisy_times

from streamgage.analysis.statistics.evidence import (
    Bounds,
    Observations,
    PlateauTimes,
    observations_of,
    rounds_bounds,
)
from streamgage.analysis.statistics.intervals import median, quantile, welch
from streamgage.comparison.compare.draws import DRAWS, SEED, logarithms
from streamgage.comparison.compare.ratio import ratio_of

TRUE = 1.25
Epochs = list[list[float]]


def middle(epochs: Epochs) -> float:
    return median(sorted(time for epoch in epochs for time in epoch))


def of_allocations(seconds: float, seed: int) -> Epochs:
    return noisy_times(seconds, seed)


def of_one_allocation(seconds: float, seed: int) -> Epochs:
    """Now and then something else ran."""
    source = random.Random(seed)
    late = [source.expovariate(30) if source.random() < 0.2 else 0.0 for _ in range(20)]
    return [[seconds * math.exp(source.gauss(0, 0.01) + each) for each in late]]


def of_four_runs(seconds: float, seed: int) -> Epochs:
    source = random.Random(seed)
    return [[seconds * math.exp(source.gauss(0, 0.01))] for _ in range(4)]


@pytest.mark.parametrize("noisy", [of_allocations, of_one_allocation, of_four_runs])
def test_nineteen_of_twenty_intervals_hold_the_true_ratio(
    noisy: Callable[[float, int], Epochs],
) -> None:
    times = 200
    held = 0
    for number in range(times):
        one, other = noisy(1.0, 2 * number), noisy(1 / TRUE, 2 * number + 1)
        found = ratio_of(middle(one), observations_of(one), middle(other), observations_of(other))
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high
        held += found.low <= TRUE <= found.high
    assert 0.9 <= held / times <= 0.99


def test_bounds_that_are_intervals_add_up_on_the_scale_of_logarithms() -> None:
    one, other = Bounds(0.98, 1.02, None), Bounds(0.49, 0.51, None)
    found = ratio_of(1.0, one, 0.5, other)
    assert found.value == pytest.approx(2.0)
    reach = math.hypot(math.log(1.02), math.log(0.5 / 0.49))
    assert found.high == pytest.approx(2 * math.exp(reach), rel=1e-3)
    sure = ratio_of(1.0, one, 0.5, Bounds(0.5, 0.5, None))
    assert (sure.low, sure.high) == pytest.approx((0.98 * 2, 1.02 * 2), rel=1e-3)


def test_the_range_of_two_rounds_bounds_little() -> None:
    few = rounds_bounds(0.99, 1.01, 2)
    many = rounds_bounds(0.99, 1.01, 10)
    assert few is not None
    assert many is not None
    unsure, sure = (ratio_of(1.0, each, 1.0, each) for each in (few, many))
    assert sure.high is not None
    assert unsure.high is not None
    assert math.log(unsure.high) > 3 * math.log(sure.high)


def test_a_single_figure_leaves_no_interval() -> None:
    noisy = of_allocations(1.0, 1)
    found = ratio_of(middle(noisy), observations_of(noisy), 0.5, None)
    assert (found.low, found.high) == (None, None)
    assert observations_of([[1.0]]) is None


def test_times_without_length_leave_no_interval() -> None:
    coarse = observations_of([[0.0, 1.0]] * 8)
    assert ratio_of(1.0, coarse, 1.0, observations_of(of_allocations(1.0, 1))).low is None
    assert ratio_of(1.0, coarse, 1.0, Bounds(0.9, 1.1, None)).low is None


def test_bounds_that_bound_nothing_are_no_failure() -> None:
    """A document may have been written by hand."""
    absurd = rounds_bounds(1e-300, 1e300, 2)
    found = ratio_of(1.0, absurd, 1.0, absurd)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 1e-100
    assert found.high > 1e100
    assert rounds_bounds(2.0, 1.0, 6) is None
    assert rounds_bounds(0.0, 1.0, 6) is None


def test_plateaus_are_paired_at_the_same_working_sets() -> None:
    """A plateau that falls by a half says nothing of noise where the other falls alike."""
    falling = {size: 1.0 + 0.1 * size for size in range(1, 9)}
    twice = {size: seconds / 2 for size, seconds in falling.items()}
    wide = Bounds(1.1, 1.8, 5)
    found = ratio_of(1.45, PlateauTimes(falling, wide), 0.725, PlateauTimes(twice, wide))
    assert (found.low, found.high) == pytest.approx((2, 2))
    apart = PlateauTimes(
        {100 + size: seconds for size, seconds in twice.items()}, Bounds(0.55, 0.9, 5)
    )
    loose = ratio_of(1.45, PlateauTimes(falling, wide), 0.725, apart)
    assert loose.low is not None
    assert loose.low < 1.9


@pytest.mark.parametrize("freedom", [1.0, 1.5, 2.0, 3.7, 10.0, 20.0, 35.0, 1e6])
def test_quantiles_leave_a_fortieth_above_them(freedom: float) -> None:
    """Student's density, summed up from 0 to the quantile in steps that are even in angle."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)
    last = math.atan(quantile(freedom) / math.sqrt(freedom))
    steps = 4000
    total = 0.0
    for step in range(steps):
        angle = last * (step + 0.5) / steps
        total += scale * math.cos(angle) ** (freedom - 1) * math.sqrt(freedom) * last / steps
    assert total == pytest.approx(0.475, abs=1e-3)


def test_degrees_of_freedom_lie_between_the_fewer_and_the_sum() -> None:
    assert welch(1.0, 7, 1.0, 7) == pytest.approx(14)
    assert welch(1.0, 7, 1e-9, 7) == pytest.approx(7, rel=1e-6)
    assert welch(0.0, 3, 0.0, 5) == 3


@pytest.mark.parametrize(
    "sizes", [(1,) * 9, (3, 4, 3, 4, 3, 4), (1, 2, 30, 5, 7, 11, 2, 8), (9, 4000) * 4]
)
@pytest.mark.parametrize("digits", [1, 9])
def test_drawn_medians_are_those_of_the_parts_that_were_drawn(
    sizes: tuple[int, ...], digits: int
) -> None:
    """As if each draw were put together by itself; rounded to few digits, many values are alike."""
    source = random.Random(len(sizes) + digits)
    parts = tuple(
        tuple(sorted(round(source.lognormvariate(0, 0.2), digits) for _ in range(size)))
        for size in sizes
    )
    draws = random.Random(f"{SEED}:above")
    wanted = []
    for _ in range(DRAWS):
        drawn = draws.choices(parts, k=len(parts))
        wanted.append(math.log(median(sorted(time for part in drawn for time in part))))
    assert list(logarithms(Observations(parts), "above")) == wanted
