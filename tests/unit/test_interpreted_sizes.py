"""Tables of another benchmark that differ in the size of their arrays alone are a series."""

from __future__ import annotations

import pytest
from foreign_outputs import likwid_block, stream_table

from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.formats import parse_output
from streamgage.interop.settings import describe
from streamgage.results.interpreted import (
    InterpretedResult,
    ResultOfSizes,
    ResultOfTables,
    interpreted,
)
from streamgage.results.kinds import kind_of, result_of, words_of
from streamgage.results.ladder.document import Ladder, LadderCurve
from streamgage.results.ladder.of_output import rule_of
from streamgage.results.ladder.page import page
from streamgage.show.page import Lines, Upright

MIB = 1 << 20
NOTHING = UserFacts()
_CACHES = UserFacts(last_level_cache_bytes=16 * MIB)
_LIKWID = (("load_avx", 1, 0, 140_000), ("copy_avx", 1, 1, 100_000), ("stream_avx", 2, 1, 110_000))


def table(elements: int, factor: float = 1.0, *, passed: bool = True, threads: int = 48) -> str:
    """A table of STREAM with so many elements; all rates are ``factor`` times those of memory."""
    rates = (240.0 * factor, 175.0 * factor, 186.0 * factor, 187.0 * factor)
    return stream_table(*rates, elements=elements, passed=passed, threads=threads)


def likwid(size: int, factor: float = 1.0) -> str:
    """Three tests that divide ``size`` bytes among their arrays."""
    return "".join(
        likwid_block(test, rate * factor, loads=loads, stores=stores, size=size)
        for test, loads, stores, rate in _LIKWID
    )


def results_of(
    text: str, given: UserFacts = NOTHING, *, runs: bool = False
) -> list[InterpretedResult]:
    return interpreted(parse_output(text).tables, given, runs=runs)


def series_of(text: str, given: UserFacts = NOTHING, *, runs: bool = False) -> Ladder:
    series, largest = results_of(text, given, runs=runs)
    assert isinstance(series, ResultOfSizes) and isinstance(largest, ResultOfTables)
    assert (series.is_in_series, largest.is_in_series) == (False, True)
    assert isinstance(series.result.document, Ladder)
    return series.result.document


def curve_of(ladder: Ladder, kernel: str) -> LadderCurve:
    (found,) = [each for each in ladder.curves if each.kernel == kernel]
    return found


def test_a_loop_over_sizes_is_a_series_and_its_largest_the_figure_of_the_machine() -> None:
    # In the order in which they stand, not by size.
    text = table(100_000_000) + table(1_000_000, 4.0) + table(10_000_000, 1.5)
    series, largest = results_of(text)
    ladder = series.result.document
    triad = curve_of(ladder, "triad")
    assert [each.array_bytes for each in triad.points] == [8_000_000, 80_000_000, 800_000_000]
    assert [each.bytes for each in triad.points] == [24_000_000, 240_000_000, 2_400_000_000]
    assert [each.gbps.value for each in triad.points] == pytest.approx([748.0, 280.5, 187.0], 1e-4)
    assert curve_of(ladder, "copy").points[0].bytes == 16_000_000
    assert (ladder.threads, triad.mode, ladder.rounds) == (48, "worksharing", 1)
    assert series.title == "STREAM 5.10 (C), 48 threads, arrays of 7812 KiB to 763 MiB"
    assert isinstance(largest, ResultOfTables)
    assert largest.setting.tables[0].array_bytes == 800_000_000
    assert series.rates == largest.rates
    assert series.rates["triad"] == pytest.approx(187.0)


def test_sizes_below_the_rule_and_in_the_caches_are_told_apart() -> None:
    # 16 MiB of caches: triad's three arrays of 4 MiB fit, arrays of 64 MiB keep the rule.
    text = table(1 << 19, 5.0) + table(1 << 22, 2.0) + table(1 << 23)
    ladder = series_of(text, _CACHES)
    rules = {
        each.kernel: [rule_of(ladder, point) for point in each.points] for each in ladder.curves
    }
    assert rules["triad"] == ["in-cache", "below", "kept"]
    assert rules["copy"] == ["in-cache", "below", "kept"]
    shown, *_ = page(ladder).tables
    column = shown.columns[-1]
    assert column.title == "4x rule"
    assert [column.cell(row).text for row in shown.rows] == ["in cache", "below", "kept"]
    assert [shown.columns[0].cell(row).value for row in shown.rows] == [4 * MIB, 32 * MIB, 64 * MIB]


