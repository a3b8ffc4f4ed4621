"""A run on a device: the same result as of a processor, without what only a processor has."""

from __future__ import annotations

import json

import msgspec
import pytest
from example_device import (
    CACHE_LATENCY,
    CHAINS,
    CUDA_DEVICE,
    DEVICE,
    DEVICE_CLOCK,
    DEVICE_STATE,
    GPU_MEMORY,
    MEMORY_LATENCY,
    QUICKER,
    RING,
    STANDARD,
    STREAMED,
    device_latency_records,
    device_records,
    rung_of_device,
)
from example_records import MIB, good_records, validation
from golden import approved
from schemas import validator

from streamgage.analysis.finding import Finding
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.analysis.user_facts import UserFacts
from streamgage.comparison.compare.settings import SETTINGS
from streamgage.plan import Plan
from streamgage.records import (
    AccessShape,
    AnyRecord,
    Device,
    Machine,
    Sample,
    Validation,
    Variant,
)
from streamgage.records.reader import decode_whole
from streamgage.records.run import collect
from streamgage.results.kinds import result_of as result_of_document
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.experiment import ON_DEVICES
from streamgage.results.ladder.judge import LadderSetup, Rung, judge_ladder
from streamgage.results.latency.document import Latency
from streamgage.results.latency.experiment import LatencyRequest, plan_of_device
from streamgage.results.latency.judge import judge_latency
from streamgage.results.measure import KIND
from streamgage.results.measure.document import Measure
from streamgage.results.measure.experiment import QUICK, plan_on_device
from streamgage.results.measure.judge import judge_measure
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of
from streamgage.show.csv import render as csv_of
from streamgage.show.formats import as_json
from streamgage.show.markdown import render as markdown_of
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace


def result_of(*changed: AnyRecord, peak_gbps: float | None = None) -> Result[Measure]:
    return judge_measure(collect(device_records(*changed)), UserFacts(peak_gbps=peak_gbps))


def finding(code: str, result: Result[Measure]) -> Finding:
    return next(each for each in result.words.findings if each.code == code)


def codes(result: Result[Measure]) -> set[str]:
    return {
        *(each.code for each in result.words.findings),
        *(each.code for each in result.passed),
    }


@pytest.mark.parametrize("details", [False, True])
def test_what_a_terminal_shows_of_a_device(details: bool) -> None:
    text = render(result_of().page, Terminal(100, False, UNICODE), details=details)
    approved(f"device{'-details' if details else ''}-100.txt", text)


def test_every_format_has_the_device_and_its_shapes() -> None:
    result = result_of()
    for text in (markdown_of(result.page), as_json(result.document)):
        assert "Example GPU" in text
    assert "16-byte vectors, 4 loads in flight, groups of 128, 800 groups" in csv_of(
        result.page.data
    )


def test_the_document_is_of_the_schema_and_read_back() -> None:
    document = result_of().document
    validator("measure").validate(json.loads(as_json(KIND.printed(document))))
    assert document.device == DEVICE
    assert msgspec.json.decode(msgspec.json.encode(document), type=Measure) == document


def test_records_of_a_device_are_of_the_schema_and_read_back() -> None:
    records = device_records()
    lines = [msgspec.json.encode(each) for each in records]
    for line in lines:
        validator("records").validate(json.loads(line))
    assert decode_whole(b"\n".join(lines) + b"\n", pytest.fail) == records


def test_the_sentence_to_quote_names_the_device_and_no_threads() -> None:
    quote = result_of().words.quote
    assert quote is not None
    assert "Example GPU by OpenCL" in quote
    assert "thread" not in quote
    assert "Example 9000" not in quote, "the host's processor measured nothing"
    assert "tuned 72" in quote
    assert describe_shape(QUICKER) in quote


def test_what_is_about_threads_pages_and_processors_is_not_judged() -> None:
    assert codes(result_of()) == {
        *("invalid", "unfinished", "below-4x-rule", "memory-cap", "coarse-clock", "device-clock"),
        *(
            "two-speeds",
            "speed-drift",
            "two-modes",
            "paused",
            "not-converged",
            "write-allocate",
            "slower-shape",
        ),
    }
    assert result_of().trust.verdict == "quotable"


