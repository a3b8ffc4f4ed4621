"""Whether the memory or the cores are the limit, from a series of thread counts."""

from __future__ import annotations

import msgspec
import pytest
from example_records import MACHINE, MEMORY, good_run, series_records

from streamgage.analysis.saturation import Saturation, saturation_of
from streamgage.records import Disturbance, Sample, Variant
from streamgage.records.run import Run, collect
from streamgage.results.measure.limit import enough, saturation_result, why_open

BYTES = 8 * MEMORY.elements
"""Of one pass of sum."""


def saturation(
    threads: int,
    rates: dict[int, float],
    *,
    kernel: str = "sum",
    latency: float | None = None,
    quota: float | None = None,
    noise: float = 0.001,
    over_whole: float = 1.0,
) -> Saturation:
    """Of one kernel, from its bandwidths by threads, in units of one thread's 10 GB/s."""
    factor = 1 if kernel == "sum" else 3
    seconds = {used: factor * BYTES / (rate * 1e10) for used, rate in rates.items()}
    machine = msgspec.structs.replace(MACHINE, cpu_quota=quota)
    records = series_records(
        threads,
        {kernel: seconds},
        latency=latency,
        machine=machine,
        noise=noise,
        over_whole=over_whole,
    )
    found = saturation_of(collect(records))
    assert found is not None
    return found


def test_two_threads_that_run_twice_as_fast_as_one_are_limited_by_the_cores() -> None:
    found = saturation(2, {1: 1.0, 2: 1.99})
    assert (found.saturated, found.limit, found.enough_threads) == (False, "cores", 2)
    assert found.share == pytest.approx(0.995, abs=0.002)
    assert found.kernels[0].speedup == pytest.approx(1.99, abs=0.01)
    assert found.open_because is None


def test_half_of_the_threads_with_all_the_bandwidth_saturate_the_memory() -> None:
    found = saturation(16, {1: 1.0, 8: 6.0, 16: 6.1})
    assert (found.saturated, found.limit, found.enough_threads) == (True, "memory", 8)
    assert enough(found.kernel, found.enough_threads) == "sum has 90 % of its best with 8 threads"


def test_more_threads_that_are_slower_are_saturated_too() -> None:
    assert saturation(16, {1: 1.0, 8: 6.0, 16: 5.0}).saturated is True


def test_five_percent_a_thread_is_still_rising() -> None:
    assert saturation(4, {1: 1.0, 2: 1.0, 4: 1.16}).saturated is False


def test_a_second_thread_that_adds_little_shows_that_memory_is_the_limit() -> None:
    found = saturation(2, {1: 1.0, 2: 1.08})
    assert found.saturated is True
    assert enough(found.kernel, found.enough_threads) == "sum has 90 % of its best with 1 thread"
    assert saturation(2, {1: 1.0, 2: 1.03}).saturated is True
    assert saturation(2, {1: 1.0, 2: 1.25}).saturated is None


def test_many_threads_that_scale_are_not_saturated_though_each_adds_little() -> None:
    found = saturation(64, {1: 1.0, 32: 30.0, 64: 58.0})
    assert found.kernels[0].rise < 0.05
    assert (found.saturated, found.limit) == (False, "cores")


def test_a_knee_between_the_measured_points_cannot_be_told() -> None:
    found = saturation(64, {1: 1.0, 32: 16.0, 64: 20.0})
    assert (found.saturated, found.limit, found.open_because) == (None, None, "coarse")
    assert "flattens somewhere between 32 and 64 threads" in why(found)


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


def test_in_a_guest_every_kernel_has_to_show_a_full_memory() -> None:
    guest = msgspec.structs.replace(MACHINE, hypervisor="KVM")
    one = {"sum": {1: 0.2, 2: 0.1}, "triad": {1: 0.1, 2: 0.1}}
    found = saturation_of(collect(series_records(2, one, machine=guest)))
    assert found is not None
    assert (found.saturated, found.limit, found.open_because) == (None, None, "kernels-differ")
    both = {"sum": {1: 0.1, 2: 0.1}, "triad": {1: 0.1, 2: 0.1}}
    found = saturation_of(collect(series_records(2, both, machine=guest)))
    assert found is not None
    assert (found.limit, found.open_because) == ("memory", None)


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
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}}, over_whole=1.1)
    (own,) = [each for each in records if getattr(each, "purpose", "") == "rate"]
    assert isinstance(own, Variant)
    samples = [each for each in records if getattr(each, "variant", None) == own.id]
    without = [each for each in records if each not in samples]
    found, alone = saturation_of(collect(records)), saturation_of(collect(without))
    assert found is not None and alone is not None
    assert (found.saturated, found.points) == (alone.saturated, alone.points)
    assert found.row_gbps == pytest.approx(found.points[-1].gbps / 1.1, rel=0.01)
    assert alone.row_gbps is None


