"""Headline, quote and lists show one figure, and what the memory moved has certain bounds."""

from __future__ import annotations

from example_records import MACHINE, MEMORY, good_records
from example_results import measured
from msgspec.structs import replace

from streamgage.analysis.traffic.alpha import Alpha
from streamgage.analysis.trust import trust_of
from streamgage.records.run import Run, collect
from streamgage.results.measure.crossing import crossed, crossed_gbps
from streamgage.results.measure.document import KernelResult, Measure
from streamgage.results.measure.headline import least_moved, main_figure
from streamgage.results.measure.judge import judge_measure
from streamgage.results.measure.quote import quote
from streamgage.results.measure.screen import first_screen, headline
from streamgage.results.result import Result
from streamgage.show.page import words
from streamgage.units import format_rate


def document() -> Measure:
    """A sound run."""
    found: Measure = measured().document
    return found


def test_the_headline_says_what_the_figure_is_and_what_memory_moved_at_least() -> None:
    result = document()
    best = main_figure(result)
    assert best is not None and best.median_gbps is not None
    quick = replace(best, kernel="copy", median_gbps=9 * best.median_gbps, low_gbps=None)
    shown = headline(replace(result, kernels=[*result.kernels, quick]))
    assert shown.startswith(f"STREAM triad {format_rate(best.median_gbps)}")
    assert shown.endswith(f" GB/s; this memory moved at least {format_rate(9 * best.median_gbps)}")


def test_wrong_figures_prove_no_traffic() -> None:
    result = document()
    wrong = [replace(each, median_gbps=1e4, low_gbps=None, valid=False) for each in result.kernels]
    assert least_moved(replace(result, kernels=[*result.kernels, *wrong])) == least_moved(result)
    assert least_moved(replace(result, kernels=[])) is None


def test_every_list_has_the_figure_of_the_headline() -> None:
    result = document()
    best = main_figure(result)
    assert best is not None
    faster = replace(best, store="regular", median_gbps=9 * (best.median_gbps or 0.0))
    tuned = replace(best, tuned=True, median_gbps=9 * (best.median_gbps or 0.0))
    again = measured()
    found = again.kind.headline(replace(result, kernels=[*result.kernels, faster, tuned]))
    assert found is not None and found.value == best.median_gbps
    assert (found.what, found.figure) == ("triad plain", f"{format_rate(found.value)} GB/s")


def test_the_quote_has_interval_version_compiler_and_date() -> None:
    result = document()
    best = main_figure(result)
    assert best is not None and best.low_gbps is not None
    said = quote(result, trust_of([]))
    assert said is not None
    assert f"Triad {format_rate(best.median_gbps or 0.0)} ±" in said
    assert f"streamgage {MACHINE.engine} ({MACHINE.compiler}), {MACHINE.time[:10]}" in said
    assert "95 %" in said or "with their range" in said


def bounds_of(run: Run) -> dict[str, tuple[float | None, float | None, float | None]]:
    """By variant of unknown traffic: the nominal median, and the bounds of what crossed."""
    return {
        f"{each.kernel} {each.store}": (
            each.median_gbps,
            each.hardware_low_gbps,
            each.hardware_high_gbps,
        )
        for each in judge_measure(run).document.kernels
        if each.hardware_gbps is None and each.alpha.verdict == "cannot-tell"
    }


def test_unknown_traffic_lies_between_nominal_bytes_and_those_with_every_line_read() -> None:
    found = bounds_of(collect(good_records()))
    assert found, "the example has no counters and no inference"
    for name, (median, low, high) in found.items():
        assert median is not None and low is not None and high is not None, name
        most = {"copy": 3 / 2, "triad": 4 / 3}[name.split()[0]]
        assert low <= median <= high
        assert high >= most * median * 0.999
        assert high <= most * median * 1.1


def test_small_arrays_give_no_bounds_of_the_memorys_traffic() -> None:
    small = replace(MEMORY, array_bytes=MEMORY.rule_bytes // 2)
    records = [small if each is MEMORY else each for each in good_records()]
    assert all(low is high is None for _, low, high in bounds_of(collect(records)).values())


def figure(**fields: object) -> KernelResult:
    """A figure of triad with these fields."""
    best = main_figure(document())
    assert best is not None
    return replace(best, **fields)


def test_bounds_replace_unknown() -> None:
    known = figure(
        hardware_gbps=None,
        hardware_low_gbps=29.1,
        hardware_high_gbps=38.8,
        alpha=Alpha(verdict="cannot-tell"),
    )
    assert crossed_gbps(known) == "29.1 to 38.8"
    assert words(crossed(known)) == "29.1 to 38.8"
    at_most = replace(known, alpha=Alpha(verdict="at-most"))
    assert crossed_gbps(at_most) == "up to 38.8"


def test_a_wide_interval_is_no_bare_figure_one_column_on() -> None:
    run = measured()
    wide = [
        replace(
            each,
            low_gbps=0.3 * (each.median_gbps or 0.0),
            high_gbps=2.0 * (each.median_gbps or 0.0),
            hardware_gbps=each.median_gbps,
            hardware_low_gbps=0.3 * (each.median_gbps or 0.0),
            hardware_high_gbps=2.0 * (each.median_gbps or 0.0),
        )
        for each in run.document.kernels
    ]
    changed = Result(run.kind, replace(run.document, kernels=wide), run.records)
    table = first_screen(changed).table
    _, nominal, moved, *_ = table.columns
    for row in table.rows:
        assert " to " in words(nominal.cell(row))
        assert words(moved.cell(row)).startswith(words(nominal.cell(row)))
