"""Each finding of the closed set: seen where it should be, and not where it should not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from example_counters import LOST, NO_SOURCE, calibration
from example_device import DEVICE_CLOCK, DEVICE_STATE
from example_own_kernels import FAILURE, own_records
from example_ranks import slow_rank_records
from example_records import (
    CLOCK,
    DEFAULT,
    DISTURBANCE,
    END,
    MACHINE,
    MEMORY,
    MIB,
    PLAN,
    PREFETCH,
    VARIANTS,
    good_records,
    place,
    placement,
    samples_of,
    steady_times,
    tuned_records,
    tuning,
    validation,
    vector,
    watched,
    where_bound,
)

from streamgage.analysis.finding import Finding
from streamgage.analysis.machine_states import machine_states
from streamgage.records import (
    AbsentVariant,
    AnyRecord,
    ArrayPages,
    End,
    Frequency,
    HardwareThread,
    NumaNode,
    Sample,
    Sampling,
    SlowedBy,
    Variant,
)
from streamgage.records.run import Run, collect
from streamgage.records.setting import Tier
from streamgage.results.measure.findings import CHECKS, Context, Judgement, judge
from streamgage.results.measure.headline import headline_of, is_of
from streamgage.results.measure.variant_rates import rates_in_states, rates_of

change = msgspec.structs.replace


NEEDS_A_CONTEXT = {
    *("above-peak", "contradiction", "below-memory", "unpopulated-channels", "not-saturated"),
    "slow-modules",
    *("write-allocate", "late-read", "streaming-slower", "copy-memcpy", "unproved"),
    *("contradicts-itself", "cut-off", "its-own-warning", "few-repetitions", "unsteady-table"),
    *("two-readings", "uneven-kernels"),
}
"""Codes that the good run's records alone do not judge: see test_findings_of_memory.py and
test_findings_of_output.py."""


def judged(run: Run) -> Judgement:
    kernels = [rates_of(run, each) for each in run.shown()]
    states = machine_states(run)
    shown = headline_of(kernels)
    if shown is not None:
        (variant,) = [each for each in run.shown() if is_of(each, shown)][:1]
        shown = change(shown, states=rates_in_states(run, variant, states))
    return judge(Context(run, headline=shown, states=states))


def findings(*more: AnyRecord, without: type[AnyRecord] | None = None) -> dict[str, Finding]:
    """Findings of a good run with records added or replaced, or with one kind left out.

    More than its 20 samples of a variant replace these, if they begin with the first block.
    """
    first = {each.variant for each in more if isinstance(each, Sample) and each.block == 0}
    number = Counter(each.variant for each in more if isinstance(each, Sample))
    records = [
        each
        for each in good_records()
        if (without is None or not isinstance(each, without))
        and not (isinstance(each, Sample) and each.variant in first and number[each.variant] > 20)
    ]
    return {each.code: each for each in judged(collect(where_bound([*records, *more]))).findings}


def afterwards(times: Sequence[float]) -> list[AnyRecord]:
    """More blocks of all variants, in which each takes so many times as long as before."""
    return [
        change(each, block=20 + number)
        for variant in VARIANTS
        for number, (each, longer) in enumerate(
            zip(
                samples_of(variant.id, steady_times(0.01 * (1 + variant.id), len(times), seed=5)),
                times,
                strict=True,
            )
        )
        for each in [change(each, seconds=each.seconds * longer)]
    ]


def pages(huge: float | None = 1.0, remote: int = 0, checked: int = 64) -> list[ArrayPages]:
    return [ArrayPages(name="a", huge_share=huge, checked_pages=checked, remote_pages=remote)]


def test_a_good_run_has_no_finding_and_passes_all_that_can_be_judged() -> None:
    judgement = judged(collect(good_records()))
    assert [finding.code for finding in judgement.findings] == ["no-counters"]
    passed = {passed.code for passed in judgement.passed}
    assert {code for code, _ in CHECKS} - passed - {"no-counters"} == {
        *("uneven-numa", "numa-balancing", "pages-unchecked", "slower-shape", "frequency-limit"),
        *("counters-replayed", "counters-rejected"),
        *(
            "slow-rank",
            "disturbed",
            "kernel-failed",
            "kernel-unchecked",
            "device-clock",
            "device-slowed",
        ),
        "device-shared",
        *NEEDS_A_CONTEXT,
    }


TWO_NODES = change(
    MACHINE,
    numa_nodes=[NumaNode(node=0, cpus="0-1", bytes=None), NumaNode(node=1, cpus="2-3", bytes=None)],
    online_cpus="0-3",
    allowed_cpus="0-3",
)
UNBOUND = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)


def scattered(stopped_by: str, budget: float = 33.0) -> list[AnyRecord]:
    plan = change(
        PLAN,
        sampling=Sampling(min_samples=20, look_every=10, max_samples=30, budget_seconds=budget),
    )
    end = msgspec.convert(msgspec.to_builtins(END) | {"stopped_by": stopped_by}, End)
    source = Random(10)
    times = [0.04 + 0.04 * source.random() for _ in range(30)]
    return [plan, end, *samples_of(3, times)]


SCATTERED = scattered("budget")
SMT = change(
    MACHINE,
    threads=[
        HardwareThread(cpu=cpu, core=cpu % 2, smt=cpu // 2, package=0, die=0, node=0)
        for cpu in (0, 2, 1, 3)
    ],
)

TUNED_STREAMING = vector("copy", "streaming", PREFETCH, number=20)


def slower(tuned: Variant, source: str = "known") -> list[AnyRecord]:
    """A tuned variant at half of the speed that its kernel has in the default shape."""
    standard = change(tuned, id=21, tuned=False, shape=DEFAULT)
    times = steady_times(0.03)
    return [
        change(VARIANTS[2], id=2, store="libc"),
        tuning("copy", "streaming", source, PREFETCH),
        *(standard, tuned, validation(20), validation(21)),
        *samples_of(standard.id, times),
        *samples_of(tuned.id, [2 * seconds for seconds in times]),
    ]


CAPPED = Frequency(
    governor="powersave", limit_hertz=2_000_000_000, hardware_hertz=3_500_000_000, boost=None
)
CASES: list[tuple[str, str, Sequence[AnyRecord], str]] = [
    ("invalid", "error", [validation(3, valid=False)], "triad plain (3 of 8388608 elements wrong"),
    ("unfinished", "warning", [change(END, reason="interrupted")], "stopped early by SIGINT"),
    ("unfinished", "warning", [change(END, reason="terminated")], "stopped early by SIGTERM"),
    ("unfinished", "error", [change(END, reason="error", message="no.")], "failed (no): "),
    ("not-bound", "warning", [UNBOUND], "as --cpus none asks"),
    (
        "not-bound",
        "warning",
        [placement(place(0, mask="0-1"), place(1), bound=False)],
        "1 of 2 threads could not be bound to one CPU (they may run on 0-1)",
    ),
    ("moved", "note", samples_of(0, [0.01], moved=1), "In 1 of 81 timed samples"),
    ("moved", "warning", samples_of(3, [0.04], moved=1), "In 1 of 81 timed samples"),
    ("moved", "spoiled", samples_of(0, [0.01] * 20, moved=1), "In 20 of 100 timed samples"),
    (
        "moved",
        "warning",
        samples_of(3, [0.04], moved=1, switches=3),
        "on its own, with 3 involuntary context switches: these samples",
    ),
    (
        "moved",
        "note",
        [UNBOUND, *samples_of(0, [0.01], moved=2, switches=1)],
        "its CPU, with 1 involuntary context switch. Unbound threads are moved",
    ),
    ("slow-rank", "warning", slow_rank_records(), "Rank 1 on host node8 (CPU 0) took 30 % longer"),
    ("smt-sharing", "warning", [placement(place(0, core=0), place(1, core=0))], "--threads 1"),
    (
        "smt-sharing",
        "warning",
        [placement(place(0, core=0), place(1, core=0), kind="cpus")],
        "Name one CPU of each core",
    ),
    ("fewer-cpus", "warning", [placement(place(0), asked=4)], "4 threads were asked for but 1 ran"),
    ("fewer-cpus", "spoiled", [placement(place(0), place(0))], "2 threads shared 1 CPU"),
    (
        "fewer-cpus",
        "spoiled",
        [UNBOUND, *samples_of(0, [0.01] * 20, cpus=(1, 1))],
        "In 20 of 100 timed samples (20 %) two threads or more were on one CPU",
    ),
    (
        "smt-sharing",
        "warning",
        [SMT, UNBOUND, *samples_of(0, [0.01] * 120, cpus=(0, 2))],
        "In 120 of 180 timed samples (67 %) two threads or more were on CPUs of one core",
    ),
    ("confined", "note", [change(MACHINE, online_cpus="0-63")], "2 of 64 online CPUs (0-1)"),
    ("cpu-quota", "warning", [change(MACHINE, cpu_quota=1.5)], "Use --threads 1"),
    (
        "cpu-quota",
        "spoiled",
        [change(MACHINE, cpu_quota=2.0), change(DISTURBANCE, throttled_seconds=0.5)],
        "A CPU quota of 2 CPUs stopped the threads for 0.50 CPU-seconds: throttled",
    ),
    (
        "cpu-quota",
        "spoiled",
        [change(DISTURBANCE, throttled_seconds=0.5)],
        "A CPU quota stopped the threads for 0.50 CPU-seconds: throttled",
    ),
    (
        "niced",
        "warning",
        [change(MACHINE, nice=10)],
        "The measurement ran with nice 10: other programs",
    ),
    (
        "below-4x-rule",
        "warning",
        [change(MEMORY, array_bytes=32 * MIB, asked_bytes=32 * MIB)],
        "32 MiB, 2.0x the last-level cache in use; STREAM's rule asks for 64 MiB",
    ),
    (
        "memory-cap",
        "warning",
        [change(MEMORY, array_bytes=32 * MIB, capped_by="cgroup", cap_bytes=32 * MIB)],
        "32 MiB each instead of 64 MiB: the cgroup's memory limit",
    ),
    (
        "remote-pages",
        "spoiled",
        [change(MEMORY, arrays=pages(remote=16))],
        "16 of 64 checked pages (25 %)",
    ),
    ("no-huge-pages", "warning", [change(MEMORY, arrays=pages(huge=0.1))], "Only 10 % of an array"),
    ("no-huge-pages", "note", [change(MEMORY, arrays=pages(huge=0.8))], "Only 80 % of an array"),
    ("coarse-clock", "warning", [change(CLOCK, granularity_seconds=1e-3)], "10.0 ticks"),
    ("device-clock", "note", [change(DEVICE_CLOCK, timed_by="host")], "a launch of 20 us in it"),
    (
        "device-slowed",
        "note",
        [change(DEVICE_STATE, slowed_by=[SlowedBy(reason="power-cap", readings=3)])],
        "kept low by its power limit (in 3 of 12 readings)",
    ),
    (
        "device-slowed",
        "warning",
        [change(DEVICE_STATE, slowed_by=[SlowedBy(reason="hardware-thermal", readings=12)])],
        "its temperature, by the hardware (in 12 of 12 readings)",
    ),
    (
        "device-shared",
        "note",
        [change(DEVICE_STATE, other_processes=1)],
        "1 other process had the device open",
    ),
    (
        "two-speeds",
        "warning",
        afterwards([1.5] * 40),
        "for 25 % of the run, 3.35 for 75 %. All kernels changed together: the machine's own",
    ),
    (
        "speed-drift",
        "warning",
        afterwards([1 + 0.01 * block for block in range(40)]),
        "(+38.1 %), and the other kernels with it. This is the machine's own speed (its clock,",
    ),
    (
        "speed-drift",
        "note",
        afterwards([1 + 0.002 * block for block in range(40)]),
        "The machine drifts: triad plain goes from",
    ),
    (
        "two-modes",
        "warning",
        samples_of(3, [0.06 + 1e-5 * k for k in range(5)]),
        "triad plain (80 % near 5.03 GB/s, 20 % near 3.35 GB/s)",
    ),
    (
        "two-modes",
        "warning",
        samples_of(3, [0.06 + 1e-5 * k for k in range(5)], switches=2),
        "20 % near 3.35 GB/s; 2.0 involuntary context switches in a slow sample, 0.0 in others)",
    ),
    ("steal", "warning", [change(DISTURBANCE, steal_seconds=1.0)], "took 2.5 % of the time"),
    (
        "paused",
        "warning",
        samples_of(3, [3.04], role="paused", paused_seconds=3.0),
        "for 3.0 s (30 % of the run): a signal (SIGSTOP, Ctrl-Z), a debugger or a suspended machine"
        " stopped it. 1 sample that it hit is left out of the figures. Measure",
    ),
    (
        "paused",
        "spoiled",
        [change(END, paused_seconds=6.0)],
        "6.0 s (60 % of the run): a signal (SIGSTOP, Ctrl-Z), a debugger or a suspended machine"
        " stopped it. It hit no sample, so the figures are unaffected.",
    ),
    (
        "paused",
        "warning",
        samples_of(3, [3.04]),
        "1 sample that took far longer than the others stays in the figures and widens the",
    ),
    (
        "other-load",
        "warning",
        [change(DISTURBANCE, first_block=10, last_block=19, other_seconds=2.0)],
        "(2.0 CPU-seconds, most in blocks 11 to 20 of 20 blocks): they slow",
    ),
    (
        "other-load",
        "warning",
        [
            change(DISTURBANCE, other_seconds=-0.05),
            change(DISTURBANCE, other_seconds=2.05),
            *samples_of(0, [0.01], switches=4),
        ],
        "and took a CPU from a thread 4 times, in 1 of 81 timed samples: they slow",
    ),
    (
        "disturbed",
        "warning",
        [
            # Of `measure`: series count them, and say what others took.
            change(PLAN, tiers=[Tier(kernels=["sum"])]),
            change(VARIANTS[0], id=9, store="regular"),
            *samples_of(9, [0.05] * 20, role="disturbed"),
        ],
        "Every sample of sum regular was disturbed: the threads never had their CPUs at the",
    ),
    (
        "not-converged",
        "warning",
        SCATTERED,
        "triad plain is known to 19 % only after 33 s: its",
    ),
    (
        "not-converged",
        "warning",
        [change(PLAN, sampling=change(PLAN.sampling, min_samples=21))],
        "triad plain has 20 samples, but needs 21",
    ),
    (
        "not-converged",
        "note",
        [change(VARIANTS[0], id=9, store="regular")],
        "sum regular has 0 samples, where 20 are needed",
    ),
    (
        "pages-unchecked",
        "note",
        [TWO_NODES, change(MEMORY, arrays=pages(checked=0), pages_reason="move_pages is refused")],
        "No page could be checked for its NUMA node (move_pages is refused). Some may lie",
    ),
    (
        "kernel-failed",
        "error",
        [FAILURE],
        "Left out: broken.c. broken.c does not compile by gcc -O3: broken.c:7: 'x' undeclared.",
    ),
    (
        "kernel-unchecked",
        "note",
        own_records(),
        "The results are not checked: my-gather declares no check.",
    ),
    (
        "absent",
        "note",
        [AbsentVariant(kernel="sum", store="streaming", reason="sum stores nothing")],
        "there is no such variant: sum streaming (sum stores nothing). Nothing is wrong",
    ),
    (
        "uneven-numa",
        "warning",
        [TWO_NODES, placement(place(0), place(1), place(2, node=1))],
        "2 on node 0, 1 on node 1",
    ),
    (
        "slower-shape",
        "note",
        slower(TUNED_STREAMING),
        "in the default shape: copy streaming tuned (by 50 %). Search for shapes again with"
        " --retune:",
    ),
    (
        "slower-shape",
        "note",
        [*slower(TUNED_STREAMING), change(PLAN, shape=PREFETCH)],
        "(by 50 %). Leave --shape out to search",
    ),
    (
        "slower-shape",
        "note",
        slower(TUNED_STREAMING, "raced"),
        "The search had the opposite result a moment before: search again with --retune at a",
    ),
    ("numa-balancing", "note", [change(TWO_NODES, numa_balancing=True)], "sysctl"),
    (
        "frequency-limit",
        "note",
        [change(MACHINE, frequency=CAPPED)],
        "may reach 2.00 of 3.50 GHz (governor powersave). Figures of the caches, and others",
    ),
    (
        "frequency-limit",
        "note",
        [change(MACHINE, frequency=change(CAPPED, limit_hertz=3_500_000_000, boost=False))],
        "Clocks above the rated one are switched off (governor powersave)",
    ),
    (
        "no-counters",
        "fact",
        [NO_SOURCE],
        "Tried: perf uncore (this is a guest of KVM, which shows no memory controller's PMU);"
        " resctrl (there is no /sys/fs/resctrl). streamgage-engine --counters",
    ),
    ("no-counters", "fact", [], "is inferred from times, or not known. perf or likwid-perfctr"),
    (
        "no-counters",
        "fact",
        [calibration()],
        "perf uncore_imc was accepted, but no variant had timed samples",
    ),
    (
        "counters-rejected",
        "note",
        [calibration(reason="writes of update are 2.500 GB where 5.000 GB are expected")],
        "is not believed: writes of update are 2.500 GB where 5.000 GB are expected. None of",
    ),
    (
        "counters-rejected",
        "note",
        [calibration(), LOST],
        "perf uncore_imc was lost in the middle of the run: uncore_imc_3 cannot be read any more",
    ),
    (
        "counters-replayed",
        "warning",
        [calibration(replayed=True)],
        "only times and nominal rates were measured",
    ),
    (
        "no-counters",
        "fact",
        [change(MACHINE, hypervisor="KVM")],
        "A guest seldom has counters of the memory controller",
    ),
]


@pytest.mark.parametrize(
    ("code", "severity", "records", "text"), CASES, ids=[f"{c[0]}-{k}" for k, c in enumerate(CASES)]
)
def test_each_finding_tells_what_was_seen(
    code: str, severity: str, records: Sequence[AnyRecord], text: str
) -> None:
    finding = findings(*records)[code]
    assert finding.severity == severity
    assert text in finding.text
    assert finding.text.isascii()
    assert finding.text.endswith(".")
    assert "  " not in finding.text


def test_every_check_has_a_case() -> None:
    tested = {case[0] for case in CASES}
    assert tested | NEEDS_A_CONTEXT == {code for code, _ in CHECKS}


def test_not_converged_names_the_variant_and_the_limit() -> None:
    text = findings(*scattered("budget"))["not-converged"].text
    assert "triad plain is known to 19 % only after 33 s" in text
    assert "--thorough" in text
    assert "after 30 samples" in findings(*scattered("max-samples"))["not-converged"].text


def test_what_to_do_depends_on_what_was_done() -> None:
    assert "--thorough" not in findings(*scattered("budget", 240))["not-converged"].text


def test_a_figure_that_is_known_to_some_percent_needs_no_word() -> None:
    source = Random(1)
    records = [
        *(
            each
            for each in good_records()
            if getattr(each, "variant", None) != 3 or not isinstance(each, Sample)
        ),
        *samples_of(3, [0.04 + 0.003 * source.random() for _ in range(30)]),
    ]
    passed = {each.code: each.text for each in judged(collect(records)).passed}
    assert passed["not-converged"] == "triad plain is known to 1.6 %"


def test_a_killed_run_is_unfinished_and_says_nothing_of_convergence() -> None:
    found = findings(without=End)
    assert found["unfinished"].severity == "error"
    assert "killed or died" in found["unfinished"].text
    assert "not-converged" not in found


def test_the_weightiest_come_first() -> None:
    records = [
        *good_records(),
        change(MACHINE, online_cpus="0-3"),
        change(DISTURBANCE, steal_seconds=5.0),
        validation(0, valid=False),
    ]
    codes = [finding.code for finding in judged(collect(records)).findings]
    assert codes == ["invalid", "steal", "confined", "no-counters"]


def test_small_arrays_cannot_have_huge_pages_and_are_not_blamed() -> None:
    small = change(MEMORY, array_bytes=1 * MIB, arrays=pages(huge=0.0))
    assert "no-huge-pages" not in findings(small)


def test_pages_that_were_not_checked_are_not_called_local() -> None:
    records = [*good_records(), change(MEMORY, arrays=pages(checked=0))]
    judgement = judged(collect(records))
    assert "remote-pages" not in {passed.code for passed in judgement.passed}


def test_even_threads_on_two_nodes_pass() -> None:
    even = [TWO_NODES, placement(place(0), place(2, node=1))]
    assert "uneven-numa" not in findings(*even)


def test_a_run_without_samples_is_judged_without_complaint() -> None:
    assert "moved" not in findings(without=Sample)


def test_unbound_threads_are_judged_by_every_sample_and_not_by_where_they_were_first_seen() -> None:
    together = placement(place(0, mask="0-1"), place(0, mask="0-1"), kind="none", bound=False)
    assert not {"fewer-cpus", "smt-sharing"} & set(findings(together))


def test_a_run_that_converged_with_too_few_samples_has_not() -> None:
    few = [record for record in good_records() if not isinstance(record, Sample)]
    few += samples_of(0, [0.01] * 12)
    text = {each.code: each for each in judged(collect(few)).findings}["not-converged"].text
    assert "sum plain has 12 samples, but needs 20" in text


def test_a_trace_of_throttling_is_not_worth_a_word() -> None:
    quota = change(MACHINE, cpu_quota=2.0)
    assert "cpu-quota" not in findings(quota, change(DISTURBANCE, throttled_seconds=0.019))


def test_a_quota_that_cannot_be_read_is_not_called_none() -> None:
    hidden = change(MACHINE, unknown={"cpu_quota": "/sys is not mounted here"})
    judgement = judged(collect([*good_records(), hidden]))
    assert "cpu-quota" not in {each.code for each in (*judgement.findings, *judgement.passed)}


def test_a_higher_priority_is_not_blamed_and_an_unknown_one_is_not_judged() -> None:
    assert "niced" not in findings(change(MACHINE, nice=-5))
    judgement = judged(collect([*good_records(), change(MACHINE, nice=None)]))
    assert "niced" not in {each.code for each in (*judgement.findings, *judgement.passed)}


def test_a_sample_that_a_pause_hit_is_in_no_figure() -> None:
    hit = samples_of(3, [3.04], role="paused", paused_seconds=3.0)
    clean, run = collect(good_records()), collect([*good_records(), *hit])
    assert run.samples == clean.samples
    assert len(run.paused) == 1


@pytest.mark.parametrize(
    "explanation",
    [
        change(DISTURBANCE, steal_seconds=3.0),
        change(DISTURBANCE, other_seconds=3.0),
        change(DISTURBANCE, throttled_seconds=3.0),
        change(DISTURBANCE, other_seconds=None),
        change(DISTURBANCE, first_block=1),
    ],
)
def test_a_long_sample_that_something_else_may_explain_is_no_pause(
    explanation: AnyRecord,
) -> None:
    without = [each for each in good_records() if each != DISTURBANCE]
    records = [*without, explanation, *samples_of(3, [3.04])]
    assert "paused" not in {each.code for each in judged(collect(records)).findings}


@pytest.mark.parametrize("times", [[0.04] * 20 + [0.53], [0.2] * 20 + [1.9]])
def test_a_sample_that_is_a_little_longer_is_no_pause(times: list[float]) -> None:
    without = [each for each in good_records() if not isinstance(each, Sample)]
    run = collect([*without, *samples_of(3, times)])
    assert "paused" not in {each.code for each in judged(run).findings}


def test_a_kernel_of_the_user_may_wait_by_itself() -> None:
    assert "paused" not in findings(*own_records(), *samples_of(9, [3.04]))


def test_figures_of_quiet_windows_are_quoted_with_care_next_to_other_programs() -> None:
    busy = [each for each in good_records() if each != DISTURBANCE]
    busy += [change(DISTURBANCE, other_seconds=40.0)]
    felt = {each.code: each for each in judged(collect(busy)).findings}["other-load"]
    assert (felt.severity, "they slow samples down" in felt.text) == ("spoiled", True)
    quiet = {each.code: each for each in judged(collect(watched(busy, 0.25))).findings}
    assert quiet["other-load"].severity == "warning"
    assert "count only the 25 % of the measured time in which all threads" in (
        quiet["other-load"].text
    )


def test_few_quiet_samples_do_not_save_a_run() -> None:
    few = [each for each in good_records() if each != DISTURBANCE and not isinstance(each, Sample)]
    few += [change(DISTURBANCE, other_seconds=40.0)]
    few += [each for variant in VARIANTS for each in samples_of(variant.id, [0.04] * 5)]
    found = {each.code: each for each in judged(collect(watched(few, 0.25))).findings}
    assert found["other-load"].severity == "spoiled"


def test_a_sample_counts_by_the_time_in_which_all_threads_had_their_cpus() -> None:
    run = collect(watched([*good_records(), *samples_of(3, [0.4])], 0.1))
    assert run.times(3)[-1] == pytest.approx(0.04)
    assert collect(good_records()).times(3)[0] == pytest.approx(run.times(3)[0] * 10)


def test_disturbed_samples_are_in_no_figure() -> None:
    hit = samples_of(3, [0.4] * 3, role="disturbed")
    clean, run = collect(good_records()), collect([*good_records(), *hit])
    assert run.samples == clean.samples
    assert len(run.disturbed[3]) == 3


def test_ticks_below_zero_are_no_load() -> None:
    judgement = judged(collect([*good_records(), change(DISTURBANCE, other_seconds=-0.2)]))
    (passed,) = [each for each in judgement.passed if each.code == "other-load"]
    assert passed.text == "other processes used 0 % of the CPUs in use"


def test_huge_pages_that_were_not_asked_for_are_not_missed() -> None:
    small = change(MEMORY, arrays=pages(huge=0.0))
    assert "no-huge-pages" not in findings(change(PLAN, pages="4k"), small)


def test_one_node_needs_no_check_of_pages() -> None:
    assert "pages-unchecked" not in findings(change(MEMORY, arrays=pages(checked=0)))


def test_shapes_that_hold_pass() -> None:
    judgement = judged(collect(tuned_records()))
    assert [finding.code for finding in judgement.findings] == ["no-counters"]
    (passed,) = [each for each in judgement.passed if each.code == "slower-shape"]
    assert passed.text == "3 tuned variants: each was faster than the default shape"


def test_a_shape_that_is_not_beyond_doubt_slower_is_no_finding() -> None:
    times = steady_times(0.03)
    jitter = [seconds * (1.1 if k % 2 else 0.92) for k, seconds in enumerate(times)]
    standard, tuned = samples_of(21, times), samples_of(20, jitter)
    kept = [each for each in slower(TUNED_STREAMING) if not isinstance(each, Sample)]
    judgement = judged(collect([*kept, *standard, *tuned]))
    assert "slower-shape" not in [each.code for each in judgement.findings]
    (passed,) = [each for each in judgement.passed if each.code == "slower-shape"]
    assert passed.text == (
        "1 tuned variant: none clearly faster than the default shape, and none clearly slower"
    )


def test_a_shape_without_its_standard_beside_it_is_not_judged() -> None:
    alone = [each for each in slower(TUNED_STREAMING) if getattr(each, "id", 2) != 21]
    assert "slower-shape" not in findings(*alone)


def test_switches_are_told_apart_by_the_time_of_a_pass() -> None:
    without = [each for each in good_records() if not isinstance(each, Sample)]
    fast = samples_of(3, steady_times(0.4, 40), passes=10)
    slow = samples_of(3, [0.6 + 1e-5 * k for k in range(10)], passes=10, switches=3)
    text = {each.code: each for each in judged(collect([*without, *fast, *slow])).findings}[
        "two-modes"
    ].text
    assert "3.0 involuntary context switches in a slow sample, 0.0 in others" in text