def why(found: Saturation) -> str:
    """Why there is no verdict, as a page says it."""
    return why_open(saturation_result(found))


def test_a_verdict_holds_for_all_that_the_noise_leaves_open() -> None:
    """From 1.41 times the bandwidth of one thread on two are said to be limited by the cores."""
    sure = saturation(2, {1: 1.0, 2: 1.9}, noise=0.5)
    assert (sure.limit, sure.open_because) == ("cores", None)
    unsure = saturation(2, {1: 1.0, 2: 1.42}, noise=0.5)
    assert (unsure.saturated, unsure.limit, unsure.open_because) == (None, None, "noise")
    assert saturation(2, {1: 1.0, 2: 1.5}).limit == "cores"
    assert saturation(2, {1: 1.0, 2: 1.08}, noise=0.5).open_because == "noise"


def test_all_threads_far_below_one_are_no_limit_of_the_memory() -> None:
    """32.0 GB/s with one thread and 0.36 with two was called the memory's limit."""
    found = saturation(2, {1: 3.2, 2: 0.036})
    assert (found.saturated, found.limit, found.open_because) == (None, None, "falls")
    assert "2 threads together reach far less than fewer do" in why(found)
    assert saturation(16, {1: 1.0, 8: 6.0, 16: 4.4}).open_because == "falls"


def test_a_series_that_contradicts_its_row_says_nothing() -> None:
    """75.9 GB/s in the series beside 51.5 in the table was seen."""
    found = saturation(2, {1: 5.0, 2: 7.59}, over_whole=75.9 / 51.5)
    assert (found.limit, found.open_because) == (None, "rows-differ")
    assert found.row_gbps == pytest.approx(51.5, rel=0.01)
    assert "has 75.9 GB/s for sum where whole arrays had 51.5" in why(found)
    assert saturation(2, {1: 5.0, 2: 7.59}, over_whole=1.1).limit == "cores"


def test_a_series_that_is_measured_after_the_blocks_is_set_against_them_all_the_same() -> None:
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}}, over_whole=1.5)
    own = next(each.id for each in records if getattr(each, "purpose", "") == "rate")
    later = [
        msgspec.structs.replace(each, block=each.block + 20)
        if isinstance(each, Sample) and each.variant != own
        else each
        for each in records
    ]
    found = saturation_of(collect(later))
    assert found is not None and found.open_because == "rows-differ"


def disturbed(**changes: float | None) -> Saturation:
    """Two threads twice as fast as one, in a run of 10 s on both CPUs."""
    nothing = {"steal_seconds": 0.0, "other_seconds": 0.0, "throttled_seconds": None}
    record = Disturbance(first_block=0, last_block=19, seconds=10.0, **(nothing | dict(changes)))
    found = saturation_of(collect([*series_records(2, {"sum": {1: 0.02, 2: 0.01}}), record]))
    assert found is not None
    return found


def test_a_run_whose_cpus_others_had_says_nothing() -> None:
    busy = disturbed(other_seconds=12.4)
    assert (busy.limit, busy.open_because, busy.taken) == (None, "other-load", 0.62)
    assert why(busy) == "other programs or the hypervisor had 62 % of the CPUs' time"
    assert disturbed(steal_seconds=4.0).open_because == "other-load"
    assert disturbed(throttled_seconds=4.0).open_because == "throttled"
    assert disturbed(other_seconds=0.5, throttled_seconds=0.1).limit == "cores"


def test_threads_that_move_say_nothing() -> None:
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}})

    def moved(every: int) -> Saturation:
        found = saturation_of(
            collect(
                [
                    msgspec.structs.replace(each, moved=1)
                    if isinstance(each, Sample) and each.block % every == 0
                    else each
                    for each in records
                ]
            )
        )
        assert found is not None
        return found

    assert moved(4).open_because == "moved"
    assert moved(15).limit == "cores"


def test_samples_in_two_groups_say_nothing() -> None:
    records = series_records(2, {"sum": {1: 0.02, 2: 0.01}})
    two = max(each.id for each in records if isinstance(each, Variant))

    def slower(every: int) -> Saturation:
        found = saturation_of(
            collect(
                [
                    msgspec.structs.replace(each, seconds=1.2 * each.seconds)
                    if isinstance(each, Sample) and each.variant == two and each.block % every == 0
                    else each
                    for each in records
                ]
            )
        )
        assert found is not None
        return found

    assert slower(3).open_because == "two-modes"
    assert slower(10).limit == "cores"