def test_without_the_caches_only_ten_to_the_sixth_elements_are_known() -> None:
    ladder = series_of(table(500_000) + table(100_000_000))
    assert [rule_of(ladder, each) for each in curve_of(ladder, "add").points] == ["below", None]


def test_the_data_has_what_is_known_of_each_size() -> None:
    ladder = series_of(table(1 << 19, 5.0) + table(1 << 23), _CACHES)
    data = page(ladder).data
    rows = [dict(zip(data.keys, row, strict=True)) for row in data.values()]
    found = [(e["array_bytes"], e["bytes"], e["rule_of_4"]) for e in rows if e["kernel"] == "add"]
    assert found == [(4 * MIB, 12 * MIB, "in-cache"), (64 * MIB, 192 * MIB, "kept")]


def test_the_plot_is_logarithmic_over_the_size_with_the_rule_in_it() -> None:
    (plot,) = page(series_of(table(1 << 19, 5.0) + table(1 << 23), _CACHES)).plots
    assert isinstance(plot, Lines)
    assert (plot.x.title, plot.x.scale) == ("size of each array", "bytes")
    assert list(plot.series[0].xs) == [4 * MIB, 64 * MIB]
    assert [each.x for each in plot.marks if isinstance(each, Upright)] == [64 * MIB]


def verdict_of(text: str, given: UserFacts = NOTHING) -> str:
    return " ".join(words_of(series_of(text, given)).sentences)


def test_a_smaller_size_that_agrees_was_large_enough() -> None:
    text = table(1 << 24, 1.004) + table(1 << 25)
    said = verdict_of(text, _CACHES)
    assert said.startswith("Quote the largest size, arrays of 256 MiB: copy 240.0 GB/s,")
    assert said.endswith(
        "Triad with arrays of 128 MiB is within 0.4 % of that: it was large enough."
    )
    assert verdict_of(text).endswith("unless the caches hold both sizes (--llc).")


def test_a_smaller_size_that_is_faster_had_a_part_in_caches() -> None:
    assert "Triad with arrays of 128 MiB is 30 % faster, because of caches" in verdict_of(
        table(1 << 24, 1.3) + table(1 << 25)
    )


def test_the_largest_arrays_below_the_rule_are_a_finding() -> None:
    given = UserFacts(last_level_cache_bytes=1 << 30)
    words = words_of(series_of(table(1 << 22) + table(1 << 23), given))
    (below,) = [each for each in words.findings if each.code == "below-4x-rule"]
    assert below.severity == "spoiled"
    assert "The largest arrays are 64 MiB, 0.062x the last-level caches" in below.text
    assert "large enough" not in " ".join(words.sentences)
    kept = words_of(series_of(table(1 << 19) + table(1 << 23), _CACHES)).findings
    assert "below-4x-rule" not in {each.code for each in kept}


def test_repeated_runs_of_a_size_have_a_median_and_a_spread() -> None:
    text = "".join(table(10_000_000, f) + table(100_000_000, f) for f in (0.9, 1.0, 1.2))
    ladder = series_of(text)
    last = curve_of(ladder, "triad").points[-1]
    assert (ladder.rounds, last.rounds) == (3, 3)
    assert last.gbps.value == pytest.approx(187.0, rel=1e-4)
    assert (last.gbps.low, last.gbps.high) == pytest.approx((168.3, 224.4), rel=1e-4)


def test_a_run_whose_check_failed_is_in_no_point() -> None:
    text = table(1_000_000) + table(10_000_000, passed=False) + table(100_000_000)
    found = results_of(text)
    assert [each.is_wrong for each in found if isinstance(each, ResultOfTables)] == [False, True]
    (series,) = [each for each in found if isinstance(each, ResultOfSizes)]
    assert [each.array_bytes for each in curve_of(series.result.document, "copy").points] == [
        *(8_000_000, 800_000_000),
    ]


