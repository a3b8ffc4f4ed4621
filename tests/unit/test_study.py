"""Studies: efficiencies next to STREAM's, their verdicts, gaps, and every format."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import msgspec
import pytest
from example_study import COUNTS, ITERATIONS, SERVER, SOLVER, saturating, served_study_of, study_of
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.results.kinds import result_of, words_of
from streamgage.results.render import draw_result, render_result
from streamgage.results.scale.document import TooFewCpus
from streamgage.results.study.document import FileRun, NoFiles, Study
from streamgage.results.study.judge import compare
from streamgage.results.study.page import format_seconds, missing
from streamgage.results.study.words import left_out
from streamgage.show import table
from streamgage.show.picture import figure_of
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.terminal import Terminal


def bound_by_memory(n: int) -> float:
    return 60.0 / saturating(n)


def communicating(n: int) -> float:
    return bound_by_memory(n) * (1 + 0.5 * (n - 1))


def computing(n: int) -> float:
    return 2.0 / n


ANSWERS = {
    "follows": study_of(bound_by_memory),
    "worse": study_of(communicating, iterations=ITERATIONS),
    "better": study_of(computing),
    "gaps": study_of(
        bound_by_memory,
        failures={
            ("program", 4, number): "The program ended with status 3." for number in (1, 2, 3)
        }
        | {("stream", 2, 1): "It was stopped."},
    ),
    "one-round": study_of(bound_by_memory, rounds=1),
    "empty": study_of(bound_by_memory, counts=()),
    "served": served_study_of(bound_by_memory, lambda n: 1.1 * bound_by_memory(n)),
}


def test_speedups_are_over_one_worker_and_efficiencies_over_n() -> None:
    answer = ANSWERS["follows"]
    solve = answer.phases[0]
    assert [each.n for each in solve.points] == list(COUNTS)
    values = [each.speedup.value for each in solve.points if each.speedup]
    assert values == pytest.approx([1, 2, 2], rel=0.01)
    shares = [each.efficiency.value for each in solve.points if each.efficiency]
    assert shares == pytest.approx([1, 1, 0.5], rel=0.01)
    assert [each.gbps.value for each in answer.stream] == pytest.approx([30, 60, 60], rel=0.01)
    assert (answer.enough_n, answer.headline) == (2, "solve")


@pytest.mark.parametrize(
    ("name", "verdict", "mean", "largest_n"),
    [
        ("follows", "indistinguishable", 0.0, None),
        ("worse", "worse", (1 / 3 + 0.5 * 0.6) / 2, 2),
        ("better", "better", 0.25, 4),
    ],
)
def test_the_figure_is_the_mean_distance_of_efficiencies(
    name: str, verdict: str, mean: float, largest_n: int | None
) -> None:
    found = ANSWERS[name].phases[0].comparison
    assert found is not None and found.noise is not None
    assert found.verdict == verdict
    assert found.mean == pytest.approx(mean, abs=0.01)
    assert largest_n is None or found.largest_n == largest_n
    assert (found.bias > 0.01) == (name == "better")
    assert (found.bias < -0.01) == (name == "worse")


def test_a_distance_up_to_a_tenth_tracks() -> None:
    times = {1: {1: 2.0, 2: 2.0}, 2: {1: 1.08, 2: 1.08}}
    rates = {1: {1: 10.0, 2: 10.0}, 2: {1: 20.0, 2: 20.0}}
    found = compare(times, rates)
    assert found is not None
    assert found.verdict == "tracks" and found.noise == 0
    assert found.bias == pytest.approx(2 / 1.08 / 2 - 1)


def test_efficiencies_above_and_below_have_no_direction() -> None:
    times = {1: {1: 4.0, 2: 4.0}, 2: {1: 1.6, 2: 1.6}, 4: {1: 1.4, 2: 1.4}}
    rates = {1: {1: 10.0, 2: 10.0}, 2: {1: 20.0, 2: 20.0}, 4: {1: 38.0, 2: 38.0}}
    found = compare(times, rates)
    assert found is not None
    assert found.verdict == "differs" and abs(found.bias) < found.mean / 2


def test_what_is_missing_is_said() -> None:
    runs = [FileRun(n=4, round=1), FileRun(n=4, round=2)]
    lacks = NoFiles(name="program", runs=runs)
    few = TooFewCpus(placement="compact", most=4, cpus=4)
    study = replace(ANSWERS["follows"], counts=[2, 4], left_out=[lacks, few])
    assert list(left_out(study)) == [
        "compact has no points above 4: it has 4 CPUs.",
        "1 is not among the numbers of workers, so there are no speedups.",
        "There is no file of program with 4 (round 1); 4 (round 2).",
    ]
    imported = replace(study, seed=None, left_out=[])
    assert list(left_out(imported)) == ["There are no files of one worker, so no speedups."]


def test_small_times_have_their_digits() -> None:
    assert [format_seconds(each) for each in (0.0, 1.23e-6, 0.0999, 1.5, 12.34, 4321.0)] == [
        *("0", "0.00000123", "0.0999", "1.50", "12.3", "4321"),
    ]


def test_nothing_is_compared_where_one_worker_or_all_others_are_missing() -> None:
    good, rates = {1: {1: 2.0}, 2: {1: 1.0}}, {1: {1: 10.0}, 2: {1: 20.0}}
    assert compare({2: {1: 1.0}}, rates) is None
    assert compare(good, {2: {1: 20.0}}) is None
    assert compare({1: {1: 2.0}}, rates) is None
    assert compare({1: {1: 2.0}, 2: {2: 1.0}}, rates) is None
    alone = compare(good, rates)
    assert alone is not None and alone.noise is None and alone.verdict == "tracks"


def test_an_iteration_is_told_of_where_their_number_changes() -> None:
    solve, setup = ANSWERS["worse"].phases
    assert [each.count for each in solve.points] == [20, 20, 25]
    each, whole = solve.points[2].each_efficiency, solve.points[2].efficiency
    assert each is not None and whole is not None
    assert each.value == pytest.approx(whole.value * 25 / 20, rel=1e-6)
    assert any("One iteration of" in sentence for sentence in words_of(ANSWERS["worse"]).sentences)
    assert setup.each_comparison is None
    assert not any("iteration" in sentence for sentence in words_of(ANSWERS["better"]).sentences)


def test_what_was_seen_is_named_before_what_was_not() -> None:
    quiet = words_of(ANSWERS["worse"]).sentences
    serial = next(n for n, each in enumerate(quiet) if each.startswith("setup runs 1.00 times"))
    unseen = next(n for n, each in enumerate(quiet) if "communication" in each)
    assert serial < unseen
    assert quiet[unseen] == (
        "What remains may be communication or an uneven partition, which were not measured."
    )
    busy = words_of(replace(ANSWERS["worse"], taken=0.3)).sentences
    load = next(n for n, each in enumerate(busy) if "30 % of the CPUs' time" in each)
    assert load < next(n for n, each in enumerate(busy) if "setup runs 1.00 times" in each)
    follows = words_of(replace(ANSWERS["follows"], taken=0.3)).sentences
    assert not any("communication" in each or "CPUs' time" in each for each in follows)


def test_without_a_serial_part_the_study_says_that_it_saw_none() -> None:
    answer = ANSWERS["worse"]
    alone = replace(answer, phases=[replace(answer.phases[0], counts_change=False)])
    assert words_of(alone).sentences[1].startswith("It may be communication or an uneven partition")


def test_a_run_that_failed_is_a_gap_with_its_reason() -> None:
    answer = ANSWERS["gaps"]
    assert [each.n for each in answer.phases[0].points] == [1, 2]
    assert [len(answer.runs), sum(each.failure is not None for each in answer.runs)] == [18, 4]
    text = missing(answer)
    assert text[0].startswith("STREAM with 2 ranks (round 1): It was stopped.")
    assert "Program with 4 ranks (round 1)" in text[1] and "status 3" in text[1]
    found = answer.phases[0].comparison
    assert found is not None and found.largest_n == 2


def test_nothing_measured_says_so() -> None:
    answer = ANSWERS["empty"]
    assert (answer.enough_n, answer.headline, answer.phases) == (None, None, [])
    assert "No point was measured." in table.render(
        result_of(answer).page, Terminal(80, False, UNICODE)
    )


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"study/{name}-100.txt",
        table.render(result_of(ANSWERS[name]).page, Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_drops_columns() -> None:
    text = table.render(result_of(ANSWERS["worse"]).page, Terminal(50, False, ASCII))
    approved("study/worse-ascii-50.txt", text)
    assert text.isascii() and all(len(line) <= 50 for line in text.splitlines())


def test_markdown_and_the_columns_for_gnuplot_are_as_approved() -> None:
    approved("study/worse.md", render_result(result_of(ANSWERS["worse"]), "markdown"))
    approved("study/worse.dat", render_result(result_of(ANSWERS["worse"]), "dat"))


@pytest.mark.parametrize("name", ANSWERS)
def test_csv_and_json_hold_every_figure(name: str) -> None:
    answer: Study = ANSWERS[name]
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(answer), "csv"))))
    points = sum(len(each.points) for each in answer.phases)
    assert len(rows) == len(answer.stream) + points + len(answer.distribution)
    for row in rows:
        assert (
            (row["median_gbps"] != "")
            == (row["phase"] == "STREAM")
            == (row["median_seconds"] == "")
        )
        assert (row["share"] != "") == (row["phase"] == "ServerDist")
        assert (row["over_first"] != "") == (row["case"] == SERVER and row["share"] == "")
        assert int(row["n"]) in COUNTS
    validator("study").validate(json.loads(render_result(result_of(answer), "json")))


def test_a_servers_solve_is_beside_the_direct_one_and_over_one_rank_of_it() -> None:
    answer = ANSWERS["served"]
    assert [(each.case, each.name) for each in answer.phases] == [
        *(("direct", "solve"), ("direct", "setup"), (SERVER, "solve"), (SERVER, "setup")),
    ]
    direct, _, served, _ = answer.phases
    assert [each.n for each in served.points] == [2, 4]
    assert all(each.over_first is None for each in direct.points)
    over = [each.over_first.value for each in served.points if each.over_first]
    assert over == pytest.approx([1.1, 1.1])
    speedups = [each.speedup.value for each in served.points if each.speedup]
    assert speedups == pytest.approx([2 / 1.1, 2 / 1.1], rel=0.01)
    assert served.comparison is not None and served.comparison.largest_n == 2
    assert [(each.case, each.n) for each in answer.distribution] == [(SERVER, 2), (SERVER, 4)]
    seconds = 1.1 * bound_by_memory(2)
    expected = 0.05 * seconds / (seconds + 0.5)
    assert answer.distribution[0].share.value == pytest.approx(expected, rel=0.01)
    text = " ".join(words_of(answer).sentences)
    assert "solve, server shared, takes 1.10 times as long as direct with 4 ranks" in text
    assert "handing the system over is" in text
    assert {each.residual for each in answer.runs if each.what == "program"} == {2e-5}


def test_a_server_that_failed_everywhere_leaves_the_direct_solve() -> None:
    failures = {(SERVER, n, number): "It was not started." for n in (2, 4) for number in (1, 2, 3)}
    answer = served_study_of(bound_by_memory, bound_by_memory, failures=failures)
    assert {each.case for each in answer.phases} == {"direct"}
    assert answer.distribution == []
    assert "Server shared with 2 ranks (round 1)" in " ".join(missing(answer))


def test_a_debug_build_and_a_system_in_the_caches_are_findings() -> None:
    def found(**values: object) -> list[str]:
        solver = msgspec.structs.replace(SOLVER, **values)
        return [each.code for each in words_of(study_of(bound_by_memory, solver=solver)).findings]

    assert found() == []
    assert found(debug=True) == ["debug-build"]
    assert found(matrix_bytes=9 << 20) == ["solver-in-cache"]
    assert found(matrix_bytes=None, unknowns=None) == []
    assert words_of(ANSWERS["follows"]).findings == []


def test_a_number_of_workers_that_failed_breaks_the_lines() -> None:
    failures = {("program", 2, number): "It failed." for number in (1, 2, 3)}
    speedups = figure_of(result_of(study_of(bound_by_memory, failures=failures)).page).axes[0]
    stream, solve = (speedups.containers[each].lines[0].get_ydata() for each in (0, 1))
    assert [math.isnan(each) for each in stream] == [False, False, False]
    assert [math.isnan(each) for each in solve] == [False, True, False]


def test_the_picture_of_several_programs_is_of_the_phase_that_it_is_about() -> None:
    figure = figure_of(result_of(ANSWERS["served"]).page)
    legend = figure.axes[1].get_legend()
    assert legend is not None
    assert [each.get_text() for each in legend.get_texts()] == [
        *("STREAM", "solve, direct", "solve, server shared"),
    ]


def test_the_picture_has_speedup_efficiency_time_and_bandwidth() -> None:
    axes = figure_of(result_of(ANSWERS["worse"]).page).axes
    assert len(axes) == 4
    legend = axes[1].get_legend()
    assert legend is not None
    assert [each.get_text() for each in legend.get_texts()] == ["STREAM", "solve", "setup"]
    caption = figure_of(result_of(ANSWERS["worse"]).page)._supxlabel.get_text()
    assert "./solver" in caption and "3 rounds" in caption


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_answer_gives_the_same_picture(suffix: str) -> None:
    file = Path(f"x{suffix}")
    assert draw_result(result_of(ANSWERS["gaps"]), file) == draw_result(
        result_of(ANSWERS["gaps"]), file
    )