def test_a_wrong_element_makes_a_result_of_a_device_invalid() -> None:
    assert finding("invalid", result_of(validation(5, valid=False))).severity == "error"


def test_without_kernels_of_known_traffic_it_is_not_known_how_the_caches_write() -> None:
    kernels = {each.kernel: each for each in result_of().document.kernels if not each.tuned}
    assert kernels["copy"].alpha.verdict == "cannot-tell"
    assert kernels["copy"].hardware_gbps is None
    assert kernels["sum"].hardware_gbps == kernels["sum"].median_gbps
    text = finding("write-allocate", result_of()).text
    assert (
        "how the caches of the device write: too few kernels whose stores never cause a read"
        in text
    )
    assert "copy, triad count nominal bytes" in text


KNOWN = {"sum": 1.0, "update": 2.0, "daxpy": 3.0, "sdaxpy": 4.0}
"""Streams of kernels that read what they overwrite, or store nothing."""


def of_streams(**streams: float) -> Result[Measure]:
    """A run in which a stream takes a millisecond, whatever kernel it is of."""
    named = {**KNOWN, **streams}
    return judge_measure(collect(device_records(names=list(named), streams=named)))


@pytest.mark.parametrize(
    ("copy", "triad", "verdict", "words"),
    [
        (2.0, 3.0, "none", "Ordinary stores do not read the lines that they overwrite (inferred:"),
        (3.0, 4.0, "full", "Ordinary stores read every line that they overwrite (inferred:"),
    ],
)
def test_where_memory_is_the_limit_brackets_show_how_the_caches_write(
    copy: float, triad: float, verdict: str, words: str
) -> None:
    result = of_streams(copy=copy, triad=triad)
    kernels = {each.kernel: each for each in result.document.kernels if not each.tuned}
    for name, streams in (("copy", copy), ("triad", triad)):
        each = kernels[name]
        assert (each.alpha.verdict, each.alpha.evidence) == (verdict, "inferred")
        nominal = {"copy": 2, "triad": 3}[name]
        assert each.hardware_gbps == pytest.approx(
            (each.median_gbps or 0) * streams / nominal, rel=0.01
        )
    text = finding("write-allocate", result).text
    assert text.startswith(words)
    assert "streaming stores" not in text and "bare metal" not in text


@pytest.mark.parametrize(("init", "copy", "triad"), [(1.0, 2.0, 3.0), (2.0, 3.0, 4.0)])
def test_pure_writes_are_judged_with_copy_and_triad(init: float, copy: float, triad: float) -> None:
    result = of_streams(init=init, copy=copy, triad=triad)
    kernels = {each.kernel: each for each in result.document.kernels if not each.tuned}
    assert kernels["init"].alpha.verdict == kernels["copy"].alpha.verdict != "cannot-tell"
    # Writes that are as slow as reads and writes together may only have a path of their own.
    alone = of_streams(init=2.0, copy=2.0, triad=3.0)
    (of_init, *_) = (each for each in alone.document.kernels if each.kernel == "init")
    assert of_init.alpha.verdict == "cannot-tell"


def without_tuned_triad(triad: float) -> set[str]:
    """The verdicts on copy where the standard shape of triad is the fastest it has."""
    named = {**KNOWN, "copy": 2.0, "triad": triad / 1.08}
    records = device_records(names=list(named), streams=named)
    dropped = {e.id for e in records if isinstance(e, Variant) and e.tuned and e.kernel == "triad"}
    left = [
        each
        for each in records
        if not (isinstance(each, Variant) and each.id in dropped)
        and not (isinstance(each, Sample | Validation) and each.variant in dropped)
    ]
    kernels = judge_measure(collect(left)).document.kernels
    return {each.alpha.verdict for each in kernels if each.kernel == "copy"}


def test_copy_must_agree_with_triad_whatever_shapes_are_their_fastest() -> None:
    assert without_tuned_triad(3.0) == {"none"}
    assert without_tuned_triad(4.0) == {"cannot-tell"}, "triad reads, and copy does not"


