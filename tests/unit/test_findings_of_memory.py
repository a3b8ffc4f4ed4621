"""Findings that need more than the records: the peak, what crossed the bus, saturation."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
import test_findings_of_output
from example_machines import epyc_7451, machine, module
from example_records import (
    DEFAULT,
    KERNELS,
    MACHINE,
    MEMORY,
    MIB,
    VARIANTS,
    good_run,
    place,
    placement,
    records_of,
    samples_of,
    series_records,
    steady_times,
    vector,
)
from test_findings import NEEDS_A_CONTEXT

from streamgage.analysis.finding import Finding
from streamgage.analysis.peak.peak import Peak
from streamgage.analysis.saturation import saturation_of
from streamgage.analysis.traffic.alpha import Alpha, refuse
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import (
    BenchmarkOutput,
    DomainTraffic,
    Machine,
    MemoryModule,
    ReportedRate,
    Traffic,
)
from streamgage.records.run import Run, collect
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.findings import Context, LateRead, judge

change = msgspec.structs.replace


def result(
    kernel: str,
    gbps: float,
    *,
    store: str = "plain",
    crossed: float | None = None,
    low: float | None = None,
    alpha: Alpha | None = None,
    valid: bool | None = True,
) -> KernelResult:
    """A variant that ran at ``gbps`` nominal, of which so much crossed the bus."""
    return KernelResult(
        kernel=kernel,
        store=store,
        tuned=False,
        threads=2,
        type="double",
        n=20,
        best_gbps=gbps,
        median_gbps=gbps,
        low_gbps=gbps,
        high_gbps=gbps,
        hardware_gbps=crossed,
        hardware_low_gbps=low,
        alpha=alpha or Alpha(),
        valid=valid,
    )


def alpha(verdict: str, value: float | None = None) -> Alpha:
    return msgspec.convert({"verdict": verdict, "value": value, "evidence": "inferred"}, Alpha)


UNKNOWN = refuse(Reason(why=ReasonCode.STEAL, share=0.02, limit=0.01))


GIVEN = Peak(100.0, "given", "--peak")
MODEL = Peak(204.8, "model", "at most 8 channels of DDR4-3200", at_most=True)


def with_peak(gbps: float, peak: Peak = GIVEN, run: Run | None = None) -> Context:
    """A context in which sum moved ``gbps``."""
    return Context(
        run or good_run(), peak=peak, kernels=[result("sum", gbps, crossed=gbps, low=gbps)]
    )


def series(threads: int, seconds: dict[int, float], **changes: object) -> Context:
    """A context with a thread series of sum."""
    made = msgspec.convert(msgspec.to_builtins(MACHINE) | changes, type(MACHINE))
    run = collect(series_records(threads, {"sum": seconds}, latency=150e-9, machine=made))
    if run.machine is not None and "cores" in changes:
        run.machine = made
    return Context(run, saturation=saturation_of(run))


def streaming(seconds: float, *, jitter: float = 0.0) -> Context:
    """A context in which copy took so long with streaming stores, and 10 ms with ordinary ones."""
    records = records_of([vector("copy", "regular"), vector("copy", "streaming")])
    records = [each for each in records if not getattr(each, "role", None)]
    times = [each * (1 + jitter * (k % 2)) for k, each in enumerate(steady_times(seconds, seed=7))]
    records += samples_of(0, steady_times(0.01, seed=7))
    return Context(collect([*records, *samples_of(1, times)]))


def calls(*names: str) -> Context:
    """A context in which the plain copy loop calls those functions."""
    plain = [
        change(variant, calls=list(names) if variant.kernel == "copy" else [])
        for variant in VARIANTS
        if variant.store == "plain"
    ]
    return Context(collect(plain))


def foreign(copy: float, scale: float, verdicts: tuple[str, str] | None = None) -> Context:
    """A context of STREAM's table with those rates of Copy and Scale, and what these read."""
    kernels = [KERNELS[1], change(KERNELS[1], name="scale", formula="a = s*b", flops=1)]
    variants = [
        change(vector(kernel.name, "plain", DEFAULT, number=number), shape=None)
        for number, kernel in enumerate(kernels)
    ]
    rates = [
        ReportedRate(variant=number, table=0, gbps=gbps)
        for number, gbps in enumerate((copy, scale))
    ]
    results = [
        result(kernel, gbps, store="unknown", alpha=alpha(verdict))
        for kernel, gbps, verdict in zip(
            ("copy", "scale"), (copy, scale), verdicts or (), strict=False
        )
    ]
    return Context(
        collect([BenchmarkOutput(tool="STREAM"), *kernels, *variants, *rates]), kernels=results
    )


