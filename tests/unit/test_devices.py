"""A run on a device: the same result as of a processor, without what only a processor has."""

from __future__ import annotations

import json

import msgspec
import pytest
from example_device import DEVICE, DEVICE_CLOCK, GPU_MEMORY, QUICKER, STANDARD, device_records
from example_records import MIB, good_records, validation
from golden import approved
from schemas import validator

from streamgage.analysis.finding import Finding
from streamgage.analysis.peak.reason import in_words
from streamgage.analysis.shapes import describe_shape
from streamgage.analysis.user_facts import UserFacts
from streamgage.comparison.compare.settings import SETTINGS
from streamgage.plan import Plan
from streamgage.records import AccessShape, AnyRecord
from streamgage.records.reader import decode_whole
from streamgage.records.run import collect
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
        *("two-modes", "paused", "not-converged", "write-allocate", "slower-shape"),
    }
    assert result_of().trust.verdict == "quotable"


def test_a_wrong_element_makes_a_result_of_a_device_invalid() -> None:
    assert finding("invalid", result_of(validation(5, valid=False))).severity == "error"


def test_how_the_caches_of_a_device_write_is_not_known() -> None:
    kernels = {each.kernel: each for each in result_of().document.kernels if not each.tuned}
    assert kernels["copy"].alpha.verdict == "cannot-tell"
    assert kernels["copy"].hardware_gbps is None
    assert kernels["sum"].hardware_gbps == kernels["sum"].median_gbps
    assert "sum" not in finding("write-allocate", result_of()).text


def test_a_rate_above_a_peak_that_was_given_is_refused() -> None:
    best = max(each.median_gbps or 0 for each in result_of().document.kernels)
    above = result_of(peak_gbps=best / 1.1)
    assert finding("above-peak", above).severity == "error"
    assert above.trust.verdict == "not-quotable"
    assert "above-peak" in {each.code for each in result_of(peak_gbps=best * 1.1).passed}


def test_no_peak_of_the_machine_is_taken_for_that_of_a_device() -> None:
    assert result_of().document.peak is None
    assert "give it with --peak" in in_words(result_of().document.peak_unknown)


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
    assert differing == {"device", "tuning", "type", "seed", "huge_pages"}