def test_where_the_compute_units_are_the_limit_it_is_not_known() -> None:
    every_kernel_as_long = dict.fromkeys((*KNOWN, "copy", "triad"), 2.0)
    result = of_streams(**every_kernel_as_long)
    assert {each.alpha.verdict for each in result.document.kernels if each.kernel == "copy"} == {
        "cannot-tell"
    }
    assert "not the memory" in finding("write-allocate", result).text


def test_a_rate_above_a_peak_that_was_given_is_refused() -> None:
    best = max(each.median_gbps or 0 for each in result_of().document.kernels)
    above = result_of(peak_gbps=best / 1.1)
    assert finding("above-peak", above).severity == "error"
    assert above.trust.verdict == "not-quotable"
    assert "above-peak" in {each.code for each in result_of(peak_gbps=best * 1.1).passed}


def test_no_peak_of_the_machine_is_taken_for_that_of_a_device() -> None:
    assert result_of().document.peak is None
    assert "give it with --peak" in in_words(result_of().document.peak_unknown)


def test_the_peak_of_a_device_is_that_of_its_driver() -> None:
    peak = result_of(CUDA_DEVICE).document.peak
    assert peak is not None
    assert (peak.source, peak.detail) == ("driver", "5120 bits at 2619 MHz, doubled")
    assert peak.gbps == pytest.approx(3352.32)
    given = result_of(CUDA_DEVICE, peak_gbps=3000).document.peak
    assert given is not None
    assert given.source == "given"


def test_the_peak_of_a_slice_of_a_gpu_is_not_that_of_the_gpu() -> None:
    result = result_of(change(CUDA_DEVICE, slice="MIG 1g.10gb"))
    assert result.document.peak is None
    assert "a slice of a GPU (MIG 1g.10gb)" in in_words(result.document.peak_unknown)


@pytest.mark.parametrize(
    ("name", "gbps", "width"),
    [
        ("AMD Instinct MI300X", 5325, "8192 bits of HBM3"),
        ("AMD Instinct MI250X", 1638.5, "4096 bits of HBM2e"),
        ("NVIDIA A100-SXM4-80GB", 2039, "5120 bits of HBM2e"),
    ],
)
def test_a_peak_that_no_driver_says_is_known_by_the_name(
    name: str, gbps: float, width: str
) -> None:
    peak = result_of(change(DEVICE, name=name)).document.peak
    assert peak is not None
    assert (peak.gbps, peak.source, peak.detail) == (gbps, "model", width)


@pytest.mark.parametrize(
    "other", [{"slice": "CPX/NPS4"}, {"kind": "cpu"}, {"name": "NVIDIA RTX 4090 Laptop GPU"}]
)
def test_a_part_of_a_gpu_and_another_device_have_no_peak_by_name(other: dict[str, str]) -> None:
    of_other = {"name": "AMD Instinct MI300X", **other}
    assert result_of(change(DEVICE, **of_other)).document.peak is None


def test_published_values_of_a_gpu_stand_next_to_its_own() -> None:
    result = result_of(change(CUDA_DEVICE, name="NVIDIA H200"))
    expected = {each.kernel: each.values[0].low_gbps for each in result.document.expected}
    assert expected == {"triad": 4150}
    text = render(result.page, Terminal(100, False, UNICODE))
    assert "Microsoft measured 4150 GB/s for NVIDIA H200 (ND H200 v5)" in " ".join(text.split())
    sliced = result_of(change(CUDA_DEVICE, name="NVIDIA H200", slice="MIG 1g.18gb"))
    assert sliced.document.expected == []
    assert result_of(CUDA_DEVICE).document.expected == []


def test_a_rate_above_the_peak_that_the_driver_gives_is_refused() -> None:
    slow = change(CUDA_DEVICE, memory_clock_hertz=50_000_000)
    assert finding("above-peak", result_of(slow)).severity == "error"
    assert result_of(slow).trust.verdict == "not-quotable"


