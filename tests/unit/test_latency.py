"""Latencies: the levels, the load, where latency doubles, and a decline past the peak."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_ladder import machine_of
from example_latency import (
    MEMORY,
    PEAK,
    SHARES,
    SIZES,
    collapsing,
    latencies_of,
    latency_records,
    latency_run,
    queueing,
    weak,
)
from example_machines import GIB
from example_topologies import KIB, MIB
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.errors import UsageError
from streamgage.records import AnyRecord, IdleLatency, MemorySideCache
from streamgage.records.run import Run, collect
from streamgage.results.kinds import decode_document, result_of, words_of
from streamgage.results.latency.document import Latency, LoadCurve
from streamgage.results.latency.findings import CHECKS
from streamgage.results.latency.judge import judge_latency
from streamgage.results.render import draw_result, render_result
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.show.formats import as_json
from streamgage.show.page import Cross, Lines, Ring
from streamgage.show.picture import figure_of
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render as table
from streamgage.show.terminal import Terminal
from streamgage.show.traces import drawings
from streamgage.units import format_range

ANSWERS = {
    "usual": latencies_of(),
    "weak": latencies_of(load=weak, mixes=["reads"]),
    "collapsing": latencies_of(load=collapsing, mixes=["reads"]),
    "idle": latencies_of(load=None),
}


def render(answer: Latency, form: str) -> str:
    return render_result(result_of(answer), form)


def test_every_level_has_its_latency() -> None:
    answer = ANSWERS["usual"]
    assert [step.level for step in answer.steps] == ["L1", "L2", "L3", "memory"]
    found = [1e9 * step.seconds.value for step in answer.steps]
    assert found == pytest.approx([1.5, 5.0, 25.0, MEMORY], rel=0.01)
    for step in answer.steps[:-1]:
        assert step.effective_bytes is not None and step.claimed_bytes is not None
        assert 1 <= step.effective_bytes / step.claimed_bytes < 2
        assert step.seconds.low is not None and step.seconds.high is not None
        assert step.seconds.low <= step.seconds.value <= step.seconds.high
    assert [point.bytes for point in answer.idle] == list(SIZES)
    assert {point.rounds for point in answer.idle} == {3}


def test_a_chain_that_fits_in_a_cache_before_the_memory_shows_that_cache() -> None:
    cache = MemorySideCache(bytes=16 * GIB, instances=1, line_bytes=64, nodes=["0"])
    machine = replace(machine_of(), memory_side_caches=[cache])
    answer = judge_latency(collect(latency_records(machine, load=None)))
    assert [step.level for step in answer.steps] == ["L1", "L2", "L3", "memory-side cache"]
    (found,) = [each for each in words_of(answer).findings if each.code == "memory-side-cache"]
    assert "fits in the memory-side cache of 16 GiB: none of the latencies" in found.text
    assert "To measure further, give --to 64GiB." in found.text


def test_a_cache_that_is_as_slow_as_memory_is_memory_and_is_named() -> None:
    def slow(record: AnyRecord) -> AnyRecord:
        if not isinstance(record, IdleLatency) or record.bytes <= 256 * KIB:
            return record
        return replace(record, seconds=MEMORY * 1e-9)

    records = latency_records(machine_of(), load=None)
    answer = judge_latency(collect([slow(each) for each in records]))
    assert [step.level for step in answer.steps] == ["L1", "L2", "memory"]
    assert answer.steps[-1].low_bytes < 8 * MIB
    said = "L3 does not show: working sets that it should hold take as long as memory."
    assert said in result_of(answer).page.remarks
    assert not result_of(ANSWERS["usual"]).page.remarks


def test_the_curve_under_load_has_its_onset_where_latency_doubles() -> None:
    reads, even = ANSWERS["usual"].loaded
    assert (reads.mix, reads.kernel, reads.generators) == ("reads", "sum", 3)
    assert [point.share for point in reads.points] == list(SHARES)
    assert reads.unloaded_seconds == pytest.approx(MEMORY * 1e-9, rel=0.01)
    assert reads.best_gbps == pytest.approx(PEAK, rel=0.01)
    assert reads.onset_gbps is not None
    # 1 + 0.5 x / (1.12 - x) is 2 at x = 0.747.
    assert reads.onset_gbps == pytest.approx(0.747 * PEAK, rel=0.05)
    assert even.best_gbps == pytest.approx(0.8 * PEAK, rel=0.01)
    assert reads.decline_gbps is None
    assert queueing(0.747)[1] == pytest.approx(2 * MEMORY, rel=0.01)


def test_a_load_that_is_too_weak_has_no_onset_and_says_so() -> None:
    (reads,) = ANSWERS["weak"].loaded
    assert reads.onset_gbps is None
    assert words_of(ANSWERS["weak"]).sentences[-2:] == [
        "Reads alone: 3 threads move 20.0 GB/s; latency goes from 100 to 110 ns (1.10 times).",
        "Latency never doubles under the load of 3 threads: run streamgage scale to see how many"
        " threads fill this memory.",
    ]


def ranged(curve: LoadCurve, *nanoseconds: tuple[float, float, float]) -> LoadCurve:
    """The curve with these latencies: the median with the least and the greatest."""
    chosen = [*curve.points[: len(nanoseconds) - 1], curve.points[-1]]
    points = [
        replace(
            point,
            seconds=Estimate(value=value * 1e-9, low=low * 1e-9, high=high * 1e-9),
        )
        for point, (value, low, high) in zip(chosen, nanoseconds, strict=True)
    ]
    return replace(curve, points=points, unloaded_seconds=points[0].seconds.value)


NOISY = [(145, 142, 150), (170, 143, 198), (290, 142, 506), (160, 142, 310), (146, 142, 330)]
"""Latencies of a disturbed run: a single one is twice the unloaded one, and none surely."""


def test_one_noisy_point_names_no_onset() -> None:
    usual, _ = ANSWERS["usual"].loaded
    noisy = ranged(usual, *NOISY)
    answer = replace(ANSWERS["usual"], loaded=[noisy])
    said = next(each for each in words_of(answer).conclusions if "Reads alone" in each.text)
    assert said.grade == "undecided"
    assert said.text.endswith(
        "latency goes from 145 to 146 ns. No onset can be named: the ranges of 3 of 5 loads reach"
        " from 142 to 506 ns."
    )
    page = result_of(answer).page
    marks = [mark for plot in page.plots if isinstance(plot, Lines) for mark in plot.marks]
    assert not any(isinstance(mark, Ring) for mark in marks)


def test_a_latency_that_falls_back_below_twice_the_unloaded_one_has_no_onset() -> None:
    usual, _ = ANSWERS["usual"].loaded
    fallen = ranged(usual, (100, 99, 101), (210, 205, 215), (190, 185, 195), (300, 290, 310))
    (said,) = words_of(replace(ANSWERS["usual"], loaded=[fallen], steps=[])).conclusions
    assert said.grade == "undecided"
    assert "latency is twice the unloaded one, and with more it is below that" in said.text


def test_an_onset_among_unclear_points_has_bounds() -> None:
    usual, _ = ANSWERS["usual"].loaded
    steep = ranged(usual, (100, 99, 101), (150, 140, 160), (205, 190, 220), (300, 290, 310))
    (said,) = words_of(replace(ANSWERS["usual"], loaded=[steep], steps=[])).conclusions
    low, high = steep.points[1].gbps.value, steep.points[3].gbps.value
    assert said.grade == "sound"
    assert f"from somewhere within {format_range(low, high)} on" in said.text


def test_mixes_that_never_double_share_one_sentence() -> None:
    (weak,) = ANSWERS["weak"].loaded
    usual, _ = ANSWERS["usual"].loaded
    writes = replace(weak, mix="1:1")
    both = words_of(replace(ANSWERS["weak"], loaded=[weak, writes])).sentences
    assert [line for line in both if "never" in line] == [
        "Latency never doubles under the load of 3 threads: run streamgage scale to see how many"
        " threads fill this memory."
    ]
    one = words_of(replace(ANSWERS["weak"], loaded=[usual, writes])).sentences
    assert one[-1].startswith("Latency never doubles with 1 read per write under the load of 3")


def test_a_decline_past_the_peak_is_found() -> None:
    (reads,) = ANSWERS["collapsing"].loaded
    assert reads.best_share == 0.9
    assert reads.decline_gbps == pytest.approx(0.85 * reads.best_gbps, rel=0.01)
    (finding,) = words_of(ANSWERS["collapsing"]).findings
    assert (finding.code, finding.severity) == ("past-peak", "note")
    assert "bandwidth is highest, 107.8 GB/s, at 90 % of the load" in finding.text
    own = {code for code, _ in CHECKS if code not in dict((*OF_RUNS, *OF_OUTPUT))}
    assert own == {"disturbed-curve", "past-peak", "memory-side-cache", "other-load"}
    assert not words_of(ANSWERS["usual"]).findings


def test_one_round_has_the_extremes_of_its_walks() -> None:
    answer = latencies_of(mixes=["reads"], rounds=1)
    point = answer.idle[0]
    assert point.seconds.low == pytest.approx(0.99 * point.seconds.value)


def test_one_round_has_the_range_of_its_windows() -> None:
    run = latency_run(machine_of(), mixes=["reads"], rounds=1)
    number = next(index for index, each in enumerate(run.loaded) if each.share == 0.5)
    windows = run.loaded[number].windows
    slower = replace(windows[0], seconds=1.1 * windows[0].seconds)
    run.loaded[number] = replace(run.loaded[number], windows=[slower, *windows[1:]])
    point = judge_latency(run).loaded[0].points[3]
    assert point.gbps.bounded_by == point.seconds.bounded_by == "range"
    assert point.gbps.low == pytest.approx(point.gbps.value / 1.1, rel=1e-6)
    assert point.seconds.high == pytest.approx(1.1 * point.seconds.value)


def test_a_load_that_is_not_the_one_asked_for_is_marked() -> None:
    run = latency_run(machine_of(), mixes=["reads"])
    run.loaded[:] = [
        replace(each, target_bytes_per_second=each.target_bytes_per_second * 1.1)
        if each.share == 0.9 and each.target_bytes_per_second
        else each
        for each in run.loaded
    ]
    answer = judge_latency(run)
    off = {point.share for point in answer.loaded[0].points if point.off_target is not None}
    assert off == {0.9}
    page = result_of(answer).page
    (said,) = page.remarks
    assert said.startswith("1 of 5 loads is more than 5 % off the requested bandwidth")
    plot = page.plots[1]
    assert isinstance(plot, Lines)
    (marked,) = [mark for mark in plot.marks if isinstance(mark, Cross)]
    assert marked.x == answer.loaded[0].points[-2].gbps.value
    text = table(page, Terminal(100, False, UNICODE))
    (line,) = [each for each in text.splitlines() if each.startswith("  90 %")]
    assert line.count("✗") == 1 and "✗" not in text.replace(line, "")
    assert any("x-thin-open" in str(trace) for trace in drawings(plot)[0].traces)


def test_a_mix_that_the_processor_lacks_is_left_out_and_named() -> None:
    records = latency_records(machine_of(), mixes=["reads", "streaming"])
    answer = judge_latency(
        collect([each for each in records if getattr(each, "mix", "") != "streaming"])
    )
    assert answer.left_out == ["streaming"]
    said = "This processor does not have streaming stores, so that load was not measured."
    assert said in result_of(answer).page.remarks


def test_windows_in_which_threads_stood_still_are_left_out_and_counted() -> None:
    run = latency_run(machine_of(), mixes=["reads"])
    usual = judge_latency(run).loaded[0].points[3]
    assert (usual.rounds, usual.windows, usual.windows_left_out) == (3, 15, 3)
    number = next(
        index for index, each in enumerate(run.loaded) if (each.share, each.block) == (0.5, 1)
    )
    still = run.loaded[number]
    # The loading threads of a whole round had no CPU: no load, and so no latency of one.
    run.loaded[number] = replace(still, windows=[replace(w, bytes=0) for w in still.windows])
    stalled = judge_latency(run).loaded[0].points[3]
    assert (stalled.rounds, stalled.windows, stalled.windows_left_out) == (2, 15, 7)
    assert stalled.gbps.value == pytest.approx(usual.gbps.value, rel=0.01)
    assert stalled.gbps.low == pytest.approx(usual.gbps.value, rel=0.01)


def test_a_run_that_was_stopped_early_shows_what_it_has() -> None:
    run = latency_run(machine_of())
    run.latencies, run.loaded = run.latencies[:5], run.loaded[:3]
    answer = judge_latency(run)
    assert len(answer.idle) == 5 and len(answer.loaded[0].points) == 3
    assert (
        words_of(answer).sentences[-1]
        == "Reads alone: the run was stopped before the highest load."
    )
    assert not judge_latency(Run()).idle
    run.loaded = run.loaded[:1]
    (unloaded,) = judge_latency(run).loaded
    assert unloaded.decline_gbps is None


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"latency/{name}-100.txt",
        table(result_of(ANSWERS[name]).page, Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_drops_columns() -> None:
    text = table(result_of(ANSWERS["usual"]).page, Terminal(60, False, ASCII))
    approved("latency/usual-ascii-60.txt", text)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert text.isascii()


def test_the_columns_for_gnuplot_are_as_approved() -> None:
    approved("latency/usual.dat", render(ANSWERS["usual"], "dat"))


def test_markdown_is_as_approved() -> None:
    approved("latency/usual.md", render(ANSWERS["usual"], "markdown"))


@pytest.mark.parametrize("name", ANSWERS)
def test_csv_and_json_hold_every_figure(name: str) -> None:
    answer = ANSWERS[name]
    rows = list(csv.DictReader(io.StringIO(render(answer, "csv"))))
    assert len(rows) == len(answer.idle) + sum(len(each.points) for each in answer.loaded)
    assert {row["figure"] for row in rows} <= {"idle", "loaded"}
    assert all(float(row["median_ns"]) > 0 for row in rows)
    validator("latency").validate(json.loads(render(answer, "json")))


def test_the_picture_has_a_panel_for_each_part() -> None:
    idle, loaded = figure_of(result_of(ANSWERS["usual"]).page).axes
    assert [text.get_text().split()[0] for text in idle.texts if "ns" in text.get_text()] == [
        "L1",
        "L2",
        "L3",
        "memory",
    ]
    legend = loaded.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["reads alone", "1 read per write"]
    assert len(figure_of(result_of(ANSWERS["idle"]).page).axes) == 1


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_answer_gives_the_same_picture(suffix: str) -> None:
    file = Path(f"x{suffix}")
    assert draw_result(result_of(ANSWERS["usual"]), file) == draw_result(
        result_of(ANSWERS["usual"]), file
    )


def test_a_curve_that_declines_to_more_than_its_best_is_refused() -> None:
    (reads,) = ANSWERS["collapsing"].loaded
    damaged = replace(ANSWERS["collapsing"], loaded=[replace(reads, best_gbps=0.0)])
    with pytest.raises(UsageError, match="Expected `decline_gbps` <= 0 - at"):
        decode_document(as_json(damaged).encode(), "latency.json")
