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
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import AnyRecord, Sample, Tuning, Variant
from streamgage.records.run import collect
from streamgage.results.measure.crossing import crossed, ordinary_of, verdict
from streamgage.results.measure.document import Measure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.words import shape_lines
from streamgage.results.result import Result
from streamgage.show.csv import render as csv_of
from streamgage.show.markdown import render as markdown_of
from streamgage.show.page import words
from streamgage.show.symbols import ASCII, UNICODE, Symbols, symbols_for
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.units import format_change, format_rate

change = msgspec.structs.replace
UNBOUND = placement(place(0, mask="0-1"), place(1, mask="0-1"), kind="none", bound=False)


def disturbed() -> Result[Measure]:
    """An answer with an error, a warning and a note."""
    return judge_measure(
        collect(
            [
                *good_records(),
                change(MACHINE, online_cpus="0-3", hypervisor="KVM"),
                change(DISTURBANCE, steal_seconds=5.0),
                validation(3, valid=False),
            ]
        )
    )


def tuned() -> Result[Measure]:
    """An answer in which some shapes gained."""
    return judge_measure(collect(tuned_records()))


def two_isas() -> Result[Measure]:
    """An answer that compares two instruction sets."""
    return judge_measure(collect(two_isas_records()))


def table(
    shown: Result[Measure],
    width: int,
    symbols: Symbols = UNICODE,
    *,
    details: bool = True,
) -> str:
    terminal = Terminal(width, False, symbols)
    return render(shown.page, terminal, details=details)


def as_csv(shown: Result[Measure]) -> str:
    return csv_of(shown.page.data)


def as_markdown(shown: Result[Measure]) -> str:
    return markdown_of(shown.page)


@pytest.mark.parametrize("width", [100, 80, 60])
def test_a_good_run(width: int) -> None:
    approved(f"good-{width}.txt", table(judge_measure(good_run()), width))


def test_a_disturbed_run() -> None:
    approved("disturbed-100.txt", table(disturbed(), 100))


def test_a_disturbed_run_in_ascii_with_all_checks() -> None:
    text = table(disturbed(), 100, ASCII)
    assert text.isascii()
    approved("disturbed-ascii-verbose.txt", text)


def test_the_markdown_table() -> None:
    approved("table.md", as_markdown(disturbed()))


@pytest.mark.parametrize("width", [100, 60])
def test_a_tuned_run_explained(width: int) -> None:
    approved(f"tuned-{width}.txt", table(tuned(), width))


@pytest.mark.parametrize("width", [100, 80, 60])
def test_a_run_with_all_that_interpretation_needs(width: int) -> None:
    approved(f"checked-{width}.txt", table(judge_measure(checked_run()), width))


def test_the_csv_of_a_run_with_all_that_interpretation_needs() -> None:
    approved("checked.csv", as_csv(judge_measure(checked_run())))


def test_the_markdown_of_a_run_with_all_that_interpretation_needs() -> None:
    approved("checked.md", as_markdown(judge_measure(checked_run())))


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
    checked, bare = (
        judge_measure(checked_run()),
        judge_measure(collect(without_checks(checked_records()))),
    )
    assert checked.words.quote == bare.words.quote
    names = ("best_gbps", "median_gbps", "low_gbps", "high_gbps", "gain", "n", "epochs", "shape")
    for name in names:
        figures = [[getattr(each, name) for each in a.document.kernels] for a in (checked, bare)]
        assert figures[0] == figures[1]
    rows = as_csv(checked).splitlines()
    assert len(rows) == len(as_csv(bare).splitlines()) == 19


CROSSED = {
    "full": ("42.0 inferred", "full, inferred"),
    "partial": ("35.0 inferred", "partial, inferred"),
    "none": ("28.1 excluded", "none, excluded"),
    "measured": ("40.1 measured", "full, measured"),
    "at-most": ("up to 33.1 inferred", "at most 0.36, inferred"),
    "cannot-tell": ("–", "cannot tell"),
}


@pytest.mark.parametrize("case", CROSSED)
def test_what_crossed_the_bus_is_told_with_its_evidence(case: str) -> None:
    copy = judge_measure(good_run()).document.kernels[1]
    wanted = CROSSED[case]
    gbps = None if case in ("at-most", "cannot-tell") else float(wanted[0].split()[0])
    evidence = {"none": "excluded", "measured": "measured", "cannot-tell": None}
    texts = {
        "verdict": "full" if case == "measured" else case,
        "high": 0.36 if case == "at-most" else None,
        "evidence": evidence.get(case, "inferred"),
    }
    result = change(
        copy,
        hardware_gbps=gbps,
        hardware_low_gbps=None,
        hardware_high_gbps=33.1 if case == "at-most" else gbps,
        alpha=msgspec.convert(texts, Alpha),
    )
    assert (words(crossed(result)), verdict(result)) == wanted


