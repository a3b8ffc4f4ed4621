"""What is shown, against small files that were read and approved.

``STREAMGAGE_APPROVE=1 pytest tests/unit/test_present.py`` writes them anew, to be reviewed.
"""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path

import msgspec
import pytest
from made_records import (
    DISTURBANCE,
    END,
    MACHINE,
    MEMORY,
    good_records,
    good_run,
    samples_of,
    validation,
)

from streamgage.analysis.run import collect
from streamgage.analysis.summary import Answer, answer
from streamgage.present import csv_table, markdown_table, stream_table
from streamgage.present.symbols import ASCII, UNICODE, Symbols, symbols_for
from streamgage.present.terminal import Terminal, render
from streamgage.records import Sample, Validation

GOLDEN = Path(__file__).parent / "golden"
change = msgspec.structs.replace


def disturbed() -> Answer:
    """An answer with an error, a warning and a note."""
    return answer(
        collect(
            [
                *good_records(),
                change(MACHINE, online_cpus="0-3", hypervisor="KVM"),
                change(DISTURBANCE, steal_seconds=5.0),
                validation(3, valid=False),
            ]
        )
    )


def table(shown: Answer, width: int, symbols: Symbols = UNICODE, *, verbose: bool = False) -> str:
    return render(shown, Terminal(width, False, symbols), verbose=verbose)


def approved(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("STREAMGAGE_APPROVE"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("width", [100, 80, 60])
def test_a_good_run(width: int) -> None:
    approved(f"good-{width}.txt", table(answer(good_run()), width))


def test_a_disturbed_run() -> None:
    approved("disturbed-100.txt", table(disturbed(), 100))


def test_a_disturbed_run_in_ascii_with_all_checks() -> None:
    text = table(disturbed(), 100, ASCII, verbose=True)
    assert text.isascii()
    approved("disturbed-ascii-verbose.txt", text)


def test_the_stream_table() -> None:
    approved("stream.txt", stream_table.render(answer(good_run())))


def test_the_markdown_table() -> None:
    approved("table.md", markdown_table.render(disturbed()))


@pytest.mark.parametrize("width", range(30, 101))
def test_no_line_is_wider_than_the_terminal_and_no_digit_is_lost(width: int) -> None:
    shown = disturbed()
    text = table(shown, width)
    assert all(len(line) <= width for line in text.splitlines())
    row = next(line for line in text.splitlines() if line.startswith(" sum"))
    assert re.search(r" 6\.7\d ±0\.01", row)


def test_what_was_left_out_for_width_is_said() -> None:
    text = " ".join(table(disturbed(), 40).split())
    assert "left out for width: crossed the bus, best" in text


def test_colour_is_for_terminals_only() -> None:
    plain = table(disturbed(), 100)
    coloured = render(disturbed(), Terminal(100, True, UNICODE))
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r" *(?=\n)", "", re.sub(r"\x1b\[[0-9;]*m", "", coloured)) == plain


def test_marks_fit_the_encoding() -> None:
    assert symbols_for("utf-8") is UNICODE
    assert [symbols_for(name) for name in ("ascii", "latin-1", None, "nonsense")] == [ASCII] * 4


def test_a_wrong_result_is_marked_and_its_number_still_shown() -> None:
    row = next(line for line in table(disturbed(), 100).splitlines() if line.startswith(" triad"))
    assert re.search(r"✗ 5\.03 ±0\.01", row)


def test_few_samples_show_no_interval() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    text = table(answer(collect([*records, *samples_of(0, [0.01] * 3)])), 100)
    assert "±?" in text
    assert "n = 3 each (too few for an interval)" in " ".join(text.split())


def test_no_sample_at_all_is_said() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    assert "No timed sample was taken." in table(answer(collect(records)), 100)


def test_an_empty_answer_is_shown_in_every_format() -> None:
    empty = answer(collect([]))
    for text in (table(empty, 80), *(f.render(empty) for f in (stream_table, markdown_table))):
        assert text.strip()
    assert csv_table.render(empty).count("\n") == 1


def test_csv_is_a_line_a_variant() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_table.render(answer(good_run())))))
    assert [(row["kernel"], row["store"]) for row in rows] == [
        *(("sum", "plain"), ("copy", "plain"), ("copy", "streaming"), ("triad", "plain")),
    ]
    assert float(rows[0]["median_gbps"]) == pytest.approx(6.71, abs=0.01)
    assert rows[1]["hardware_gbps"] == ""
    assert {row["valid"] for row in rows} == {"true"}


def test_stream_says_when_a_result_is_wrong() -> None:
    text = stream_table.render(disturbed())
    assert "Failed Validation on array" in text
    assert "Solution Validates" not in text


def test_stream_validates_only_where_every_variant_did() -> None:
    wrong = stream_table.render(answer(collect([*good_records(), validation(2, valid=False)])))
    assert "Solution Validates" not in wrong
    assert "Failed Validation on array of Copy (streaming)" in wrong
    unchecked = [r for r in good_records() if not (isinstance(r, Validation) and r.variant == 0)]
    text = stream_table.render(answer(collect(unchecked)))
    assert "Solution Validates" not in text


@pytest.mark.parametrize(
    ("number", "words"), [(1, "on the array"), (2, "on all 2 arrays"), (4, "on all 4 arrays")]
)
def test_stream_counts_the_arrays(number: int, words: str) -> None:
    memory = change(MEMORY, arrays=[MEMORY.arrays[0]] * number)
    text = stream_table.render(answer(collect([*good_records(), memory])))
    assert f"Solution Validates: avg error less than 1.000000e-13 {words}\n" in text


def test_unlike_cores_have_no_number_of_threads_each() -> None:
    hybrid = change(MACHINE, cores=16, hardware_threads=24, threads_per_core=2)
    text = table(answer(collect([*good_records(), hybrid])), 100)
    assert "16 cores, 24 hardware threads" in text


def test_stream_does_not_claim_a_check_that_was_not_made() -> None:
    records = [record for record in good_records() if not isinstance(record, Validation)]
    text = stream_table.render(answer(collect([*records, change(END, reason="interrupted")])))
    assert "Solution Validates" not in text
    assert "Solution not checked" in text


def test_stream_without_its_kernels_says_so() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    text = stream_table.render(answer(collect([*records, *samples_of(0, [0.01] * 6)])))
    assert "No plain variant of Copy, Scale, Add or Triad was measured" in text
    assert "Solution Validates" not in text
