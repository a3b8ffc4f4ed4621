"""``--format stream``: STREAM's four kernels, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from example_records import (
    END,
    FOUR_STREAMS,
    MEMORY,
    good_run,
    samples_of,
    stream_records,
    validation,
    vector,
)
from golden import approved

from streamgage.errors import UsageError
from streamgage.interop.formats import parse_output
from streamgage.records import AnyRecord, Sample, Validation
from streamgage.records.run import collect
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.stream_table import render

change = msgspec.structs.replace
FOUR = ["Copy:", "Scale:", "Add:", "Triad:"]


def of(records: Sequence[AnyRecord]) -> str:
    return render(judge_measure(collect(records)))


def rows(records: Sequence[AnyRecord]) -> list[str]:
    return [line.split()[0] for line in of(records).splitlines() if line.split()[0] in FOUR]


def test_the_table() -> None:
    approved("stream.txt", of(stream_records()))


@pytest.mark.parametrize("store", ["plain", "regular", "streaming", "claim"])
def test_the_four_kernels_are_there_with_any_kind_of_store(store: str) -> None:
    assert rows(stream_records(store)) == FOUR


def test_another_kind_of_store_is_named_and_read_again() -> None:
    text = of(stream_records("streaming"))
    assert "\nKind of store: streaming (AVX2)\n" in text
    (table,) = parse_output(text).tables
    assert [(each.kernel, each.store) for each in table.rows] == [
        (name, "streaming") for name in ("copy", "scale", "add", "triad")
    ]
    assert "Kind of store" not in of(stream_records())


def another(kernel: str, number: int, **changes: object) -> list[AnyRecord]:
    """One more variant, which was sampled and is right."""
    variant = change(vector(kernel, "regular", number=number), **changes)
    return [variant, *samples_of(number, [9.0] * 8), validation(number)]


def test_plain_stores_come_before_others() -> None:
    more = [
        each
        for number, kernel in enumerate(("copy", "scale", "add", "triad"))
        for each in another(kernel, 10 + number)
    ]
    assert of([*more, *stream_records()]) == of(stream_records())


def test_the_instruction_set_that_was_named_first_and_no_tuned_variant_are_shown() -> None:
    more = [
        each
        for number, kernel in enumerate(("copy", "scale", "add", "triad"))
        for each in (
            *another(kernel, 10 + number, store="plain", isa="SSE2"),
            *another(kernel, 20 + number, tuned=True, shape=FOUR_STREAMS),
        )
    ]
    assert of([*stream_records(), *more]) == of(stream_records())


def test_a_wrong_result_of_any_variant_is_said() -> None:
    wrong = of([*stream_records(), *another("copy", 9), validation(9, valid=False)])
    assert "Failed Validation on array of Copy (regular)" in wrong
    assert "Solution Validates" not in wrong
    unchecked = [each for each in another("sum", 9) if not isinstance(each, Validation)]
    assert "Solution not checked" in of([*stream_records(), *unchecked])


def test_no_check_is_claimed_that_was_not_made() -> None:
    records = [each for each in stream_records() if not isinstance(each, Validation)]
    text = of([*records, change(END, reason="interrupted")])
    assert "Solution Validates" not in text
    assert "Solution not checked" in text


@pytest.mark.parametrize(
    ("number", "words"), [(1, "on the array"), (2, "on all 2 arrays"), (4, "on all 4 arrays")]
)
def test_the_arrays_are_counted(number: int, words: str) -> None:
    memory = change(MEMORY, arrays=[MEMORY.arrays[0]] * number)
    text = of([*stream_records(), memory])
    assert f"Solution Validates: avg error less than 1.000000e-13 {words}\n" in text


def test_a_result_without_the_four_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(UsageError, match="this result has no scale and add with the same kind"):
        render(judge_measure(good_run()))
    with pytest.raises(UsageError, match="this result has no copy, scale, add and triad: choose"):
        of([])


def test_kernels_that_were_not_reached_are_named() -> None:
    records = [
        each for each in stream_records() if not (isinstance(each, Sample) and each.variant > 1)
    ]
    assert rows(records) == ["Copy:", "Scale:"]
    text = of(records)
    assert "The run ended before a sample was taken of: add, triad" in text