def ordinary(*results: KernelResult) -> Context:
    return Context(good_run(), kernels=results)


def on_modules(modules: list[MemoryModule], processor: str = "AMD EPYC 7451") -> Context:
    return Context(collect([machine(modules, processor=processor)]))


FULL = ordinary(
    result("copy", 28.1, crossed=42.0, alpha=alpha("full", 1.02)),
    result("triad", 29.7, crossed=39.6, alpha=alpha("full", 0.98)),
    result("triad", 45.8, store="streaming", alpha=alpha("at-most", 0.28)),
)
SMALL = collect([MACHINE, change(MEMORY, array_bytes=32 * MIB)])
GUEST = collect([change(MACHINE, hypervisor="KVM"), placement(place(0), place(1))])

CASES: list[tuple[str, str, Context, str]] = [
    (
        "above-peak",
        "error",
        with_peak(119.0),
        "sum plain moved 119.0 GB/s, 119 % of the theoretical peak of 100.0 GB/s (--peak). No",
    ),
    ("above-peak", "error", with_peak(99.0), "Check the figure given with --peak"),
    ("above-peak", "error", with_peak(119.0, run=SMALL), "below STREAM's 4x rule: measure larger"),
    (
        "above-peak",
        "error",
        with_peak(230.0, MODEL),
        "this memory is faster than the model says",
    ),
    ("above-peak", "error", with_peak(230.0, replace(MODEL, source="smbios")), "larger arrays"),
    (
        "above-peak",
        "error",
        Context(good_run(), peak=GIVEN, kernels=[result("copy", 120.0)]),
        "copy plain moved 120.0 GB/s",
    ),
    (
        "below-memory",
        "warning",
        with_peak(46.0),
        "The most that was seen is 46.0 GB/s (sum plain), 46 % of the theoretical peak of"
        " 100.0 GB/s (--peak), with a thread on every core; 70 to 92 % is usual. Look at",
    ),
    (
        "below-memory",
        "warning",
        with_peak(46.0, MODEL),
        "The peak is the maximum of this processor model; slower or fewer modules",
    ),
    (
        "below-memory",
        "warning",
        Context(good_run(), peak=GIVEN, kernels=[result("copy", 46.0)]),
        "It counts nominal bytes, without the lines that stores read.",
    ),
    (
        "below-memory",
        "warning",
        Context(
            collect([BenchmarkOutput(tool="STREAM", threads=48)]),
            given=UserFacts(cores=48),
            peak=Peak(341.2, "given", "--peak"),
            kernels=[result("copy", 76.8)],
        ),
        "76.8 GB/s (copy plain), 23 % of the theoretical peak of 341.2 GB/s (--peak), with a thread"
        " on every core; 70 to 92 % is usual. It counts nominal bytes, without the lines that"
        " stores read. Look at whether its threads were bound (OMP_PROC_BIND=true,"
        " OMP_PLACES=cores)",
    ),
    (
        "unpopulated-channels",
        "warning",
        Context(collect([epyc_7451(empty="GH")])),
        "4 of 16 memory channels have no module (empty: P0_DIMM_G1, P0_DIMM_H1, P1_DIMM_G1 and 1"
        " more): the memory reaches at most 75 % of what",
    ),
    (
        "unpopulated-channels",
        "warning",
        Context(
            collect([machine([module(f"DIMM_{c}1") for c in "ABCD"], processor="AMD EPYC 7763")])
        ),
        "4 of 8 memory channels have no module: the memory reaches at most 50 % of what the"
        " processors support. 4 of them are not on the list of slots",
    ),
    (
        "slow-modules",
        "note",
        on_modules(
            [module(f"DIMM_{c}{n}", rate=2400, rated=3200) for c in "ABCDEFGH" for n in (1, 2)]
        ),
        "16 of 16 memory modules run at 2400 MT/s and are rated 3200; the processor takes up to"
        " 2666. At 2666 the peak would be 11 % higher. Two modules share a channel, which many",
    ),
    (
        "slow-modules",
        "note",
        on_modules(
            [
                module("DIMM_A1", kind="DDR5", rate=4800),
                module("DIMM_B1", kind="DDR5", rate=4800, rated=5600),
            ],
            "Example 9000",
        ),
        "1 of 2 memory modules run at 4800 MT/s and are rated 5600; it is not known what the"
        " processor takes. At 5600 the peak would be 17 % higher. Look at",
    ),
    (
        "not-saturated",
        "note",
        series(2, {1: 0.00315, 2: 0.001583}, hypervisor="KVM"),
        "2 threads run sum 1.99 times as fast as 1: these figures are the limit of the cores (50"
        " lines in flight each, 150 ns away), not of the memory. More cores of this machine would",
    ),
    ("not-saturated", "note", series(2, {1: 0.02, 2: 0.01}), "Nothing is wrong: every"),
    (
        "contradiction",
        "warning",
        series(2, {1: 0.01, 2: 0.89}),
        "2 threads together reach far less than fewer do, which no memory explains",
    ),
    (
        "not-saturated",
        "note",
        series(2, {1: 0.02, 2: 0.01}, online_cpus="0-63"),
        "Start it with all CPUs of the machine",
    ),
    (
        "not-saturated",
        "note",
        series(2, {1: 0.02, 2: 0.01}, cores=64),
        "Use more threads: 64 cores are here (leave --threads and --cpus out).",
    ),
    (
        "write-allocate",
        "fact",
        FULL,
        "Ordinary stores read every line that they overwrite (inferred: copy plain 1.02, triad"
        " plain 0.98). Reads for each line of streaming stores: triad streaming at most 0.28. So"
        " triad plain moves 39.6 GB/s, not 29.7:",
    ),
    (
        "write-allocate",
        "fact",
        ordinary(result("copy", 28.1, crossed=28.1, alpha=alpha("none", 0.03))),
        "Ordinary stores do not read the lines that they overwrite (inferred: copy plain 0.03).",
    ),
    (
        "write-allocate",
        "fact",
        ordinary(result("copy", 28.1, crossed=35.1, alpha=alpha("partial", 0.5))),
        "Ordinary stores read part of the lines that they overwrite (inferred: copy plain 0.50).",
    ),
    (
        "write-allocate",
        "fact",
        ordinary(
            result("copy", 28.1, alpha=UNKNOWN),
            result("triad", 28.1, alpha=UNKNOWN),
        ),
        "Whether copy plain, triad plain read the lines that they overwrite is unknown: the"
        " hypervisor took 2 % of the time of the CPUs in use; above 1 %, times are not reliable."
        " Count traffic",
    ),
    (
        "late-read",
        "note",
        Context(
            good_run(),
            late_reads=[LateRead("triad", "regular", 0.12), LateRead("copy", "regular", 0.2)],
        ),
        "prefetched for writing, copy regular (20 %), triad regular (12 %). The read starts",
    ),
    (
        "streaming-slower",
        "note",
        streaming(0.012),
        "each in its quickest shape: copy (by 17 %). They avoid",
    ),
    (
        "copy-memcpy",
        "fact",
        calls("memcpy", "__kmpc_barrier"),
        "The compiler replaced plain loops by library calls: copy calls memcpy (from the object",
    ),
    ("copy-memcpy", "fact", calls("_intel_fast_memcpy"), "copy calls _intel_fast_memcpy (from"),
    (
        "copy-memcpy",
        "note",
        foreign(240.6, 175.6, ("none", "full")),
        "Copy is 37 % above Scale, though both move the same: Copy was probably memcpy with",
    ),
    (
        "copy-memcpy",
        "note",
        foreign(2.648, 1.833),
        "Copy was perhaps memcpy with streaming stores, or the arithmetic and not the memory held"
        " Scale back; the rates do not show which",
    ),
    (
        "copy-memcpy",
        "note",
        foreign(100.0, 140.0, ("full", "none")),
        "Copy is 29 % below Scale, though both move the same: Scale probably had streaming",
    ),
    ("copy-memcpy", "note", foreign(100.0, 140.0), "perhaps Scale, Add and Triad had streaming"),
    (
        "copy-memcpy",
        "note",
        foreign(15.5, 48.0),
        "a read before the store explains at most 50 % of difference, so something else slowed",
    ),
    ("copy-memcpy", "note", foreign(8.966, 3.659), "so something else slowed Scale down"),
    ("unproved", "warning", foreign(8.9, 8.9), "STREAM does not record where its threads ran"),
]


