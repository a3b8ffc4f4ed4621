"""Comparisons of compilers: rates, ratios, what failed, and how it is shown."""

from __future__ import annotations

import csv
import io
import json

import pytest
from example_compilers import OWN, RATES, compared, loop, row, row_run
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.results.compilers.findings import CHECKS
from streamgage.results.compilers.judge import Asked, judge_compilers
from streamgage.results.kinds import words_of
from streamgage.results.render import page_of, render_result
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

WRONG = "the results are wrong: a kernel's outcome differs from what it must be"
ANSWERS = {
    "usual": compared(),
    "failed": compared(
        RATES | {"badcc -O3": (1.0, 1.0)},
        failures={"badcc -O3": WRONG},
        not_built={"nocc -Q": "error: unknown option -Q."},
    ),
    "one-round": compared({OWN: RATES[OWN]}, rounds=1),
    "empty": compared({}),
}


def test_every_row_has_its_rates_and_their_ratio_to_the_first() -> None:
    answer = ANSWERS["usual"]
    assert answer.baseline == OWN
    rates = {(each.name, each.kernel): each for each in answer.rates}
    assert rates[OWN, "copy"].gbps.value == pytest.approx(60, rel=0.01)
    assert rates[OWN, "copy"].ratio is None
    slow = rates["clang-16 -O2", "copy"].ratio
    assert slow is not None and slow.value == pytest.approx(0.75)
    even = rates["clang-16 -O2", "triad"].ratio
    assert even is not None and even.value == pytest.approx(1)
    assert {each.rounds for each in answer.rates} == {3}


def test_the_verdict_names_the_best_and_the_least() -> None:
    copy, triad = words_of(ANSWERS["usual"]).verdict
    assert copy == ("copy: 60.1 GB/s by streamgage's own, 45.0 by clang-16 -O2 (0.75 of it).")
    assert triad == "triad: all 3 give the same within their intervals."


def test_what_failed_says_why_and_is_in_no_rate() -> None:
    answer = ANSWERS["failed"]
    failures = {each.name: each.failure for each in answer.compilations}
    assert failures["badcc -O3"] == WRONG
    assert failures["nocc -Q"] == "error: unknown option -Q."
    assert failures["gcc -O3"] is None
    assert {each.name for each in answer.rates} == set(RATES)
    assert words_of(answer).verdict[-1] == "2 rows of 5 failed: the table says why."


def test_a_wrong_outcome_in_one_round_leaves_out_the_whole_row() -> None:
    answer = compared(failures={"gcc -O3": WRONG}, once=True)
    assert "gcc -O3" not in {each.name for each in answer.rates}
    assert {each.name: each.failure for each in answer.compilations}["gcc -O3"] == WRONG
    assert words_of(answer).findings[0].code == "invalid"


def test_a_run_that_failed_otherwise_is_left_out_and_told_of() -> None:
    answer = compared(failures={"gcc -O3": "It died."}, once=True)
    rounds = {each.name: each.rounds for each in answer.rates}
    assert (rounds["gcc -O3"], rounds[OWN]) == (2, 3)
    assert all(each.failure is None for each in answer.compilations)
    assert words_of(answer).verdict[-1] == "gcc -O3: 1 run of 3 failed and is left out: It died."


def test_a_row_that_was_not_come_to_says_so() -> None:
    rows = [row(name) for name in RATES]
    runs = [FreshRun(OWN, 1, row_run(*RATES[OWN], 1), None, None)]
    answer = judge_compilers(runs, rows, Asked(3, 7), None)
    assert [each.failure for each in answer.compilations] == [
        None,
        *["It was not measured: the series was stopped before."] * 2,
    ]


def test_functions_are_named_with_those_that_call_them_and_others_do_not_count() -> None:
    rows = [
        replace(row(name), loops=[replace(loop("copy", "memcpy"), calls=[function])])
        for name, function in (
            ("gcc -O3", "memcpy"),
            ("icx -O3", "_intel_fast_memcpy"),
            ("gcc -pg", "mcount"),
        )
    ]
    (finding,) = words_of(judge_compilers([], rows, Asked(3, 7), None)).findings
    assert finding.text.startswith(
        "gcc -O3 turned copy into memcpy; icx -O3 turned copy into _intel_fast_memcpy; gcc -pg did"
        " not."
    )


def test_findings_name_wrong_kernels_and_calls() -> None:
    wrong, calls = words_of(ANSWERS["failed"]).findings
    assert (wrong.code, wrong.severity) == ("invalid", "error")
    assert "The loops of badcc -O3 compute something else" in wrong.text
    assert (calls.code, calls.severity) == ("copy-memcpy", "note")
    assert calls.text.startswith("gcc -O3 turned copy into memcpy; clang-16 -O2 did not.")
    assert [code for code, _ in CHECKS] == ["invalid", "copy-memcpy"]
    assert not words_of(ANSWERS["one-round"]).findings


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"compilers/{name}-100.txt",
        render(page_of(ANSWERS[name]), Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_is_told_in_parts() -> None:
    text = render(page_of(ANSWERS["usual"]), Terminal(40, False, ASCII))
    approved("compilers/usual-ascii-40.txt", text)
    assert all(len(line) <= 40 for line in text.splitlines())
    assert text.isascii()


def test_markdown_is_as_approved() -> None:
    approved("compilers/failed.md", render_result(ANSWERS["failed"], None, "markdown"))


@pytest.mark.parametrize("name", ANSWERS)
def test_csv_and_json_hold_every_row(name: str) -> None:
    answer = ANSWERS[name]
    rows = list(csv.DictReader(io.StringIO(render_result(answer, None, "csv"))))
    assert {each["name"] for each in rows} == {each.name for each in answer.compilations}
    assert [each["failure"] != "" for each in rows] == [each["gbps"] == "" for each in rows]
    validator("compilers").validate(json.loads(render_result(answer, None, "json")))
