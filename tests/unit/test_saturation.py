"""Whether the memory or the cores are the limit, from a series of thread counts."""

from __future__ import annotations

import msgspec
import pytest
from example_records import MACHINE, MEMORY, good_run, series_records

from streamgage.analysis.saturation import Saturation, saturation_of
from streamgage.records import Sample, Variant
from streamgage.records.run import Run, collect

BYTES = 8 * MEMORY.elements
"""Of one pass of sum."""


def saturation(
    threads: int,
    rates: dict[int, float],
    *,
    kernel: str = "sum",
    latency: float | None = None,
    quota: float | None = None,
) -> Saturation:
    """Of one kernel, from its bandwidths by threads, in units of one thread's 10 GB/s."""
    factor = 1 if kernel == "sum" else 3
    seconds = {used: factor * BYTES / (rate * 1e10) for used, rate in rates.items()}
    machine = msgspec.structs.replace(MACHINE, cpu_quota=quota)
    run = collect(series_records(threads, {kernel: seconds}, latency=latency, machine=machine))
    found = saturation_of(run)
    assert found is not None
    return found


def test_two_threads_that_run_twice_as_fast_as_one_are_limited_by_the_cores() -> None:
    found = saturation(2, {1: 1.0, 2: 1.99})
    assert (found.saturated, found.limit, found.enough_threads) == (False, "cores", 2)
    assert found.share == pytest.approx(0.995, abs=0.002)
    assert found.kernels[0].speedup == pytest.approx(1.99, abs=0.01)
    assert found.reason == "sum runs 1.99 times as fast with 2 threads as with 1, and still rises"


def test_half_of_the_threads_with_all_the_bandwidth_saturate_the_memory() -> None:
    found = saturation(16, {1: 1.0, 8: 6.0, 16: 6.1})
    assert (found.saturated, found.limit, found.enough_threads) == (True, "memory", 8)
    assert found.reason == "sum has 90 % of its best with 8 threads"


def test_more_threads_that_are_slower_are_saturated_too() -> None:
    assert saturation(16, {1: 1.0, 8: 6.0, 16: 5.0}).saturated is True


def test_five_percent_a_thread_is_still_rising() -> None:
    assert saturation(4, {1: 1.0, 2: 1.0, 4: 1.16}).saturated is False


def test_a_second_thread_that_adds_little_shows_that_memory_is_the_limit() -> None:
    found = saturation(2, {1: 1.0, 2: 1.08})
    assert found.saturated is True
    assert found.reason == "sum has 90 % of its best with 1 thread"
    assert saturation(2, {1: 1.0, 2: 1.03}).saturated is True
    assert saturation(2, {1: 1.0, 2: 1.25}).saturated is None


def test_many_threads_that_scale_are_not_saturated_though_each_adds_little() -> None:
    found = saturation(64, {1: 1.0, 32: 30.0, 64: 58.0})
    assert found.kernels[0].rise < 0.05
    assert (found.saturated, found.limit) == (False, "cores")


def test_a_knee_between_the_measured_points_cannot_be_told() -> None:
    found = saturation(64, {1: 1.0, 32: 16.0, 64: 20.0})
    assert (found.saturated, found.limit) == (None, None)
    assert "flattens somewhere between 32 and 64 threads" in found.reason


def test_a_quota_below_the_threads_is_the_limit() -> None:
    assert saturation(4, {1: 1.0, 2: 1.9, 4: 2.0}, quota=2.0).limit == "quota"
    assert saturation(4, {1: 1.0, 2: 1.9, 4: 2.0}, quota=4.0).limit == "memory"


def test_lines_in_flight_follow_littles_law() -> None:
    found = saturation(2, {1: 2.13, 2: 4.2}, latency=150e-9)
    assert found.lines_in_flight == pytest.approx(21.3e9 * 150e-9 / 64, rel=0.005)
    assert found.latency_seconds == 150e-9


def test_stores_tell_nothing_of_lines_in_flight() -> None:
    assert saturation(2, {1: 1.0, 2: 1.9}, kernel="triad", latency=1e-7).lines_in_flight is None
    assert saturation(2, {1: 1.0, 2: 1.9}).lines_in_flight is None


def test_one_kernel_that_saturates_is_enough() -> None:
    seconds = {"sum": {1: 0.2, 2: 0.1}, "triad": {1: 0.1, 2: 0.1}}
    found = saturation_of(collect(series_records(2, seconds)))
    assert found is not None
    assert (found.saturated, found.limit) == (True, "memory")
    states = [each and each.saturated for each in (found.of("sum"), found.of("triad"))]
    assert states == [False, True]
    assert found.of("copy") is None


def test_points_have_rates_and_intervals() -> None:
    points = saturation(4, {1: 1.0, 2: 2.0, 4: 4.0}).points
    assert [(point.kernel, point.threads) for point in points] == [
        *(("sum", 1), ("sum", 2), ("sum", 4))
    ]
    for point in points:
        assert point.gbps == pytest.approx(10 * point.threads, rel=0.002)
        assert point.interval is not None
        assert point.interval.low <= point.gbps <= point.interval.high


def test_a_part_of_the_elements_counts_as_such() -> None:
    records = series_records(2, {"sum": {1: 0.01, 2: 0.01}})
    half = [
        msgspec.structs.replace(each, elements=MEMORY.elements // 2)
        if getattr(each, "purpose", "") == "series" and getattr(each, "threads", 0) == 1
        else each
        for each in records
    ]
    found = saturation_of(collect(half))
    assert found is not None
    assert found.kernels[0].speedup == pytest.approx(2.0, rel=0.002)


def test_without_a_series_there_is_nothing_to_say() -> None:
    assert saturation_of(good_run()) is None
    assert saturation_of(Run()) is None
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}})
    assert saturation_of(collect(records)) is not None
    _, one, two = (each.id for each in records if isinstance(each, Variant))
    for left_out in (one, two):
        unfinished = [each for each in records if getattr(each, "variant", None) != left_out]
        assert saturation_of(collect(unfinished)) is None


def test_the_kernels_own_rate_is_no_point_of_the_series() -> None:
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}})
    (own,) = [each for each in records if getattr(each, "purpose", "") == "rate"]
    assert isinstance(own, Variant)
    samples = [each for each in records if getattr(each, "variant", None) == own.id]
    without = [each for each in records if each not in samples]
    faster = [
        msgspec.structs.replace(each, seconds=each.seconds / 50)
        for each in samples
        if isinstance(each, Sample)
    ]
    found = saturation_of(collect(records))
    assert found is not None
    assert found == saturation_of(collect(without)) == saturation_of(collect([*without, *faster]))
