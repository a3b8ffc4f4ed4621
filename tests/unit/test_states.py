"""The states of a machine's own speed, in made series and runs with known truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from checked_runs import checked_records
from example_records import MACHINE
from example_results import measured
from example_states import back_and_forth, one_step, series, states_records, steady
from golden import approved

from streamgage.analysis.finding import Finding
from streamgage.analysis.machine_states import in_main_state, machine_states
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.states import UNKNOWN, Speeds, find_speeds
from streamgage.records import AnyRecord, Disturbance, Sample, Variant
from streamgage.records.run import collect
from streamgage.results.measure.facts.states import RateInState, SpeedDrift, TwoSpeeds
from streamgage.results.measure.judge import judge_measure
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

GUEST = msgspec.structs.replace(MACHINE, hypervisor="KVM")
change = msgspec.structs.replace


def kind(speeds: Speeds) -> str:
    if speeds.states:
        return f"{len(speeds.states)} states"
    return "steady" if speeds.drift is None else "drift"


def kinds(seeds: range, **how: Any) -> Counter[str]:  # noqa: ANN401 - as series
    """What is found in one series of each seed."""
    return Counter(kind(find_speeds(series(seed, **how))) for seed in seeds)


def test_a_steady_machine_has_no_states() -> None:
    """In 270 series with noise of 0.5 to 5 %, of few samples and of many, at least 99 %."""
    found: Counter[str] = Counter()
    for noise in (0.005, 0.02, 0.05):
        for blocks, variants in ((20, 2), (20, 8), (60, 8)):
            found += kinds(range(30), noise=noise, blocks=blocks, variants=variants)
    assert found["steady"] >= 0.99 * found.total(), found


@pytest.mark.parametrize("noise", [0.005, 0.02, 0.05])
def test_a_step_makes_two_states(noise: float) -> None:
    for seed in range(8):
        samples = series(seed, speed=one_step, noise=noise)
        found = find_speeds(samples)
        assert kind(found) == "2 states"
        fast, slow = found.states
        assert slow.speed == 1
        assert fast.speed == pytest.approx(1.5, rel=noise)
        fast_time = sum(e.measured_seconds for e in samples if e.block < 18)
        total = sum(each.measured_seconds for each in samples)
        assert fast.share == pytest.approx(fast_time / total, abs=0.02)
        (at,) = found.changes
        assert at == pytest.approx(0.31 * len(samples), abs=4)


def test_states_that_come_back_are_the_same_states() -> None:
    for seed in range(8):
        found = find_speeds(series(seed, speed=back_and_forth))
        assert [round(each.speed, 2) for each in found.states] == [pytest.approx(1.4, abs=0.02), 1]
        assert len(found.changes) == 4


def test_three_levels_are_three_states() -> None:
    def three(passed: float) -> float:
        return 1.4 if passed < 0.31 else 1.2 if passed < 0.628 else 1.0

    assert kinds(range(8), speed=three) == {"3 states": 8}


@pytest.mark.parametrize("rise", [0.1, 0.4])
def test_a_machine_that_drifts_has_a_range_and_no_states(rise: float) -> None:
    for seed in range(8):
        found = find_speeds(series(seed, speed=lambda passed: 1 + rise * passed))
        assert not found.states
        assert found.drift is not None
        low, high = found.drift
        assert 1 + 0.7 * rise < high / low < 1 + 1.2 * rise


@pytest.mark.parametrize("variants", [2, 3, 8])
def test_one_variant_alone_makes_no_states(variants: int) -> None:
    """It changes for a long time, or from sample to sample."""

    def for_long(variant: int, passed: float) -> float:
        return 1.4 if variant == 0 and passed > 0.5 else 1.0

    def at_random(variant: int, passed: float) -> float:
        return 1.4 if variant == 0 and int(passed * 1e6) % 2 else 1.0

    for own in (for_long, at_random):
        assert kinds(range(8), own=own, variants=variants) == {"steady": 8}


def test_disturbed_samples_make_no_states_and_hide_none() -> None:
    assert kinds(range(8), disturbed=0.1) == {"steady": 8}
    assert kinds(range(8), disturbed=0.1, speed=one_step) == {"2 states": 8}


def test_few_samples_show_nothing() -> None:
    assert kinds(range(8), blocks=6, variants=4, speed=one_step) == {"steady": 8}
    assert find_speeds([]) == UNKNOWN
    assert not find_speeds(series(1, blocks=6, variants=4)).known
    assert find_speeds(series(1)).known
    assert kind(find_speeds(series(1, variants=1, speed=one_step))) == "steady"


def test_variants_that_begin_late_do_not_hide_a_state() -> None:
    """The medians of the variants then come from different states."""
    assert kinds(range(8), later=True, speed=one_step) == {"2 states": 8}

    def slow_at_the_end(passed: float) -> float:
        return 1.4 if passed < 0.71 else 1.0

    assert kinds(range(8), later=True, speed=slow_at_the_end) == {"2 states": 8}


def test_the_pages_of_allocations_make_no_states() -> None:
    found = kinds(range(25), allocations=0.04)
    assert found["steady"] >= 24, found


def test_many_samples_are_judged() -> None:
    found = find_speeds(series(1, blocks=250, variants=20, speed=one_step))
    assert [each.speed for each in found.states] == [pytest.approx(1.5, rel=0.01), 1]


def findings(records: Sequence[AnyRecord]) -> dict[str, Finding]:
    return {each.code: each for each in measured(records).words.findings}


def test_a_run_in_the_main_state_has_no_steps() -> None:
    """Each variant by its own change: here the reading kernel changes by less than the others."""

    def less(variant: int, passed: float) -> float:
        return 1.1 if variant == 0 and passed < 0.31 else 1.0

    run = collect(states_records(own=less))
    level = in_main_state(run, machine_states(run))
    for variant in run.variants:
        times = level.times_of_blocks(variant)
        early = median(sorted(time for block, time in times.items() if block < 18))
        late = median(sorted(time for block, time in times.items() if block > 19))
        assert early == pytest.approx(late, rel=0.005)
        assert late == pytest.approx(run.times_of_blocks(variant)[40], rel=0.02)
    still = collect(states_records(steady))
    assert in_main_state(still, machine_states(still)) is still


def test_each_state_has_its_figure() -> None:
    document = measured(states_records()).document
    assert [each.speed for each in document.states] == [pytest.approx(1.5, rel=0.01), 1]
    assert sum(each.share for each in document.states) == pytest.approx(1)
    (changed,) = document.state_changes_seconds
    assert changed == pytest.approx(16 * document.states[0].share, abs=0.2)
    for kernel in document.kernels:
        fast, slow = kernel.states
        assert fast.n + slow.n == kernel.n
        assert fast.gbps == pytest.approx(1.5 * (slow.gbps or 0), rel=0.02)
        assert kernel.low_gbps <= slow.gbps <= kernel.high_gbps
        assert (slow.high_gbps - slow.low_gbps) < 0.03 * slow.gbps
        assert kernel.in_main_state.median_gbps == slow.gbps
    one_speed = measured(states_records(steady)).document
    assert not one_speed.states
    assert not any(each.states for each in one_speed.kernels)


def test_states_are_no_two_modes() -> None:
    found = findings(states_records())
    assert found["two-speeds"].severity == "warning"
    assert not found.keys() & {"two-modes", "speed-drift", "not-converged"}
    assert "two-speeds" not in findings(states_records(steady))


def test_two_modes_that_states_do_not_explain_are_still_said() -> None:
    def switching(variant: int, passed: float) -> float:
        return 1.3 if variant == 3 and int(passed * 60) % 3 == 0 else 1.0

    found = findings(states_records(own=switching))
    assert {"two-speeds", "two-modes"} <= found.keys()
    assert "1 variant" in found["two-modes"].text


@pytest.mark.parametrize(
    ("records", "text"),
    [
        (states_records(machine=GUEST), "the host's own speed, not this guest's doing"),
        (states_records(), "the machine's own speed (its clock, or other programs' memory"),
        (
            [
                change(each, other_seconds=2.0) if isinstance(each, Disturbance) else each
                for each in states_records(machine=GUEST)
            ],
            "other programs on this guest, or the host's own speed",
        ),
        (
            states_records(machine=change(GUEST, cores=4)),
            "other programs on this guest, or the host's own speed",
        ),
    ],
    ids=["guest", "machine", "busy guest", "part of a guest"],
)
def test_the_cause_is_no_more_certain_than_the_data(
    records: Sequence[AnyRecord], text: str
) -> None:
    assert text in findings(records)["two-speeds"].text


def test_a_drift_is_said_with_its_range() -> None:
    result = judge_measure(collect(states_records(lambda passed: 1 + 0.5 * passed)))
    (fact,) = [each for each in result.document.findings if isinstance(each, SpeedDrift)]
    assert fact.severity == "warning"
    assert fact.high_gbps / fact.low_gbps == pytest.approx(1.47, abs=0.08)
    assert not result.document.states
    small = judge_measure(collect(states_records(lambda passed: 1 + 0.08 * passed)))
    (fact,) = [each for each in small.document.findings if isinstance(each, SpeedDrift)]
    assert fact.severity == "note"


def test_many_changes_are_counted() -> None:
    fact = TwoSpeeds(
        severity="warning",
        variant="triad plain",
        states=[RateInState(share=0.5, gbps=gbps) for gbps in (48.0, 32.0)],
        changes_at=[1, 2, 3, 4, 5],
        cause="open",
    )
    assert "All kernels changed together 5 times: other programs" in fact.finding().text


@pytest.mark.parametrize(
    ("name", "speed"),
    [
        ("two-speeds", one_step),
        ("speed-drift", lambda passed: 1 + 0.5 * passed),
    ],
)
def test_the_first_screen_has_each_speed(name: str, speed: Callable[[float], float]) -> None:
    page = measured(states_records(speed, GUEST)).page
    approved(f"measure-{name}.txt", f"{render(page, Terminal(80, False, UNICODE))}\n")


def test_what_is_concluded_does_not_depend_on_the_state() -> None:
    """The series of threads runs in the slow state, and the rows that it continues before it."""
    records = checked_records()
    of_series = {
        (each.kernel, each.store, each.shape)
        for each in records
        if isinstance(each, Variant) and each.purpose == "series"
    }
    rows = {
        each.id
        for each in records
        if isinstance(each, Variant)
        and each.purpose == "rate"
        and (each.kernel, each.store, each.shape) in of_series
    }
    records = [
        each
        for each in records
        if not isinstance(each, Sample) or each.block < 13 or each.variant not in rows
    ]
    slowed = [
        change(each, seconds=1.5 * each.seconds)
        if isinstance(each, Sample) and each.block >= 13
        else each
        for each in records
    ]
    truth = judge_measure(collect(records)).document
    found = judge_measure(collect(slowed)).document
    assert [each.speed for each in found.states] == [pytest.approx(1.5, rel=0.01), 1]
    for before, after in zip(
        (*truth.kernels, *truth.checks), (*found.kernels, *found.checks), strict=True
    ):
        assert after.alpha.verdict == before.alpha.verdict
        if before.alpha.value is not None:
            assert after.alpha.value == pytest.approx(before.alpha.value, abs=0.03)
        if before.gain is not None:
            assert after.gain == pytest.approx(before.gain, abs=0.01)
    assert truth.saturation is not None
    assert found.saturation is not None
    assert found.saturation.limit == truth.saturation.limit == "cores"
    new = {each.code for each in found.findings} - {each.code for each in truth.findings}
    assert new == {"two-speeds"}