def test_kernels_that_read_what_they_overwrite_cross_as_shown() -> None:
    total = judge_measure(good_run()).document.kernels[0]
    assert (crossed(total).value, verdict(total)) == (total.median_gbps, "does not apply")
    small = judge_measure(
        collect([*good_records(), change(MEMORY, array_bytes=MEMORY.array_bytes // 2)])
    )
    assert words(crossed(small.document.kernels[0])) == "–"


def test_what_crossed_is_of_plain_stores_and_else_of_regular_ones() -> None:
    wanted = {("plain", False), ("regular", False), ("regular", True), ("streaming", False)}
    copies = [
        change(judge_measure(good_run()).document.kernels[1], store=store, tuned=tuned)
        for store, tuned in sorted(wanted, reverse=True)
    ]
    for first in (("plain", False), ("regular", False), ("regular", True)):
        found = ordinary_of(copies)
        assert found is not None and (found.store, found.tuned) == first
        copies.remove(found)
    assert ordinary_of(copies) is None


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
    text = table(judge_measure(collect(made())), width)
    lines = text.splitlines()
    assert all(len(line) <= width for line in lines)
    head, end = (
        next(number for number, line in enumerate(lines) if line.startswith(start))
        for start in (" kernel, ", " nominal bytes")
    )
    medians = [re.search(r"\d\.\d\d ±0\.01", line) for line in lines[head:end]]
    shown = [each[0].split()[0] for each in medians if each is not None]
    kernels = judge_measure(collect(made())).document.kernels
    assert shown == [format_rate(each.median_gbps or 0) for each in kernels]
    titles = re.split("  +", lines[head].strip())
    said = " ".join(text.split())
    assert ("gain: of the tuned" in said) == ("gain" in titles)
    assert "left out for width: " in said


def test_a_tuned_row_follows_its_standard_one() -> None:
    lines = table(tuned(), 100).splitlines()
    rows = [line for line in lines if re.match(r" [a-z]+ (plain|regular|streaming) ", line)]
    names = [re.split("  +", row.strip())[0] for row in rows]
    assert names[names.index("sum regular") + 1] == "sum regular tuned"


def unconfirmed(*also: str) -> Result[Measure]:
    """The tuned run, but that triad's streaming shape, and ``also``, came out as chance has it."""
    records = tuned_records()
    chance = {
        each.id
        for each in records
        if isinstance(each, Variant) and each.tuned and each.kernel in ("triad", *also)
    }
    return judge_measure(
        collect(
            change(each, seconds=each.seconds * (1.6 if each.block % 3 else 0.9))
            if isinstance(each, Sample) and each.variant in chance
            else each
            for each in records
        )
    )


def test_a_gain_that_the_run_does_not_confirm_is_not_shown() -> None:
    found = unconfirmed()
    (triad,) = [each for each in found.document.kernels if each.tuned and each.kernel == "triad"]
    assert triad.gain is not None and triad.gain < 0
    for text in (table(found, 160), as_markdown(found)):
        assert format_rate(triad.median_gbps or 0) in text
        assert format_change(triad.gain) not in text
        assert text.count("+8.0 %") >= 2
    said = "a tuned figure without a gain is not quicker beyond doubt"
    assert said in " ".join(table(found, 160).split())
    assert said not in " ".join(table(tuned(), 160).split())


def test_where_no_gain_is_confirmed_there_is_no_column_of_gains() -> None:
    text = table(unconfirmed("sum", "copy"), 160)
    head = next(line for line in text.splitlines() if line.startswith(" kernel, stores"))
    assert "sum regular tuned" in text and "gain" not in head


def test_a_shape_that_the_run_does_not_confirm_is_explained_so() -> None:
    lines = dict(shape_lines(unconfirmed("copy")))
    assert lines["copy streaming"].endswith("; this run does not confirm that it is quicker")
    assert not any("confirm" in each for each in dict(shape_lines(tuned())).values())


def test_the_quote_calls_no_shape_better_that_the_run_does_not_confirm() -> None:
    assert "; tuned 7.24 ±0.01 GB/s" in (tuned().words.quote or "")
    records = tuned_records()
    lucky = {each.id for each in records if isinstance(each, Variant) and each.tuned}
    found = judge_measure(
        collect(
            change(each, seconds=each.seconds * (0.5 if each.block % 5 < 3 else 3.0))
            if isinstance(each, Sample) and each.variant in lucky
            else each
            for each in records
        )
    )
    triads = {each.tuned: each for each in found.document.kernels if each.kernel == "triad"}
    assert (triads[True].median_gbps or 0) > (triads[False].median_gbps or 0)
    assert triads[True].unconfirmed
    assert "tuned" not in (found.words.quote or "")


def test_columns_left_out_have_their_whole_name() -> None:
    text = " ".join(table(tuned(), 40).split())
    assert "left out for width: gain, best GB/s, crossed the bus GB/s, write-allocate" in text


def test_without_a_gain_it_is_said_that_shapes_were_sought() -> None:
    variants = [vector("copy", "regular"), vector("copy", "streaming")]
    searched = judge_measure(collect(records_of(variants, [TUNINGS[1]])))
    text = " ".join(table(searched, 100).split())
    assert "no other shape was quicker than the default one beyond doubt" in text
    for never in ([], [tuning("copy", "regular", "skipped")]):
        text = " ".join(table(judge_measure(collect(records_of(variants, never))), 100).split())
        assert "beyond doubt" not in text
        assert "gain" not in text


def test_the_peak_and_its_shares() -> None:
    text = table(judge_measure(good_run(), UserFacts(peak_gbps=10.0)), 100)
    approved("peak-100.txt", text)
    assert " · peak 10.0 GB/s (--peak)" in text
    assert "of peak" not in table(judge_measure(good_run()), 100)
    assert "of peak" not in table(judge_measure(good_run(), UserFacts(peak_gbps=10.0)), 30)


def test_the_source_of_the_peak_is_shown() -> None:
    records = [*good_records(), epyc_7451(), UNBOUND]
    lines = as_markdown(judge_measure(collect(records))).splitlines()
    line = next(each for each in lines if each.startswith("AMD EPYC"))
    assert line.endswith(" · peak 341.2 GB/s (16 channels of DDR4-2666, from SMBIOS)")
    records.append(change(epyc_7451(), memory_modules=[]))
    lines = as_markdown(judge_measure(collect(records))).splitlines()
    line = next(each for each in lines if each.startswith("AMD EPYC"))
    assert line.endswith(" · peak 341.2 GB/s (at most 16 channels of DDR4-2666, by its model)")


def test_what_was_left_out_for_width_is_said() -> None:
    text = " ".join(table(disturbed(), 40).split())
    assert "left out for width: best GB/s, crossed the bus GB/s, write-allocate, n, result" in text


def test_colour_is_for_terminals_only() -> None:
    plain = table(disturbed(), 100)
    shown = disturbed()
    coloured = render(shown.page, Terminal(100, True, UNICODE), details=True)
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert re.sub(r" *(?=\n)", "", re.sub(r"\x1b\[[0-9;]*m", "", coloured)) == plain


def test_marks_fit_the_encoding() -> None:
    assert symbols_for("utf-8") is UNICODE
    assert [symbols_for(name) for name in ("ascii", "latin-1", None, "nonsense")] == [ASCII] * 4


def test_a_wrong_result_is_marked_and_its_number_still_shown() -> None:
    row = next(line for line in table(disturbed(), 100).splitlines() if line.startswith(" triad"))
    assert re.search(r"✗ 5\.03 ±0\.01", row)


def test_few_samples_show_their_range() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    few = judge_measure(collect([*records, *samples_of(0, [0.01, 0.012, 0.016])]))
    text = " ".join(table(few, 100).split())
    assert "median; ± or a to b: the range of 3 samples" in text
    shown = [each for each in few.document.kernels if each.n]
    assert {each.bounded_by for each in shown} == {"range"}
    assert all((each.high_gbps or 0) / (each.low_gbps or 1) == pytest.approx(1.6) for each in shown)


def test_two_allocations_show_the_range_of_their_samples() -> None:
    """An interval by Student's t would have gone from 0.9 to 2571 GB/s."""
    records = [record for record in good_records() if not isinstance(record, Sample)]
    samples = [
        msgspec.structs.replace(each, epoch=number >= 2)
        for number, each in enumerate(samples_of(0, [0.010, 0.011, 0.024, 0.025]))
    ]
    text = table(judge_measure(collect([*records, *samples])), 100)
    result = judge_measure(collect([*records, *samples])).document.kernels[0]
    assert (result.epochs, result.bounded_by) == (2, "range")
    assert result.high_gbps == result.best_gbps
    assert "the range of 2 allocations" in " ".join(text.split())
    assert f"{format_rate(result.low_gbps or 0)} to {format_rate(result.high_gbps or 0)}" in text


def test_a_single_sample_has_no_bounds() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    text = table(judge_measure(collect([*records, *samples_of(0, [0.01])])), 100)
    assert "±?" in text
    assert "n = 1 each (too few for bounds)" in " ".join(text.split())


def test_no_sample_at_all_is_said() -> None:
    records = [record for record in good_records() if not isinstance(record, Sample)]
    assert "No timed sample was taken." in table(judge_measure(collect(records)), 100)


def test_an_empty_answer_is_shown_in_every_format() -> None:
    empty = judge_measure(collect([]))
    for text in (table(empty, 80), as_markdown(empty)):
        assert text.strip()
    assert as_csv(empty).count("\n") == 1


def texts(*tunings: Tuning) -> list[tuple[str, str]]:
    return list(
        shape_lines(judge_measure(collect(records_of([vector("copy", "regular")], tunings))))
    )


def test_each_way_to_a_shape_is_explained() -> None:
    raced = dict(shape_lines(tuned()))
    assert raced["sum regular"] == (
        "4 streams 4 KiB apart: the quickest of 26 shapes in 338 runs, +8.2 % [+7.5 %, +9.0 %] in"
        " 21 pairs with the default shape"
    )
    assert raced["copy regular"] == (
        "default: the quickest other one of 26 shapes in 338 runs, read prefetch 1 KiB ahead, write"
        " prefetch at the access itself, reached +0.2 % [-0.4 %, +0.7 %] in 21 pairs with the"
        " default shape, which is not certainly a gain"
    )
    assert raced["triad regular"] == "default: the quickest of 26 shapes in 338 runs"
    cut = msgspec.structs.replace(
        next(each for each in TUNINGS if each.ratio is None and each.source == "raced"),
        untried=25,
        wrong=1,
    )
    assert [words for _, words in texts(cut)] == [
        "default: the quickest of 26 shapes in 338 runs (25 left out for lack of time, 1 left out"
        " because they computed wrong values)"
    ]
    assert raced["copy streaming"].endswith(
        ": found by an earlier run on this machine; --retune searches again"
    )
    given = texts(tuning("copy", "regular", "given", PREFETCH))
    assert given == [
        (
            "copy regular",
            "read prefetch 1 KiB ahead, write prefetch at the access itself: given by --shape",
        )
    ]
    ((_, skipped),) = texts(tuning("copy", "regular", "skipped"))
    assert skipped == ("default: the arrays fit in the caches, so there was no search")


def test_pairs_too_few_for_an_interval_are_explained_without_one() -> None:
    few = change(TUNINGS[1], pairs=1, ratio_low=None, ratio_high=None)
    assert "reached +0.2 % in 1 pair with the default shape" in texts(few)[0][1]


def test_several_instruction_sets_are_explained_by_name() -> None:
    names = [name for name, _ in shape_lines(two_isas())]
    assert names[:2] == ["copy regular SSE2", "copy regular AVX2"]


@pytest.mark.parametrize("width", [30, 69, 70, 100])
def test_no_name_is_cut_where_shapes_are_explained(width: int) -> None:
    long = tuning("sdaxpy", "streaming", isa="AVX3_SPR")
    run = records_of([vector("copy", "regular")], [long, tuning("sdaxpy", "streaming", isa="SSE2")])
    assert "sdaxpy streaming AVX3_SPR" in table(judge_measure(collect(run)), width)


def test_where_nothing_was_chosen_nothing_is_said_of_shapes() -> None:
    assert "access shapes" not in table(judge_measure(good_run()), 100)


def test_markdown_names_what_tells_variants_apart() -> None:
    _, _, every = as_markdown(two_isas()).partition("<details>")
    rates, _, _ = every.partition("**Times")
    names = re.findall(r"(?m)^\| ((?:copy|triad) [^|]+) \|", rates)
    assert len(names) == len(set(names)) == 14
    assert {"copy plain SSE2", "copy streaming AVX2", "copy streaming AVX2 tuned"} < set(names)


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
    rows = list(csv.DictReader(io.StringIO(as_csv(judge_measure(good_run())))))
    assert [(row["kernel"], row["store"]) for row in rows] == [
        *(("sum", "plain"), ("copy", "plain"), ("copy", "streaming"), ("triad", "plain")),
    ]
    assert float(rows[0]["median_gbps"]) == pytest.approx(6.71, abs=0.01)
    assert rows[1]["hardware_gbps"] == ""
    assert {row["valid"] for row in rows} == {"true"}


def test_unlike_cores_have_no_number_of_threads_each() -> None:
    hybrid = change(MACHINE, cores=16, hardware_threads=24, threads_per_core=2)
    text = table(judge_measure(collect([*good_records(), hybrid])), 100)
    assert "16 cores, 24 hardware threads" in text