def test_headings_have_a_series_each() -> None:
    both = table(10_000_000) + table(100_000_000)
    found = results_of(f"[ NPS1 ]\n\n{both}\n[ NPS4 ]\n\n{both}")
    places = [each.place(sources=False).split(" (")[0] for each in found]
    assert places[::2] == ["NPS1", "NPS4"]
    assert [type(each) for each in found] == [ResultOfSizes, ResultOfTables] * 2


def test_a_heading_for_each_size_is_one_series() -> None:
    text = "".join(f"## {n} elements\n\n{table(n)}\n" for n in (1_000_000, 10_000_000))
    assert len(curve_of(series_of(text), "add").points) == 2


def test_sizes_that_come_twice_in_no_order_stay_apart_until_runs_are_asked_for() -> None:
    text = "".join(
        f"## take {n}\n\n{table(size)}\n"
        for n, size in enumerate((10_000_000, 10_000_000, 100_000_000, 100_000_000))
    )
    assert [type(each) for each in results_of(text)] == [ResultOfTables] * 4
    assert curve_of(series_of(text, runs=True), "add").points[0].rounds == 2


def test_sizes_with_other_threads_are_no_series() -> None:
    found = results_of(table(10_000_000, threads=4) + table(100_000_000))
    assert [type(each) for each in found] == [ResultOfTables, ResultOfTables]


def test_a_scaling_for_each_size_stays_a_scaling() -> None:
    text = "".join(table(n, threads=t) for n in (10_000_000, 100_000_000) for t in (4, 8))
    assert [kind_of(each.result.document).name for each in results_of(text)] == ["scale", "scale"]


def test_tests_of_likwid_bench_share_one_size_and_are_one_result() -> None:
    (found,) = results_of(likwid(2_400_000_000))
    assert isinstance(found, ResultOfTables)
    sizes = [each.array_bytes for each in found.setting.tables]
    assert sizes == [2_400_000_000, 1_200_000_000, 800_000_000]
    assert describe(found.setting) == "likwid-bench, 4 threads, arrays of 763 to 2289 MiB"
    reported = found.result.run.reported
    assert reported is not None
    assert (reported.array_bytes, reported.largest_array_bytes) == (800_000_000, 2_400_000_000)


def test_likwid_bench_over_sizes_is_a_series_over_the_working_set() -> None:
    ladder = series_of(likwid(24_000_000, 3.0) + likwid(2_400_000_000), _CACHES)
    assert {tuple(point.bytes for point in each.points) for each in ladder.curves} == {
        (24_000_000, 2_400_000_000)
    }
    (plot,) = page(ladder).plots
    assert isinstance(plot, Lines)
    assert plot.x.title == "working set"
    assert [each.x for each in plot.marks if isinstance(each, Upright)] == [16 * MIB]


def test_tests_of_likwid_bench_with_other_working_sets_are_results_of_their_own() -> None:
    text = likwid_block("copy_avx", 100_000, loads=1, stores=1, size=400_000_000)
    text += likwid_block("load_avx", 140_000, loads=1, stores=0, size=40_000_000)
    found = results_of(text)
    assert [each.title for each in found] == [
        "likwid-bench, copy_avx, 4 threads, arrays of 191 MiB",
        "likwid-bench, load_avx, 4 threads, arrays of 38.1 MiB",
    ]
    assert [list(each.rates) for each in found] == [["copy"], ["load"]]


def test_the_series_is_listed_with_the_rates_of_the_largest_size() -> None:
    ladder = series_of(table(1_000_000, 4.0) + table(100_000_000))
    rates = {each.kernel: each.median_gbps for each in kind_of(ladder).rates(ladder)}
    assert rates["triad"] == pytest.approx(187.0, rel=1e-4)
    best = result_of(ladder).best
    assert best is not None
    assert best.detail == "triad, arrays of 763 MiB"
