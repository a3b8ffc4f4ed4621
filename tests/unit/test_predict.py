"""Predictions from measured scaling: at points, between them, and what is refused."""

from __future__ import annotations

import csv
import io
import json

import pytest
from example_scale import machine_of, scaling_of
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.errors import UsageError
from streamgage.programs.predict.document import Prediction
from streamgage.programs.predict.judge import predicted
from streamgage.programs.predict.page import page_of
from streamgage.show.csv import render as csv_text
from streamgage.show.formats import as_json
from streamgage.show.markdown import render as markdown
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render as table
from streamgage.show.terminal import Terminal

SCALING = scaling_of(machine_of(), ["compact", "scatter", "none"], [1, 2, 4, 8])
"""A core has 30 GB/s, a node of four cores 60."""
ANSWERS = {
    "measured": predicted(SCALING, 4),
    "between": predicted(SCALING, 6, placement="compact"),
    "one": predicted(scaling_of(machine_of(), ["compact"], [1], rounds=1), 1),
}


def test_a_measured_number_is_predicted_by_its_point() -> None:
    found = ANSWERS["measured"]
    assert (found.placement, found.kernel, found.between) == ("scatter", "triad", None)
    assert found.speedup.value == pytest.approx(4, rel=0.01)
    assert found.efficiency.value == pytest.approx(1, rel=0.01)
    assert found.speedup.low is not None and found.speedup.low <= found.speedup.value
    assert (found.worth_n, found.best_n, found.rounds) == (4, 4, 3)


def test_between_two_points_bandwidth_is_a_line_and_that_is_said() -> None:
    found = ANSWERS["between"]
    compact = next(each for each in SCALING.curves if each.placement == "compact")
    four, eight = (point.gbps.value for point in compact.points if point.n in (4, 8))
    assert found.gbps.value == pytest.approx((four + eight) / 2)
    assert found.between == [4, 8]
    assert found.efficiency.value == pytest.approx(found.speedup.value / 6)
    assert "6 was not measured: its bandwidth is interpolated between 4 and 8." in found.sentences


def test_where_memory_is_the_limit_fewer_are_worth_using() -> None:
    found = predicted(SCALING, 4, placement="compact")
    assert found.speedup.value == pytest.approx(2, rel=0.01)
    assert found.efficiency.value == pytest.approx(0.5, rel=0.01)
    assert found.sentences[0] == (
        "For a program limited by memory, 4 threads give 2.00 times (2.00 to 2.00) the speed of"
        " one, an efficiency of 50 %."
    )


@pytest.mark.parametrize(
    ("n", "options", "said"),
    [
        (9, {}, "9 threads are more than the 8 threads that were measured"),
        (
            2,
            {"placement": "smt"},
            "--cpus smt is not in that scaling, which has compact, scatter",
        ),
        (2, {"kernel": "sum"}, "--kernels sum is not in that scaling, which has triad"),
    ],
)
def test_what_was_not_measured_is_not_guessed(n: int, options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        predicted(SCALING, n, **options)


def test_without_one_worker_there_is_nothing_to_compare_with() -> None:
    scaling = scaling_of(machine_of(), ["compact"], [2, 4])
    with pytest.raises(UsageError, match="no point with one worker"):
        predicted(scaling, 4)
    with pytest.raises(UsageError, match="no point with one worker"):
        predicted(scaling, 1)
    with pytest.raises(UsageError, match="has no points"):
        predicted(replace(scaling, curves=[]), 2)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_text_is_as_approved(name: str) -> None:
    text = table(page_of(ANSWERS[name]), Terminal(100, False, UNICODE))
    approved(f"predict/{name}-100.txt", text)


def test_a_narrow_terminal_breaks_the_lines() -> None:
    text = table(page_of(ANSWERS["between"]), Terminal(50, False, ASCII))
    assert text.isascii() and all(len(line) <= 50 for line in text.splitlines())


@pytest.mark.parametrize("name", ANSWERS)
def test_json_csv_and_markdown_hold_the_figures(name: str) -> None:
    answer: Prediction = ANSWERS[name]
    validator("predict").validate(json.loads(as_json(answer)))
    (row,) = csv.DictReader(io.StringIO(csv_text(page_of(answer).data)))
    assert float(row["speedup"]) == pytest.approx(answer.speedup.value, rel=1e-5)
    assert row["interpolated"] == str(int(answer.between is not None))
    assert answer.sentences[-1].split(":")[0] in markdown(page_of(answer))
