"""Ladders: the working sets, the caches in use, and the levels that a curve shows."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from example_ladder import (
    CPUS,
    HERTZ,
    KIB,
    MIB,
    RATES,
    asked_of,
    by_capacity,
    ladder_of,
    machine_of,
    rung_run,
    rungs_of,
)
from example_machines import GIB
from example_topologies import Counts, regular

from streamgage.analysis.hierarchy import LevelInUse, Mode, last_cpu_cache, levels_in_use
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import CoreClock, Machine, MemorySideCache
from streamgage.records.run import Run
from streamgage.results.kinds import words_of
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint
from streamgage.results.ladder.findings import CHECKS
from streamgage.results.ladder.judge import Rung, judge_ladder, steps_of
from streamgage.results.ladder.page import missing
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.results.working_sets import working_sets

MACHINE = machine_of()
"""L1 32 KiB and L2 1 MiB a core, L3 8 MiB for all four, as example_topologies has them."""


def curve_of(answer: Ladder, mode: Mode) -> LadderCurve:
    return next(each for each in answer.curves if each.mode == mode)


def points_by(figures: dict[int, float]) -> list[LadderPoint]:
    return [
        LadderPoint(bytes=size, gbps=Estimate(value=gbps, low=gbps, high=gbps), rounds=1, samples=5)
        for size, gbps in sorted(figures.items())
    ]


@pytest.mark.parametrize("sharers", [1, 2, 7, 64])
@pytest.mark.parametrize("steps", [1, 3, 8])
def test_working_sets_ascend_evenly_and_can_be_shared(sharers: int, steps: int) -> None:
    low, high = 8 * KIB * sharers, 64 * MIB
    sizes = working_sets(low, high, steps, sharers)
    assert sizes == sorted(set(sizes))
    assert sizes[0] >= 0.8 * low and 0.95 * high < sizes[-1] <= high
    for size in sizes:
        for arrays in (1, 2, 3, 4):
            assert size % (arrays * 128 * sharers) == 0
    for one, other in pairwise(sizes):
        assert other / one < 2 ** (1 / steps) * 1.2


def test_one_working_set_is_enough() -> None:
    assert working_sets(1536, 1536, 3) == [1536]
    assert working_sets(64, 64, 3) == [64]


def test_a_mode_has_the_caches_that_its_threads_use() -> None:
    machine = regular(Counts(packages=2, cores=4, smt=2))

    def sizes(cpus: tuple[int, ...], mode: Mode) -> dict[str, int]:
        return {each.name: each.bytes for each in levels_in_use(machine, cpus, mode)}

    one = sizes((0,), "sequential")
    assert sizes(tuple(range(8)), "sequential") == one
    assert sizes((0, 1), "worksharing") == {
        "L1": 2 * one["L1"],
        "L2": 2 * one["L2"],
        "L3": one["L3"],
    }
    assert sizes(tuple(range(8)), "worksharing")["L3"] == 2 * one["L3"]
    assert sizes(tuple(range(8)), "throughput") == one | {"L3": one["L3"] // 4}
    # Two hardware threads of a core share all its caches.
    assert sizes((0, 8), "throughput")["L1"] == one["L1"] // 2


def test_every_level_has_its_plateau_and_ends_where_its_cache_does() -> None:
    answer = ladder_of(MACHINE)
    for mode in ("sequential", "worksharing", "throughput"):
        curve = curve_of(answer, mode)
        assert [step.level for step in curve.steps] == ["L1", "L2", "L3", "memory"]
        threads = curve.threads
        for step, level in zip(curve.steps[:-1], levels_in_use(MACHINE, CPUS, mode), strict=True):
            assert step.gbps.value == pytest.approx(RATES[step.level] * threads, rel=0.01)
            assert step.claimed_bytes == level.bytes
            assert step.effective_bytes is not None
            assert 0.85 * level.bytes < step.effective_bytes < 1.35 * level.bytes
            assert step.bytes_per_cycle == pytest.approx(
                step.gbps.value * 1e9 / HERTZ / threads, rel=1e-6
            )
        assert curve.steps[-1].effective_bytes is None
        assert curve.steps[-1].claimed_bytes is None
        assert curve.steps[-1].gbps.value == pytest.approx(
            RATES["memory"] * min(threads, 2), rel=0.01
        )


def test_a_cache_that_is_smaller_than_it_claims_is_found() -> None:
    answer = ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.3),
    )
    last = curve_of(answer, "sequential").steps[2]
    assert last.level == "L3" and last.effective_bytes is not None and last.claimed_bytes
    assert 0.25 < last.effective_bytes / last.claimed_bytes < 0.4
    (finding,) = words_of(answer).findings
    assert (finding.code, finding.severity) == ("smaller-cache", "note")
    assert "L3 claims" in finding.text and "other guests use it too" in finding.text
    own = {"hidden-cache", "smaller-cache", "memory-side-cache", "other-load"}
    own |= {"uneven-kernels"}  # of a table of another benchmark: test_members.py
    assert {code for code, _ in CHECKS if code not in dict((*OF_RUNS, *OF_OUTPUT))} == own


def test_no_cache_is_called_smaller_where_noise_hides_its_end() -> None:
    answer = ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.3),
    )
    busy = msgspec.structs.replace(answer, taken=0.3)
    assert [each.code for each in words_of(busy).findings] == ["other-load"]
    curve = curve_of(answer, "sequential")
    *faster, cache, memory = curve.steps
    noisy = msgspec.structs.replace(
        cache, gbps=msgspec.structs.replace(cache.gbps, low=0.9 * memory.gbps.value)
    )
    curves = [msgspec.structs.replace(curve, steps=[*faster, noisy, memory])]
    assert words_of(msgspec.structs.replace(answer, curves=curves)).findings == []


def test_no_cache_is_called_smaller_where_one_of_its_points_is_not_slower_beyond_noise() -> None:
    """A level seems to end where some points were low by chance, as their bounds show."""
    answer = ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.3),
    )
    curve = curve_of(answer, "sequential")
    cache = curve.steps[2]
    assert cache.effective_bytes is not None and cache.claimed_bytes is not None
    last = max(each.bytes for each in curve.points if each.bytes <= 0.6 * cache.claimed_bytes)
    assert last > cache.effective_bytes

    def with_last(**bounds: float) -> list[str]:
        points = [
            msgspec.structs.replace(each, gbps=msgspec.structs.replace(each.gbps, **bounds))
            if each.bytes == last
            else each
            for each in curve.points
        ]
        curves = [msgspec.structs.replace(curve, points=points)]
        return [
            each.code for each in words_of(msgspec.structs.replace(answer, curves=curves)).findings
        ]

    assert with_last() == ["smaller-cache"]
    assert with_last(high=1.1 * cache.gbps.value) == []
    assert with_last(value=cache.gbps.value, high=cache.gbps.value) == []


def test_a_cache_that_the_curve_does_not_show_is_found() -> None:
    answer = ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.01),
    )
    last = curve_of(answer, "sequential").steps[-1]
    assert (last.level, last.effective_bytes) == ("memory", None)
    (finding,) = words_of(answer).findings
    assert (finding.code, finding.severity) == ("hidden-cache", "note")
    assert "shows no L3 (triad regular, sequential), which claims 8 MiB" in finding.text


def test_a_cache_in_front_of_the_memory_is_a_level() -> None:
    answer = ladder_of(cached(64 * MIB))
    for curve, claimed in zip(answer.curves, (64 * MIB, 64 * MIB, 16 * MIB), strict=True):
        levels = [each.level for each in curve.steps]
        assert levels == ["L1", "L2", "L3", "memory-side cache", "memory"]
        assert curve.steps[3].claimed_bytes == claimed
    assert words_of(answer).findings == []


def test_a_cache_in_front_of_the_memory_is_no_cache_of_the_cpus() -> None:
    levels = levels_in_use(cached(16 * GIB), CPUS, "throughput")
    assert [each.name for each in levels] == ["L1", "L2", "L3", "memory-side cache"]
    assert last_cpu_cache(levels) == levels[2].bytes
    assert levels[3].bytes == 4 * GIB


def test_a_ladder_that_ends_within_a_cache_in_front_of_the_memory_is_found() -> None:
    answer = ladder_of(MACHINE, ("sequential",))
    levels = levels_in_use(cached(16 * GIB), CPUS, "sequential")
    (found,) = words_of(msgspec.structs.replace(answer, levels=levels)).findings
    assert (found.code, found.severity) == ("memory-side-cache", "warning")
    assert "none of the figures belong to the memory behind it" in found.text
    assert found.text.endswith("give --to 64GiB.")
    levels = levels_in_use(cached(16 * MIB), CPUS, "sequential")
    found = words_of(msgspec.structs.replace(answer, levels=levels)).findings[0]
    assert "is only 2.0x the memory-side cache of 16 MiB: not all" in found.text


def cached(size: int) -> Machine:
    """With a cache of so many bytes in front of its memory."""
    cache = MemorySideCache(bytes=size, instances=1, line_bytes=64, nodes=["0"])
    return machine_of(memory_side_caches=[cache])


def test_each_mode_has_its_own_clock() -> None:
    rungs = rungs_of(MACHINE, ["sequential", "worksharing"])
    runs = [
        FreshRun(rung.name, 1, rung_run(rung, MACHINE, by_capacity(rung, MACHINE)), None, None)
        for rung in rungs
    ]
    for each, rung in zip(runs, rungs, strict=True):
        hertz = 2 * HERTZ if rung.mode == "sequential" else HERTZ
        each.run.core_clock = CoreClock(hertz=hertz, cpu=0)
    answer = judge_ladder(runs, rungs, asked_of(["sequential", "worksharing"], rounds=1), MACHINE)
    assert [each.core_hertz for each in answer.curves] == [2 * HERTZ, HERTZ]
    one, all_ = (each.steps[0].bytes_per_cycle for each in answer.curves)
    assert one is not None and all_ is not None
    assert one == pytest.approx(all_ / 2, rel=0.01)


def test_others_who_take_the_cpus_are_told_of() -> None:
    answer = msgspec.structs.replace(ladder_of(MACHINE, ("sequential",)), taken=0.05)
    (finding,) = words_of(answer).findings
    assert (finding.code, finding.severity) == ("other-load", "warning")
    assert "took 5 % of the CPUs' time from this measurement" in finding.text
    assert not words_of(msgspec.structs.replace(answer, taken=0.01)).findings


def test_caches_that_are_as_large_as_they_claim_have_no_finding() -> None:
    assert not words_of(ladder_of(MACHINE)).findings


def test_levels_that_a_curve_does_not_tell_apart_are_one() -> None:
    def rate(rung: Rung, machine: object) -> float:
        return 10.0 if rung.bytes > 8 * MIB else 100.0

    answer = ladder_of(MACHINE, ("sequential",), rate=rate)
    assert [step.level for step in curve_of(answer, "sequential").steps] == ["L1-L3", "memory"]


def test_a_curve_that_ends_inside_a_cache_has_no_level_beyond() -> None:
    levels = [
        LevelInUse(mode="sequential", name="L1", bytes=32 * KIB),
        LevelInUse(mode="sequential", name="L2", bytes=MIB),
        LevelInUse(mode="sequential", name="L3", bytes=8 * MIB),
    ]
    figures = {
        size: 100.0 if size <= 32 * KIB else 50.0 for size in working_sets(4096, 512 * KIB, 3)
    }
    steps = steps_of(points_by(figures), levels, 1, None)
    assert [step.level for step in steps] == ["L1", "L2"]
    assert steps[0].bytes_per_cycle is None
    assert steps[1].effective_bytes is None


def test_noise_makes_no_levels() -> None:
    levels = [LevelInUse(mode="sequential", name="L2", bytes=MIB)]
    sizes = working_sets(64 * KIB, 16 * MIB, 3)
    figures = {size: 10.0 + 0.3 * (number % 3) for number, size in enumerate(sizes)}
    (step,) = steps_of(points_by(figures), levels, 1, None)
    assert step.level == "memory"


def test_too_few_points_tell_no_levels() -> None:
    assert steps_of(points_by({4096: 10.0}), [], 1, None) == []
    (step,) = steps_of(points_by({4096: 10.0, 8192: 10.1}), [], 1, None)
    assert step.level == "memory"


def test_a_failed_point_is_a_gap_with_its_reason() -> None:
    rungs = rungs_of(MACHINE, ["sequential"])
    runs = [
        FreshRun(rung.name, 1, Run(), "It broke.", None)
        if number == 4
        else FreshRun(rung.name, 1, rung_run(rung, MACHINE, by_capacity(rung, MACHINE)), None, None)
        for number, rung in enumerate(rungs)
    ]
    answer = judge_ladder(runs, rungs, asked_of(["sequential"], rounds=1), MACHINE)
    sizes = [point.bytes for point in answer.curves[0].points]
    assert rungs[4].bytes not in sizes and len(sizes) == len(rungs) - 1
    (sentence,) = missing(answer)
    assert sentence.endswith("It broke.") and "triad, sequential" in sentence


def test_an_answer_without_runs_says_nothing_wrong() -> None:
    answer = judge_ladder([], rungs_of(MACHINE, ["sequential"]), asked_of(["sequential"]), MACHINE)
    assert not answer.curves and not words_of(answer).findings


@pytest.mark.parametrize(("spread", "ends"), [(0.01, True), (0.6, False)])
def test_a_level_ends_only_where_noise_cannot_have_made_the_difference(
    spread: float, ends: bool
) -> None:
    levels = [LevelInUse(mode="sequential", name="L1", bytes=32 * KIB)]
    rates = {size * KIB: 100.0 if size <= 32 else 70.0 for size in (8, 16, 24, 32, 64, 96, 128)}
    points = [
        msgspec.structs.replace(
            each,
            gbps=Estimate(
                value=each.gbps.value,
                low=each.gbps.value * (1 - spread),
                high=each.gbps.value * (1 + spread),
                bounded_by="range",
            ),
            rounds=3,
        )
        for each in points_by(rates)
    ]
    first, last = steps_of(points, levels, 1, None)
    assert (first.level, last.level) == ("L1", "memory")
    assert (first.effective_bytes is not None) == ends
