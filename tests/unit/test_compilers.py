"""Comparisons of compilers: rates, ratios, what failed, and how it is shown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import pytest
from example_compilers import OWN, RATES, compared, loop, row, row_run
from golden import approved
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.kernels import Listing
from streamgage.results.compilers.document import CompiledRate
from streamgage.results.compilers.experiment import QUICK, CompilerRow, share_code
from streamgage.results.compilers.findings import CHECKS
from streamgage.results.compilers.judge import CompilersSetup, judge_compilers
from streamgage.results.compilers.words import conclusions
from streamgage.results.kinds import result_of, words_of
from streamgage.results.preset import make_plan
from streamgage.results.render import render_result
from streamgage.results.run_findings import OF_RUNS
from streamgage.results.series import Condition
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal

WRONG = "the results are wrong: a kernel did not compute the expected values"
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
    copy, triad = words_of(ANSWERS["usual"]).sentences
    assert copy == (
        "copy: 60.1 GB/s by streamgage's own (the same within noise: gcc -O3), 45.0 by clang-16 -O2"
        " (0.75 of it)."
    )
    assert triad == "triad: no difference beyond noise among the 3."


def test_no_compiler_is_named_the_best_where_rounds_scatter_more_than_rows_differ() -> None:
    """Three rounds of 58 to 62 GB/s next to three of 55 to 57.9 do not overlap, yet say little."""
    answer = ANSWERS["usual"]
    ours, theirs = (
        CompiledRate(
            name=name,
            kernel="copy",
            gbps=Estimate(value=value, low=low, high=high, bounded_by="range"),
            ratio=None,
            rounds=3,
        )
        for name, value, low, high in (("gcc", 60.0, 58.0, 62.0), ("icx", 57.0, 55.0, 57.9))
    )
    (noisy,) = words_of(replace(answer, rates=[ours, theirs])).sentences
    assert noisy == "copy: no difference beyond noise among the 2."
    steady = [
        replace(each, gbps=replace(each.gbps, low=each.gbps.value, high=1.001 * each.gbps.value))
        for each in (ours, theirs)
    ]
    (sure,) = words_of(replace(answer, rates=steady)).sentences
    assert sure == "copy: 60.0 GB/s by gcc, 57.0 by icx (0.95 of it)."


def test_a_spoiled_round_makes_no_row_the_best() -> None:
    """One of three rounds of gcc was far too high: its median is the highest, and says nothing."""
    answer = ANSWERS["usual"]
    rates = [
        CompiledRate(
            name=name,
            kernel="copy",
            gbps=Estimate(value=value, low=low, high=high, bounded_by="range"),
            ratio=None,
            rounds=3,
        )
        for name, value, low, high in (
            ("gcc -O3", 46.4, 22.2, 70.6),
            (OWN, 30.0, 29.9, 30.1),
            ("clang-16 -O2", 25.0, 24.9, 25.1),
        )
    ]
    (said,) = conclusions(replace(answer, rates=rates))
    assert said.text == (
        "copy: 30.0 GB/s by streamgage's own (the same within noise: gcc -O3), 25.0 by clang-16 -O2"
        " (0.83 of it)."
    )


def shared(codes: dict[str, tuple[str, str]]) -> list[CompilerRow]:
    """Rows whose copy and triad have this machine code."""
    plan = make_plan(QUICK, kernels=["copy", "triad"], stores=["plain"])
    plan = replace(plan, kernels=["copy", "triad"])
    return share_code(
        [
            CompilerRow(
                replace(row("gcc -O3"), name=name),
                Condition(name, plan),
                {
                    kernel: Listing(kernel, (), (), False, 256, False, code)
                    for kernel, code in zip(("copy", "triad"), both, strict=True)
                },
            )
            for name, both in codes.items()
        ]
    )


def measured(built: Sequence[CompilerRow]) -> list[list[str] | None]:
    return [None if each.condition is None else each.condition.plan.kernels for each in built]


def test_loops_of_the_same_machine_code_are_measured_once() -> None:
    built = shared({"gcc -O2": ("a", "b"), "g++ -O2": ("a", "b"), "clang -O2": ("a", "c")})
    assert measured(built) == [["copy", "triad"], None, ["triad"]]
    assert [each.row.same_as for each in built] == [None, "gcc -O2", None]
    assert [each.measured_as for each in built[2].row.loops] == ["gcc -O2", None]
    assert measured(shared({"gcc": ("", ""), "g++": ("", "")})) == [["copy", "triad"]] * 2


def test_rows_that_share_their_code_share_a_row() -> None:
    built = shared({"gcc -O3": ("a", "b"), "g++ -O3": ("a", "b"), "clang -O3": ("a", "c")})
    rows = [each.row for each in built]
    runs = [
        FreshRun(name, number, row_run(60.0, gbps, number), None, None)
        for number in (1, 2, 3)
        for name, gbps in (("gcc -O3", 40.0), ("clang -O3", 20.0))
    ]
    answer = judge_compilers(runs, rows, CompilersSetup(3, 7), None)
    assert {(each.name, each.kernel): each.measured_as for each in answer.rates} == {
        ("gcc -O3", "copy"): None,
        ("gcc -O3", "triad"): None,
        ("clang -O3", "copy"): "gcc -O3",
        ("clang -O3", "triad"): None,
    }
    assert all(each.failure is None for each in answer.compilations)
    text = render(result_of(answer).page, Terminal(100, False, UNICODE))
    assert " gcc, g++ -O3 " in text and not any(
        line.startswith(" g++") for line in text.splitlines()
    )
    assert "3 of 6 loops have the machine code of another one" in " ".join(text.split())
    lines = list(csv.DictReader(io.StringIO(render_result(result_of(answer), "csv"))))
    assert {each["measured_as"] for each in lines if each["name"] == "g++ -O3"} == {"gcc -O3"}
    failed = judge_compilers(
        [replace_failure(each) if each.condition == "gcc -O3" else each for each in runs],
        rows,
        CompilersSetup(3, 7),
        None,
    )
    assert [each.failure for each in failed.compilations] == [WRONG, WRONG, None]


def replace_failure(run: FreshRun) -> FreshRun:
    return FreshRun(run.condition, run.round, run.run, WRONG, run.records)


def test_rows_without_bounds_are_not_told_apart() -> None:
    answer = ANSWERS["usual"]
    bare = [replace(each, gbps=replace(each.gbps, low=None, high=None)) for each in answer.rates]
    assert all(
        "no difference beyond noise" in e for e in words_of(replace(answer, rates=bare)).sentences
    )


def test_what_failed_says_why_and_is_in_no_rate() -> None:
    answer = ANSWERS["failed"]
    failures = {each.name: each.failure for each in answer.compilations}
    assert failures["badcc -O3"] == WRONG
    assert failures["nocc -Q"] == "error: unknown option -Q."
    assert failures["gcc -O3"] is None
    assert {each.name for each in answer.rates} == set(RATES)
    assert words_of(answer).sentences[-1] == "2 rows of 5 failed: the table says why."


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
    assert words_of(answer).sentences[-1] == "gcc -O3: 1 run of 3 failed and is left out: It died."


def test_a_row_that_was_not_come_to_says_so() -> None:
    rows = [row(name) for name in RATES]
    runs = [FreshRun(OWN, 1, row_run(*RATES[OWN], 1), None, None)]
    answer = judge_compilers(runs, rows, CompilersSetup(3, 7), None)
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
    (finding,) = words_of(judge_compilers([], rows, CompilersSetup(3, 7), None)).findings
    assert finding.text.startswith(
        "gcc -O3 turned copy into memcpy; icx -O3 turned copy into _intel_fast_memcpy; gcc -pg did"
        " not."
    )


def test_findings_name_wrong_kernels_and_calls() -> None:
    wrong, calls = words_of(ANSWERS["failed"]).findings
    assert (wrong.code, wrong.severity) == ("invalid", "error")
    assert "The loops of badcc -O3 gave wrong results" in wrong.text
    assert (calls.code, calls.severity) == ("copy-memcpy", "note")
    assert calls.text.startswith("gcc -O3 turned copy into memcpy; clang-16 -O2 did not.")
    own = [code for code, _ in CHECKS if code == "invalid" or code not in dict(OF_RUNS)]
    assert own == ["invalid", "other-load", "not-converged", "copy-memcpy"]
    (few,) = words_of(ANSWERS["one-round"]).findings
    assert few.text.startswith("There is only 1 round: ")


@pytest.mark.parametrize("name", ANSWERS)
def test_the_table_is_as_approved(name: str) -> None:
    approved(
        f"compilers/{name}-100.txt",
        render(result_of(ANSWERS[name]).page, Terminal(100, False, UNICODE)),
    )


def test_a_narrow_table_is_told_in_parts() -> None:
    text = render(result_of(ANSWERS["usual"]).page, Terminal(40, False, ASCII))
    approved("compilers/usual-ascii-40.txt", text)
    assert all(len(line) <= 40 for line in text.splitlines())
    assert text.isascii()


def test_markdown_is_as_approved() -> None:
    approved("compilers/failed.md", render_result(result_of(ANSWERS["failed"]), "markdown"))


@pytest.mark.parametrize("name", ANSWERS)
def test_csv_and_json_hold_every_row(name: str) -> None:
    answer = ANSWERS[name]
    rows = list(csv.DictReader(io.StringIO(render_result(result_of(answer), "csv"))))
    assert {each["name"] for each in rows} == {each.name for each in answer.compilations}
    assert [each["failure"] != "" for each in rows] == [each["median_gbps"] == "" for each in rows]
    validator("compilers").validate(json.loads(render_result(result_of(answer), "json")))
