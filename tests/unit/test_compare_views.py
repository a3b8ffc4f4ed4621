"""Comparisons as people and programs get them."""

from __future__ import annotations

import csv
import io
import json

import pytest
from example_records import MACHINE, MIB, place, placement
from example_sides import group, run_result, stream_result
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.comparison.compare.document import Comparison
from streamgage.comparison.compare.page import page_of
from streamgage.comparison.compare.sides import compare
from streamgage.show.csv import render as csv_text
from streamgage.show.formats import as_json
from streamgage.show.markdown import render as markdown
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render as table
from streamgage.show.terminal import Terminal

ELSEWHERE = replace(MACHINE, host="node8", processor="Example 9100", huge_pages="always")


def _answers() -> dict[str, Comparison]:
    base = run_result(name="before.jsonl")
    return {
        "like": compare([[base], [run_result(19.0, seed=2, name="after.jsonl")]], fail_below=0.97),
        "unlike": compare(
            [
                [base],
                [
                    run_result(
                        30.0,
                        seed=3,
                        name="node8.jsonl",
                        machine=ELSEWHERE,
                        places=placement(place(0)),
                        array=32 * MIB,
                    )
                ],
                [stream_result()],
            ]
        ),
        "groups": compare([group([20.0, 20.4, 19.8]), group([20.1, 20.3, 19.9])], fail_below=0.9),
    }


ANSWERS = _answers()
TEXTS = {
    "like-100.txt": lambda: table(page_of(ANSWERS["like"]), Terminal(100, False, UNICODE)),
    "unlike-100.txt": lambda: table(page_of(ANSWERS["unlike"]), Terminal(100, False, UNICODE)),
    "unlike-ascii-60.txt": lambda: table(page_of(ANSWERS["unlike"]), Terminal(60, False, ASCII)),
    "groups-80.txt": lambda: table(page_of(ANSWERS["groups"]), Terminal(80, False, UNICODE)),
    "unlike.md": lambda: markdown(page_of(ANSWERS["unlike"])),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_those_that_were_reviewed(name: str) -> None:
    approved(f"compare/{name}", TEXTS[name]())


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_narrow_terminals_lose_columns_but_neither_ratio_nor_verdict(name: str, width: int) -> None:
    answer = ANSWERS[name]
    text = table(page_of(answer), Terminal(width, False, UNICODE))
    for row in answer.figures:
        for ratio in (each for each in row.ratios if each.value is not None):
            lines = [line for line in text.splitlines() if row.name in line]
            assert any(
                f"{ratio.value:.3f}" in line or f"{ratio.value:.1f}" in line for line in lines
            )
            assert any(line.endswith(ratio.verdict or "") for line in lines)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_document_follows_its_schema(name: str) -> None:
    validator("compare").validate(json.loads(as_json(ANSWERS[name])))


def test_each_figure_of_each_side_is_a_line_of_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(page_of(ANSWERS["unlike"]).data))))
    assert [(row["figure"], row["side"]) for row in rows] == [
        *((name, side) for name in ("copy plain", "triad plain") for side in "AB"),
        *((name, side) for name in ("copy plain, best", "triad plain, best") for side in "AC"),
    ]
    assert [row["ratio"] != "" for row in rows] == [False, True] * 4
    assert rows[5]["value"] == "685.042"