def findings(context: Context) -> dict[str, Finding]:
    return {each.code: each for each in judge(context).findings}


def passed(context: Context) -> dict[str, str]:
    return {each.code: each.text for each in judge(context).passed}


@pytest.mark.parametrize(
    ("code", "severity", "context", "text"), CASES, ids=[f"{c[0]}-{k}" for k, c in enumerate(CASES)]
)
def test_each_finding_tells_what_was_seen(
    code: str, severity: str, context: Context, text: str
) -> None:
    finding = findings(context)[code]
    assert finding.severity == severity
    assert text in finding.text
    assert finding.text.isascii()
    assert finding.text.endswith(".")
    assert "  " not in finding.text


def test_every_check_that_needs_a_context_has_a_case() -> None:
    of_output = {case[0] for case in test_findings_of_output.CASES}
    assert {case[0] for case in CASES} | of_output >= NEEDS_A_CONTEXT


def test_an_uncertain_figure_is_not_above_the_peak() -> None:
    likely = result("copy", 80.0, crossed=120.0, low=90.0)
    context = Context(good_run(), peak=GIVEN, kernels=[likely])
    assert "above-peak" not in findings(context)
    assert passed(context)["above-peak"].startswith("copy plain moved 90.0 GB/s, 90 % of the")


def test_invalid_figures_are_not_held_against_the_peak() -> None:
    context = Context(good_run(), peak=GIVEN, kernels=[result("sum", 300.0, valid=False)])
    assert not {"above-peak", "below-memory"} & set(findings(context))


