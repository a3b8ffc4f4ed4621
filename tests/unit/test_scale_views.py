"""Scaling curves as people and programs get them."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path

import pytest
from example_scale import asked_of, machine_of, points_of, scaling_of, scaling_runs
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records.run import Run
from streamgage.results.kinds import result_of
from streamgage.results.render import draw_result, render_result
from streamgage.results.scale.document import Scale
from streamgage.results.scale.judge import judge_scale
from streamgage.show import table
from streamgage.show.page import Lines
from streamgage.show.picture import STYLES, figure_of
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.terminal import Terminal


def with_a_gap() -> Scale:
    """Three of four points; the third has failed."""
    machine = machine_of()
    points = points_of(["compact", "scatter"], range(1, 5))
    runs = [
        FreshRun(each.condition, each.round, Run(), "The engine died.", None)
        if each.condition == "scatter, 3"
        else each
        for each in scaling_runs(machine, points, rounds=2)
    ]
    asked = asked_of(["compact", "scatter"], range(1, 5), rounds=2)
    return judge_scale(runs, points, asked, machine)


def several() -> Scale:
    """Two compilers, each with threads and ranks that are placed the same way."""
    machine = machine_of()
    given = {
        "compact": (None, "threads", "own loops, threads, compact"),
        "scatter": (None, "ranks", "own loops, ranks, compact"),
        "smt": ("gcc -O2", "threads", "gcc -O2, threads, compact"),
        "none": ("gcc -O2", "ranks", "gcc -O2, ranks, compact"),
    }
    answer = scaling_of(machine, [*given], range(1, 7))
    placements = [
        replace(
            each,
            **dict(zip(("compiler", "workers", "name"), given[each.name], strict=True)),
            way="compact",
            launcher="mpich" if given[each.name][1] == "ranks" else None,
        )
        for each in answer.placements
    ]
    return replace(
        answer,
        workers="workers",
        launcher="mpich",
        placements=placements,
        curves=[replace(each, placement=given[each.placement][2]) for each in answer.curves],
        runs=[replace(each, placement=given[each.placement][2]) for each in answer.runs],
        recommended=[
            replace(
                each,
                placement=given[each.placement][2],
                no_different=[given[name][2] for name in given if name != each.placement],
            )
            for each in answer.recommended
        ],
    )


ANSWERS = {
    "usual": scaling_of(machine_of()),
    "gap": with_a_gap(),
    "one-round": scaling_of(machine_of(1, 2), ("compact",), (1, 2), rounds=1),
    "no-speedup": scaling_of(machine_of(), ("scatter",), (2, 4)),
    "several": several(),
    "empty": judge_scale([], points_of(["compact"], [1]), asked_of(["compact"], [1]), machine_of()),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"scale/{name}-100.txt",
        table.render(result_of(ANSWERS[name]).page, Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_is_told_in_parts() -> None:
    text = table.render(result_of(ANSWERS["usual"]).page, Terminal(60, False, ASCII))
    approved("scale/usual-ascii-60.txt", text)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert text.isascii()


@pytest.mark.parametrize("name", ["usual", "gap"])
def test_the_columns_for_gnuplot_are_as_approved(name: str) -> None:
    approved(f"scale/{name}.dat", render_result(result_of(ANSWERS[name]), "dat"))


def test_the_columns_for_gnuplot_have_a_line_for_a_gap_too() -> None:
    """So that no other point moves."""
    blocks = render_result(result_of(ANSWERS["gap"]), "dat").split("\n\n\n")
    assert len(blocks) == 2
    rows = [line.split() for line in blocks[1].splitlines() if not line.startswith("#")]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert set(rows[2][1:]) == {"NaN"}
    assert "NaN" not in rows[3]
    heads = [line for line in blocks[1].splitlines() if line.startswith("#")][-1].split()
    assert heads[1:5] == ["nt", "triad_plain", "triad_streaming", "triad_plain_low"]
    assert len(heads) == 1 + len(rows[0])


@pytest.mark.parametrize("name", ANSWERS)
def test_csv_has_a_line_a_point(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(ANSWERS[name]), "csv"))))
    assert len(rows) == sum(len(each.points) for each in ANSWERS[name].curves)
    for row in rows:
        assert float(row["median_gbps"]) > 0
        assert row["threads_per_node"]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_document_conforms_to_its_schema(name: str) -> None:
    document = json.loads(render_result(result_of(ANSWERS[name]), "json"))
    validator("scale").validate(document)


def test_markdown_is_as_approved() -> None:
    approved("scale/gap.md", render_result(result_of(ANSWERS["gap"]), "markdown"))


def test_the_picture_has_two_panels_a_kernel_with_the_ideal_and_the_machine() -> None:
    figure = figure_of(result_of(ANSWERS["usual"]).page)
    titles = [each.get_title() for each in figure.axes if each.get_title()]
    assert titles == [
        "triad plain: bandwidth",
        "triad plain: speedup and efficiency",
        "triad streaming: bandwidth",
        "triad streaming: speedup and efficiency",
    ]
    left, right = figure.axes[:2]
    assert [each.get_label() for each in left.containers] == ["compact", "scatter", "none"]
    drawn = [each.lines[0].get_ydata() for each in left.containers]
    assert drawn[0][3] == pytest.approx(60.1, rel=1e-2)
    assert left.get_ylim()[0] == 0
    assert "ideal" in [each.get_text() for each in right.texts]
    caption = figure._supxlabel.get_text()
    assert "Example 9000" in caption and "2026-01-31" in caption and "seed 7" in caption
    assert "nominal bytes" in caption


def test_each_compiler_has_its_panels_with_the_same_axes_and_looks() -> None:
    plots = result_of(ANSWERS["several"]).page.plots[:4]  # of plain stores
    assert [each.title for each in plots] == [
        f"triad plain, {loops}: {what}"
        for loops in ("own loops", "gcc -O2")
        for what in ("bandwidth", "speedup")
    ]
    lines = [each for each in plots if isinstance(each, Lines)]
    assert len(lines) == 4
    for one, other in ((lines[0], lines[2]), (lines[1], lines[3])):
        assert one.y == other.y and one.y.to is not None
        names = [(each.name, each.look) for each in one.series]
        assert names == [("threads, compact", 0), ("ranks, compact", 1)]
        assert names == [(each.name, each.look) for each in other.series]


def test_where_every_worker_was_is_shown_on_request() -> None:
    shown = Terminal(100, False, UNICODE)
    page = result_of(ANSWERS["usual"]).page
    assert "Where the workers ran" not in table.render(page, shown)
    text = table.render(page, shown, details=True)
    assert re.search(r"^ compact, n = 1 +CPU 0; 1 core; 1 on node 0$", text, re.M)
    assert re.search(r"^ compact, n = 5 +CPUs 0-4; 5 cores; 4 on node 0, 1 on node 1$", text, re.M)


def test_a_gap_breaks_the_line() -> None:
    left = figure_of(result_of(ANSWERS["gap"]).page).axes[0]
    scatter = left.containers[1].lines[0]
    assert list(scatter.get_xdata()) == [1, 2, 3, 4]
    assert [math.isnan(value) for value in scatter.get_ydata()] == [False, False, True, False]


def test_without_one_worker_the_picture_says_why_there_is_no_speedup() -> None:
    right = figure_of(result_of(ANSWERS["no-speedup"]).page).axes[1]
    assert [each.get_text() for each in right.texts] == ["n = 1 was not measured"]


def test_series_are_told_apart_without_colour() -> None:
    assert len({each.marker for each in STYLES}) == len(STYLES)
    assert len({str(each.dash) for each in STYLES}) == len(STYLES)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_answer_gives_the_same_picture(suffix: str) -> None:
    file = Path(f"x{suffix}")
    assert draw_result(result_of(ANSWERS["one-round"]), file) == draw_result(
        result_of(ANSWERS["one-round"]), file
    )