def test_a_device_may_come_within_a_hundredth_of_its_peak() -> None:
    best = max(each.median_gbps or 0 for each in result_of().document.kernels)
    assert "above-peak" in {each.code for each in result_of(peak_gbps=best / 0.995).passed}
    assert finding("above-peak", result_of(peak_gbps=best / 1.005)).severity == "error"


def test_the_report_shows_the_memory_and_how_the_device_ran() -> None:
    settings = dict(result_of(CUDA_DEVICE, DEVICE_STATE).page.settings)
    assert settings["Place"] == "0000:3b:00.0, GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01"
    assert settings["Memory"] == "5120 bits at 2619 MHz; error correction on"
    assert settings["Under load"] == (
        "cores 1755 to 1980 MHz; memory 2619 MHz; 698 of 700 W; 61 degrees Celsius (read 12 times)"
    )
    assert "sm_90" in settings["Driver"]


def test_the_sentence_to_quote_names_the_interface() -> None:
    assert "Example GPU by CUDA" in (result_of(CUDA_DEVICE).words.quote or "")


def test_a_device_that_nothing_slowed_says_so() -> None:
    passed = {each.code: each for each in result_of(DEVICE_STATE).passed}
    assert "in 12 readings" in passed["device-slowed"].text
    assert passed["device-shared"].text == "no other process had the device open"


def test_arrays_below_four_times_the_cache_of_the_device_are_named() -> None:
    small = change(GPU_MEMORY, array_bytes=8 * MIB, asked_bytes=8 * MIB)
    assert finding("below-4x-rule", result_of(small)).severity == "spoiled"


def test_samples_of_few_ticks_of_the_device_are_named() -> None:
    coarse = change(DEVICE_CLOCK, tick_seconds=1e-3)
    assert finding("coarse-clock", result_of(coarse)).severity == "warning"
    by_host = change(coarse, timed_by="host")
    assert "coarse-clock" in {each.code for each in result_of(by_host).passed}


@pytest.mark.parametrize(
    ("events", "words"),
    [(None, "gives no time stamps"), (0.009, "the host's clock disagree")],
)
def test_samples_that_the_host_timed_say_so(events: float | None, words: str) -> None:
    clock = change(DEVICE_CLOCK, timed_by="host", event_seconds=events)
    assert words in finding("device-clock", result_of(clock)).text


def test_history_and_compare_tell_a_device_from_the_processor() -> None:
    device, processor = result_of(), judge_measure(collect(good_records()))
    assert summary_of(device).processor == "Example GPU (opencl:0)"
    assert summary_of(device).threads is None
    (of,) = [each.of for each in SETTINGS if each.what == "processor"]
    values = [value.text for result in (device, processor) if (value := of(result)) is not None]
    assert values == ["Example GPU (opencl:0)", "Example 9000"]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (STANDARD, "8-byte vectors, 1 load in flight, groups of 256, one pass"),
        (QUICKER, "16-byte vectors, 4 loads in flight, groups of 128, 800 groups"),
        (RING, "16-byte vectors, ring of 4 bulk copies of 8 KiB, groups of 256, 528 groups"),
        (STREAMED, "16-byte vectors, 4 loads in flight, streaming, groups of 256, one pass"),
    ],
)
def test_shapes_of_devices_as_they_are_read(shape: AccessShape, words: str) -> None:
    assert describe_shape(shape) == words


def test_the_shape_of_a_processor_has_no_part_of_a_device() -> None:
    assert "device" not in msgspec.to_builtins(AccessShape())


def test_the_plan_for_a_device_asks_for_nothing_of_a_processor() -> None:
    plan = plan_on_device(
        QUICK,
        "opencl:1",
        kernels=None,
        tuned=True,
        type="float",
        array_bytes=None,
        last_level_cache_bytes=None,
        seed=7,
    )
    assert plan.kernels == list(QUICK.kernels)
    assert plan.tuning is not None
    assert plan.tuning.budget_seconds == QUICK.tuning_seconds
    asks = Plan(kernels=plan.kernels, sampling=plan.sampling)
    differing = {
        name for name in Plan.__struct_fields__ if getattr(plan, name) != getattr(asks, name)
    }
    assert differing == {"device", "tuning", "type", "seed", "pages"}