def test_checks_of_the_series_are_not_held_against_the_peak() -> None:
    part = change(result("sum", 10.0), purpose="series")
    assert not {"above-peak", "below-memory"} & set(
        passed(Context(good_run(), peak=GIVEN, kernels=[part]))
    )


@pytest.mark.parametrize(
    "context",
    [
        with_peak(46.0, run=GUEST),
        with_peak(46.0, run=collect([MACHINE, placement(place(0))])),
        replace(with_peak(46.0), saturation=series(2, {1: 0.02, 2: 0.01}).saturation),
        Context(good_run(), kernels=[result("sum", 1.0)]),
        Context(
            collect([BenchmarkOutput(tool="STREAM", threads=4)]),
            peak=GIVEN,
            kernels=[result("copy", 1.0)],
        ),
    ],
)
def test_little_is_expected_of_a_part_of_a_machine_or_without_a_peak(context: Context) -> None:
    assert "below-memory" not in findings(context)


def on_processor(made: Machine, gbps: float, peak: Peak = GIVEN) -> Context:
    """A context in which sum moved ``gbps`` with a thread on each of two cores."""
    run = collect([change(made, cores=2), placement(place(0), place(1))])
    return with_peak(gbps, peak, run)


def test_a_share_that_is_usual_for_the_processor_passes() -> None:
    hbm = Peak(1638.4, "given", "--peak")
    xeon_max = machine(processor="Intel(R) Xeon(R) CPU Max 9480")
    assert "below-memory" in passed(on_processor(xeon_max, 800.0, hbm))
    text = findings(on_processor(xeon_max, 500.0, hbm))["below-memory"].text
    assert "43 to 68 % is usual here, because its cores keep too few lines in flight" in text
    assert "below-memory" in findings(on_processor(machine(), 45.0))


@pytest.mark.parametrize(
    ("made", "peak", "said"),
    [
        (epyc_7451(), Peak(341.2, "smbios", "16 channels"), None),
        (
            epyc_7451(empty="H"),
            Peak(298.6, "smbios", "14 channels"),
            "at the memory channels without a module,",
        ),
        (
            machine(processor="AMD EPYC 7763"),
            MODEL,
            "at whether every memory channel has a module, which is not known here,",
        ),
        (
            machine([module("N/A")] * 8, processor="AMD EPYC 7763"),
            Peak(170.6, "smbios", "8 channels"),
            None,
        ),
        (machine([module("N/A", kind="LPDDR5", width=32)] * 8), GIVEN, None),
        (machine(processor="A64FX"), Peak(1024.0, "given", "--peak"), None),
    ],
)
def test_nobody_is_sent_to_look_for_a_module_that_is_not_missing(
    made: Machine, peak: Peak, said: str | None
) -> None:
    text = findings(on_processor(made, 10.0, peak))["below-memory"].text
    if said is None:
        assert "channel" not in text.partition("Look at")[2]
    else:
        assert said in text


def test_a_usual_share_passes() -> None:
    assert passed(with_peak(85.0))["below-memory"] == (
        "the most that was seen is 85.0 GB/s (sum plain), 85 % of the theoretical peak"
    )


