"""What is shown, against small files that were read and approved."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import msgspec
import pytest
from checked_runs import checked_records, checked_run
from example_machines import epyc_7451
from example_records import (
    DISTURBANCE,
    END,
    MACHINE,
    MEMORY,
    PREFETCH,
    TUNINGS,
    good_records,
    good_run,
    place,
    placement,
    records_of,
    samples_of,
    tuned_records,
    tuning,
    two_isas_records,
    validation,
    vector,
)
from golden import approved

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.user_facts import Given
from streamgage.records import AnyRecord, Sample, Tuning, Validation, Variant
from streamgage.records.run import collect
from streamgage.results.measure import stream_table
from streamgage.results.measure.crossing import crossed, ordinary_of, verdict
from streamgage.results.measure.judge import Answer, answer
from streamgage.results.measure.words import shape_lines
from streamgage.results.render import page_of
from streamgage.show.csv import render as csv_of
from streamgage.show.detail import Detail
from streamgage.show.markdown import render as markdown_of
from streamgage.show.symbols import ASCII, UNICODE, Symbols, symbols_for
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

change = msgspec.structs.replace
UNBOUND = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)


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


def tuned() -> Answer:
    """An answer in which some shapes gained."""
    return answer(collect(tuned_records()))


def two_isas() -> Answer:
    """An answer that compares two instruction sets."""
    return answer(collect(two_isas_records()))


def table(
    shown: Answer,
    width: int,
    symbols: Symbols = UNICODE,
    *,
    verbose: bool = False,
    explain: bool = False,
) -> str:
    detail = Detail(verbose=verbose, explain=explain)
    return render(page_of(shown.result, shown), Terminal(width, False, symbols), detail)


def as_csv(shown: Answer) -> str:
    return csv_of(page_of(shown.result, shown).data)


def as_markdown(shown: Answer) -> str:
    return markdown_of(page_of(shown.result, shown))


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
    approved("table.md", as_markdown(disturbed()))


@pytest.mark.parametrize("width", [100, 60])
def test_a_tuned_run_explained(width: int) -> None:
    approved(f"tuned-{width}.txt", table(tuned(), width, explain=True))


@pytest.mark.parametrize("width", [100, 80, 60])
def test_a_run_with_all_that_interpretation_needs(width: int) -> None:
    approved(f"checked-{width}.txt", table(answer(checked_run()), width))


def test_the_csv_of_a_run_with_all_that_interpretation_needs() -> None:
    approved("checked.csv", as_csv(answer(checked_run())))


def test_the_markdown_of_a_run_with_all_that_interpretation_needs() -> None:
    approved("checked.md", as_markdown(answer(checked_run())))


def without_checks(records: list[AnyRecord]) -> list[AnyRecord]:
    """Those records without what was measured for the interpretation alone."""
    checks = {each.id for each in records if isinstance(each, Variant) and each.purpose != "rate"}
    return [
        each
        for each in records
        if not (isinstance(each, Variant) and each.id in checks)
        and getattr(each, "variant", None) not in checks
    ]


def test_what_is_measured_for_the_interpretation_alone_changes_no_figure() -> None:
    checked, bare = answer(checked_run()), answer(collect(without_checks(checked_records())))
    assert stream_table.render(checked) == stream_table.render(bare)
    assert checked.result.quote == bare.result.quote
    names = ("best_gbps", "median_gbps", "low_gbps", "high_gbps", "gain", "n", "epochs", "shape")
    for name in names:
        figures = [[getattr(each, name) for each in a.result.kernels] for a in (checked, bare)]
        assert figures[0] == figures[1]
    rows = as_csv(checked).splitlines()
    assert len(rows) == len(as_csv(bare).splitlines()) == 19


CROSSED = {
    "full": ("42.0 inferred", "full, inferred"),
    "partial": ("35.0 inferred", "partial, inferred"),
    "none": ("28.1 excluded", "none, excluded"),
    "measured": ("40.1 measured", "full, measured"),
    "at-most": ("up to 33.1", "at most 0.36, inferred"),
    "cannot-tell": ("cannot tell", "cannot tell"),
}


@pytest.mark.parametrize("case", CROSSED)
def test_what_crossed_the_bus_is_told_with_its_evidence(case: str) -> None:
    copy = answer(good_run()).result.kernels[1]
    wanted = CROSSED[case]
    gbps = None if case in ("at-most", "cannot-tell") else float(wanted[0].split()[0])
    evidence = {"none": "excluded", "measured": "measured", "cannot-tell": None}
    told = {
        "verdict": "full" if case == "measured" else case,
        "high": 0.36 if case == "at-most" else None,
        "evidence": evidence.get(case, "inferred"),
    }
    result = change(
        copy,
        hardware_gbps=gbps,
        hardware_high_gbps=33.1 if case == "at-most" else gbps,
        alpha=msgspec.convert(told, Alpha),
    )
    assert (crossed(result), verdict(result)) == wanted


def test_kernels_that_read_what_they_overwrite_cross_as_shown() -> None:
    total = answer(good_run()).result.kernels[0]
    assert (crossed(total), verdict(total)) == ("as shown", "does not apply")
    small = answer(collect([*good_records(), change(MEMORY, array_bytes=MEMORY.array_bytes // 2)]))
    assert crossed(small.result.kernels[0]) == "cannot tell"


def test_what_crossed_is_of_plain_stores_and_else_of_regular_ones() -> None:
    wanted = {("plain", False), ("regular", False), ("regular", True), ("streaming", False)}
    copies = [
        change(answer(good_run()).result.kernels[1], store=store, tuned=tuned)
        for store, tuned in sorted(wanted, reverse=True)
    ]
    for first in (("plain", False), ("regular", False), ("regular", True)):
        found = ordinary_of(copies)
        assert found is not None and (found.store, found.tuned) == first
        copies.remove(found)
    assert ordinary_of(copies) is None


def test_without_ordinary_stores_nothing_is_said_of_them() -> None:
    text = table(answer(collect(records_of([vector("copy", "streaming")]))), 100)
    assert "crossed the bus" not in text


def test_two_instruction_sets() -> None:
    approved("isas-100.txt", table(two_isas(), 100))


def test_the_tuned_markdown_table() -> None:
    approved("tuned.md", as_markdown(tuned()))


def test_the_tuned_csv() -> None:
    approved("tuned.csv", as_csv(tuned()))


@pytest.mark.parametrize("width", range(30, 101))
def test_no_line_is_wider_than_the_terminal_and_no_digit_is_lost(width: int) -> None:
    shown = disturbed()
    text = table(shown, width)
    assert all(len(line) <= width for line in text.splitlines())
    row = next(line for line in text.splitlines() if line.startswith(" sum"))
    assert re.search(r" 6\.7\d ±0\.01", row)


@pytest.mark.parametrize("made", [tuned_records, two_isas_records])
@pytest.mark.parametrize("width", range(30, 101))
def test_tuned_columns_lose_no_digit_at_any_width(
    width: int, made: Callable[[], list[AnyRecord]]
) -> None:
    text = table(answer(collect(made())), width, explain=True)
    lines = text.splitlines()
    assert all(len(line) <= width for line in lines)
    (head,) = [number for number, line in enumerate(lines) if line.startswith(" GB/s")]
    titles = re.split("  +", lines[head].strip())
    row = next(line for line in lines[head:] if line.startswith(" triad"))
    figures = re.findall(r"(\d\.\d\d) ±0\.01", row)
    ways = [title for title in titles if re.match("plain|regular|streaming|tuned", title)]
    assert len(figures) + row.count("–") == len(ways) >= 1
    assert row.count("+8.0 %") == figures.count("7.24") <= titles.count("gain")
    said = " ".join(text.split())
    assert ("gain: of the tuned" in said) == ("gain" in titles)
    assert "left out for width: " in said


def test_what_stands_beside_its_standard_is_just_called_tuned() -> None:
    head = next(line for line in table(tuned(), 100).splitlines() if line.startswith(" GB/s"))
    assert head.split()[:8] == [
        *("GB/s", "plain", "regular", "tuned", "gain", "streaming", "tuned", "gain"),
    ]
    alone = answer(collect(records_of([vector("sum", "regular", PREFETCH)])))
    assert "regular tuned" in table(alone, 100)


def test_columns_left_out_have_their_whole_name() -> None:
    text = " ".join(table(tuned(), 40).split())
    assert "left out for width: best, regular, regular tuned, streaming" in text


def test_without_a_gain_it_is_said_that_shapes_were_sought() -> None:
    variants = [vector("copy", "regular"), vector("copy", "streaming")]
    searched = answer(collect(records_of(variants, [TUNINGS[1]])))
    text = " ".join(table(searched, 100).split())
    assert "no other shape was quicker than the default one beyond doubt: --explain" in text
    for never in ([], [tuning("copy", "regular", "skipped")]):
        text = " ".join(table(answer(collect(records_of(variants, never))), 100).split())
        assert "beyond doubt" not in text
        assert "gain" not in text


def test_the_peak_and_its_shares() -> None:
    text = table(answer(good_run(), Given(peak_gbps=10.0)), 100)
    approved("peak-100.txt", text)
    assert " · peak 10.0 GB/s (--peak)" in text
    assert "of peak" not in table(answer(good_run()), 100)
    assert "of peak" not in table(answer(good_run(), Given(peak_gbps=10.0)), 40)


def test_the_source_of_the_peak_is_shown() -> None:
    records = [*good_records(), epyc_7451(), UNBOUND]
    line = as_markdown(answer(collect(records))).splitlines()[0]
    assert line.endswith(" · peak 341.2 GB/s (16 channels of DDR4-2666, from SMBIOS)")
    records.append(change(epyc_7451(), memory_modules=[]))
    line = as_markdown(answer(collect(records))).splitlines()[0]
    assert line.endswith(" · peak 341.2 GB/s (at most 16 channels of DDR4-2666, by its model)")


def test_what_was_left_out_for_width_is_said() -> None:
    text = " ".join(table(disturbed(), 40).split())
    assert "left out for width: best, crossed the bus" in text


def test_colour_is_for_terminals_only() -> None:
    plain = table(disturbed(), 100)
    shown = disturbed()
    coloured = render(page_of(shown.result, shown), Terminal(100, True, UNICODE))
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
    for text in (table(empty, 80), stream_table.render(empty), as_markdown(empty)):
        assert text.strip()
    assert as_csv(empty).count("\n") == 1


def told(*tunings: Tuning) -> list[tuple[str, str]]:
    return list(shape_lines(answer(collect(records_of([vector("copy", "regular")], tunings)))))


def test_each_way_to_a_shape_is_explained() -> None:
    raced = dict(shape_lines(tuned()))
    assert raced["sum regular"] == (
        "4 streams 4 KiB apart: the quickest of 26 shapes in 338 runs, +8.2 % [+7.5 %, +9.0 %] in"
        " 21 pairs with the default shape"
    )
    assert raced["copy regular"] == (
        "default: the quickest other one of 26 shapes in 338 runs, read prefetch 1 KiB ahead, write"
        " prefetch at the access itself, came to +0.2 % [-0.4 %, +0.7 %] in 21 pairs with the"
        " default shape, which is no certain gain"
    )
    assert raced["triad regular"] == "default: the quickest of 26 shapes in 338 runs"
    assert raced["copy streaming"].endswith(
        ": found by an earlier run on this machine; --retune seeks anew"
    )
    given = told(tuning("copy", "regular", "given", PREFETCH))
    assert given == [
        (
            "copy regular",
            "read prefetch 1 KiB ahead, write prefetch at the access itself: given by --shape",
        )
    ]
    ((_, skipped),) = told(tuning("copy", "regular", "skipped"))
    assert skipped == ("default: arrays that fit in the caches tell nothing of memory, no race")


def test_pairs_too_few_for_an_interval_are_explained_without_one() -> None:
    few = change(TUNINGS[1], pairs=1, ratio_low=None, ratio_high=None)
    assert "came to +0.2 % in 1 pair with the default shape" in told(few)[0][1]


def test_several_instruction_sets_are_explained_by_name() -> None:
    names = [name for name, _ in shape_lines(two_isas())]
    assert names[:2] == ["copy regular SSE2", "copy regular AVX2"]


@pytest.mark.parametrize("width", [30, 69, 70, 100])
def test_no_name_is_cut_where_shapes_are_explained(width: int) -> None:
    long = tuning("sdaxpy", "streaming", isa="AVX3_SPR")
    run = records_of([vector("copy", "regular")], [long, tuning("sdaxpy", "streaming", isa="SSE2")])
    assert "sdaxpy streaming AVX3_SPR" in table(answer(collect(run)), width, explain=True)


def test_where_nothing_was_chosen_the_explanation_says_so() -> None:
    text = table(answer(good_run()), 100, explain=True)
    assert "No other shape than the default one was sought or given." in text
    assert "access shapes" not in table(answer(good_run()), 100)


def test_stream_takes_the_instruction_set_that_was_named_first() -> None:
    shown = two_isas()
    run = shown.run
    (first, second) = [
        v.id for v in run.variants.values() if (v.kernel, v.store) == ("copy", "plain")
    ]
    run.samples[second] = [change(sample, seconds=9.0) for sample in run.samples[second]]
    (best,) = re.findall(r"^Copy:\s+(\S+)", stream_table.render(answer(run)), re.MULTILINE)
    expected = run.sample_bytes(run.variants[first])
    assert expected is not None
    assert float(best) == pytest.approx(expected / min(run.times(first)) / 1e6, abs=0.06)


def test_stream_says_nothing_of_tuned_variants() -> None:
    records = tuned_records()
    standard = [each for each in records if not getattr(each, "tuned", False)]
    assert stream_table.render(answer(collect(standard))) == stream_table.render(tuned())


def test_markdown_names_what_tells_variants_apart() -> None:
    rows = [line.split("|")[1:4] for line in as_markdown(two_isas()).splitlines()]
    names = [
        tuple(map(str.strip, row)) for row in rows if row and row[0].strip() in ("copy", "triad")
    ]
    assert len(names) == len(set(names)) == 14
    assert ("copy", "plain SSE2", "–") in names
    assert ("copy", "streaming AVX2", "4 streams 4 KiB apart") in names


def test_csv_has_shape_and_gain() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(tuned()))))
    gained = [row for row in rows if row["tuned"] == "true"]
    assert [(row["kernel"], row["store"], row["shape"]) for row in gained] == [
        ("sum", "regular", "4 streams 4 KiB apart"),
        ("copy", "streaming", "read prefetch 1 KiB ahead, write prefetch at the access itself"),
        ("triad", "streaming", "4 streams 4 KiB apart"),
    ]
    for row in gained:
        assert float(row["gain_low"]) <= float(row["gain"]) <= float(row["gain_high"])
        assert float(row["gain"]) == pytest.approx(0.08, abs=1e-6)
    for row in rows:
        if row["tuned"] == "false":
            assert (row["gain"], row["gain_low"], row["gain_high"]) == ("", "", "")
            assert row["shape"] == ("" if row["store"] == "plain" else "default")


def test_csv_is_a_line_a_variant() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(answer(good_run())))))
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