def latency_of(device: Device = DEVICE) -> Latency:
    return judge_latency(collect(device_latency_records(device)))


def ladder_of(device: Device = DEVICE) -> Ladder:
    rungs = [Rung(ON_DEVICES, "triad", size) for size in CHAINS if size >= MIB // 2]
    runs = [
        FreshRun(
            each.name,
            number,
            collect(rung_of_device(each.bytes, device=device, number=number)),
            None,
            None,
        )
        for number in (1, 2)
        for each in rungs
    ]
    setup = LadderSetup(threads=0, cpus=(), rounds=2, seed=7, modes=(ON_DEVICES,), device=device)
    return judge_ladder(runs, rungs, setup, None)


UNSAID = change(DEVICE, cache_bytes=None, rule_cache_bytes=256 << 20)


@pytest.mark.parametrize(("device", "claimed"), [(DEVICE, 16 * MIB), (UNSAID, None)])
def test_a_latency_shows_the_cache_and_the_memory_of_a_device(
    device: Device, claimed: int | None
) -> None:
    latency = latency_of(device)
    assert [each.level for each in latency.steps] == ["cache", "memory"]
    cache, memory = latency.steps
    assert cache.seconds.value == pytest.approx(CACHE_LATENCY, rel=0.01)
    assert memory.seconds.value == pytest.approx(MEMORY_LATENCY, rel=0.01)
    assert (cache.claimed_bytes, memory.claimed_bytes) == (claimed, None)
    assert latency.cpu is None


@pytest.mark.parametrize(("device", "claimed"), [(DEVICE, 16 * MIB), (UNSAID, None)])
def test_a_ladder_shows_the_cache_and_the_memory_of_a_device(
    device: Device, claimed: int | None
) -> None:
    ladder = ladder_of(device)
    (curve,) = ladder.curves
    assert [each.level for each in curve.steps] == ["cache", "memory"]
    assert [round(each.gbps.value, -1) for each in curve.steps] == [300, 60]
    assert [each.claimed_bytes for each in curve.steps] == [claimed, None]
    assert (ladder.threads, curve.threads, ladder.device) == (None, None, device)


def test_chains_reach_past_the_cache_that_the_engine_sizes_for() -> None:
    request = LatencyRequest()
    large = change(UNSAID, memory_bytes=1 << 40, largest_array_bytes=1 << 40)
    ends = {
        cache: max(plan_of_device(request, change(large, rule_cache_bytes=cache)).plan.chain_bytes)
        for cache in (16 * MIB, 64 * MIB)
    }
    assert ends[64 * MIB] == 4 * ends[16 * MIB] >= 4 * 64 * MIB


def test_a_curve_within_a_cache_of_unknown_size_names_no_level() -> None:
    within = [
        each
        for each in device_latency_records(UNSAID)
        if getattr(each, "bytes", 0) <= 16 * MIB or isinstance(each, (Device, Machine))
    ]
    assert judge_latency(collect(within)).steps == []


@pytest.mark.parametrize("name", ["latency", "ladder"])
def test_what_a_terminal_shows_of_the_sizes_of_a_device(name: str) -> None:
    result = result_of_document(latency_of() if name == "latency" else ladder_of())
    approved(f"{name}/device-100.txt", render(result.page, Terminal(100, False, UNICODE)))


@pytest.mark.parametrize("name", ["latency", "ladder"])
def test_sizes_of_a_device_are_stored_and_listed_as_its_own(name: str) -> None:
    document = latency_of() if name == "latency" else ladder_of()
    result = result_of_document(document)
    validator(name).validate(json.loads(as_json(result.kind.printed(document))))
    assert msgspec.json.decode(msgspec.json.encode(document), type=type(document)) == document
    summary = summary_of(result)
    assert (summary.processor, summary.threads) == ("Example GPU (opencl:0)", None)


def test_walks_that_the_host_timed_say_so() -> None:
    records = device_latency_records()
    by_host = change(DEVICE_CLOCK, timed_by="host")
    latency = judge_latency(collect([*records, by_host]))
    assert "a launch of 20 us in it" in str(result_of_document(latency).page.note)