def test_populated_channels_pass() -> None:
    context = Context(collect([epyc_7451()]))
    assert passed(context)["unpopulated-channels"] == "all 16 memory channels have a module"


def test_sockets_without_a_processor_have_no_channels_to_fill() -> None:
    half = change(epyc_7451(), packages=1)
    slots = [
        module(each.locator, gibibytes=0) if each.locator.startswith("P1") else each
        for each in half.memory_modules
    ]
    context = Context(collect([change(half, memory_modules=slots)]))
    assert passed(context)["unpopulated-channels"] == "all 8 memory channels have a module"


@pytest.mark.parametrize(
    ("rate", "rated", "processor", "said"),
    [
        (2666, 2666, "Example 9000", "the memory runs at 2666 MT/s"),
        (2934, 2933, "Example 9000", "the memory runs at 2934 MT/s"),
        (
            2666,
            3200,
            "AMD EPYC 7451",
            "the memory runs at 2666 MT/s, rated 3200; the processor takes 2666",
        ),
    ],
)
def test_modules_as_fast_as_they_and_the_processor_can_pass(
    rate: int, rated: int, processor: str, said: str
) -> None:
    context = on_modules([module("DIMM_A1", rate=rate, rated=rated)], processor)
    assert passed(context)["slow-modules"] == said


def test_modules_without_both_rates_are_not_judged() -> None:
    only_rated = change(module("DIMM_A1", rated=3200), megatransfers=None)
    context = on_modules([only_rated])
    assert "slow-modules" not in {**findings(context), **passed(context)}


def test_memory_that_is_the_limit_passes() -> None:
    context = series(4, {1: 0.04, 2: 0.02, 4: 0.0199})
    assert passed(context)["not-saturated"] == (
        "the memory, or the path to it, is the limit: sum has 90 % of its best with 2 threads"
    )


def test_streaming_stores_that_gain_pass() -> None:
    assert passed(streaming(0.008))["streaming-slower"] == (
        "streaming stores were no slower in 1 kernel"
    )


def test_streaming_stores_that_are_slower_now_and_then_are_not_blamed() -> None:
    assert "streaming-slower" not in findings(streaming(0.0099, jitter=0.1))


def test_calls_that_read_what_they_overwrite_are_told_apart() -> None:
    called = replace(
        calls("memcpy"), kernels=[result("copy", 44.3, crossed=66.4, alpha=alpha("full", 1.0))]
    )
    sentence = "Here copy read every line overwritten, as a loop does (inferred)."
    assert sentence in findings(called)["copy-memcpy"].text
    assert "Here" not in findings(calls("memcpy"))["copy-memcpy"].text


def test_streaming_stores_where_there_is_no_read_to_avoid_are_not_said_to_avoid_one() -> None:
    context = streaming(0.012)
    kernels = context.run.kernels
    kernels["copy"] = change(kernels["copy"], write_allocates=False)
    text = findings(context)["streaming-slower"].text
    assert "no read to avoid" in text and "They avoid a read" not in text


def test_loops_that_stayed_loops_pass() -> None:
    assert passed(calls())["copy-memcpy"] == "the compiler replaced no plain loop by a library call"
    assert "copy-memcpy" in passed(foreign(100.0, 101.0))


def test_a_table_of_another_benchmark_is_no_unfinished_run() -> None:
    judged = {**findings(foreign(100.0, 101.0)), **passed(foreign(100.0, 101.0))}
    assert not {"unfinished", "absent", "no-counters"} & judged.keys()


def test_code_that_was_not_looked_at_is_not_judged() -> None:
    judged = {**findings(Context(good_run())), **passed(Context(good_run()))}
    assert "copy-memcpy" not in judged


def test_kernels_that_were_not_judged_have_no_write_allocate() -> None:
    assert "write-allocate" not in findings(ordinary(result("copy", 28.1)))


def test_counters_that_were_read_are_named() -> None:
    traffic = Traffic(
        variant=0,
        block=0,
        samples=1,
        passes=1,
        seconds=0.01,
        source="perf uncore_imc",
        domains=[DomainTraffic(node=0, bytes_read=1.0, bytes_written=1.0, bytes_total=2.0)],
        running_share=1.0,
    )
    run = good_run()
    run.traffic = {0: [traffic]}
    assert passed(Context(run))["no-counters"] == (
        "traffic was counted in 1 variant (perf uncore_imc)"
    )
