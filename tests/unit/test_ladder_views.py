"""Ladders as people and programs get them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_ladder import asked_of, by_capacity, ladder_of, machine_of, rungs_of
from golden import approved
from schemas import validator

from streamgage.results.kinds import result_of
from streamgage.results.ladder.judge import judge_ladder
from streamgage.results.render import draw_result, render_result
from streamgage.show.picture import figure_of
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render as table
from streamgage.show.terminal import Terminal

MACHINE = machine_of()
ANSWERS = {
    "usual": ladder_of(MACHINE),
    "smaller": ladder_of(
        machine_of(hypervisor="KVM"),
        ("sequential",),
        rate=lambda rung, machine: by_capacity(rung, machine, shrink=0.3),
        rounds=1,
    ),
    "empty": judge_ladder([], rungs_of(MACHINE, ["sequential"]), asked_of(["sequential"]), MACHINE),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"ladder/{name}-100.txt",
        table(result_of(ANSWERS[name]).page, Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_drops_columns() -> None:
    text = table(result_of(ANSWERS["usual"]).page, Terminal(60, False, ASCII))
    approved("ladder/usual-ascii-60.txt", text)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert text.isascii()


def test_the_columns_for_gnuplot_are_as_approved() -> None:
    text = render_result(result_of(ANSWERS["smaller"]), "dat")
    approved("ladder/smaller.dat", text)
    blocks = render_result(result_of(ANSWERS["usual"]), "dat").split("\n\n\n")
    assert len(blocks) == 3


def test_csv_has_a_line_a_point() -> None:
    answer = ANSWERS["usual"]
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(answer), "csv"))))
    assert len(rows) == sum(len(each.points) for each in answer.curves)
    assert {row["level"] for row in rows} == {"L1", "L2", "L3", "memory", ""}
    first = rows[0]
    assert float(first["bytes_per_cycle"]) == pytest.approx(
        float(first["median_gbps"]) / 3, rel=1e-4
    )


@pytest.mark.parametrize("name", ANSWERS)
def test_the_document_conforms_to_its_schema(name: str) -> None:
    validator("ladder").validate(json.loads(render_result(result_of(ANSWERS[name]), "json")))


def test_markdown_is_as_approved() -> None:
    approved("ladder/smaller.md", render_result(result_of(ANSWERS["smaller"]), "markdown"))


def test_the_picture_marks_the_caches_and_names_the_plateaus() -> None:
    figure = figure_of(result_of(ANSWERS["usual"]).page)
    assert len(figure.axes) == 3
    for axes in figure.axes:
        said = [each.get_text() for each in axes.texts]
        assert len([each for each in said if each.endswith("iB")]) == 3
        assert [each.split()[0] for each in said if not each.endswith("iB")] == [
            "L1",
            "L2",
            "L3",
            "memory",
        ]
        assert axes.get_xscale() == "log"
        assert axes.get_yscale() == "log"
    caption = figure._supxlabel.get_text()
    assert "Example 9000" in caption and "2026-01-31" in caption and "nominal bytes" in caption


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_answer_gives_the_same_picture(suffix: str) -> None:
    file = Path(f"x{suffix}")
    assert draw_result(result_of(ANSWERS["smaller"]), file) == draw_result(
        result_of(ANSWERS["smaller"]), file
    )
