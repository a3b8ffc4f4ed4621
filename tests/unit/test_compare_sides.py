"""Sides of several results: what counts as measured apart, what is missing, and what differs."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from example_numa import machine_of, matrix_of
from example_records import MACHINE, MIB, as_lines, place, placement
from example_results import repeated
from example_sides import TRIAD, document_result, group, run_records, run_result, stream_result
from msgspec.structs import asdict, replace

from streamgage.comparison.compare.differences import differences
from streamgage.comparison.compare.document import Comparison, SideFigure
from streamgage.comparison.compare.page import columns, foot, nothing_differs, page_of, reasons
from streamgage.comparison.compare.side import Side
from streamgage.comparison.compare.sides import compare, load_sides
from streamgage.errors import UsageError
from streamgage.records import PlanRecord, Sample
from streamgage.records.setting import Tier
from streamgage.results.kinds import result_of
from streamgage.results.measure.document import Measure
from streamgage.results.measure.facts import Fact
from streamgage.results.measure.facts.measurement import Unfinished
from streamgage.results.measure.facts.memory import AbovePeak
from streamgage.results.numa.document import Numa
from streamgage.results.repeat.document import Repeat
from streamgage.results.result import Result
from streamgage.results.summarise import summary_of
from streamgage.results.summary import Entry
from streamgage.show.page import RATE, bounds_text
from streamgage.show.symbols import UNICODE
from streamgage.show.table import render
from streamgage.show.terminal import Terminal
from streamgage.store.history import page_of as history_page
from streamgage.store.load import load_content


def without(result: Result[Any], kernel: str, name: str = "less.json") -> Result[Any]:
    """The document of a run, without one kernel."""
    document = result.document
    assert isinstance(document, Measure)
    kept = [each for each in document.kernels if each.kernel != kernel]
    return result_of(replace(document, kernels=kept), name)


def row(answer: Comparison, name: str) -> tuple[SideFigure, SideFigure]:
    figure = next(each for each in answer.figures if each.name == name)
    first, second = figure.figures
    assert first is not None
    assert second is not None
    return first, second


def reason(answer: Comparison, name: str) -> str | None:
    return next(each for each in answer.figures if each.name == name).ratios[0].reason


def differing(answer: Comparison) -> dict[str, list[str | None]]:
    return {each.what: each.values for each in answer.differences}


def test_a_figure_that_one_result_of_a_side_has_alone_has_no_interval() -> None:
    one, other = group([20.0, 20.2])
    answer = compare([[one, without(other, "copy")], [run_result(25.0, seed=7, name="b.jsonl")]])
    copy, _ = row(answer, "copy plain")
    assert (copy.n, copy.of, copy.low, copy.bounded_by) == (1, "runs", None, None)
    assert reason(answer, "copy plain") == "only 1 of A's 2 results has it"
    assert row(answer, "triad plain")[0].n == 2
    assert reasons(answer, 1) == ["copy plain: only 1 of A's 2 results has it."]


def test_sides_that_lack_a_figure_in_one_run_each_are_compared() -> None:
    (one, other), (third, fourth) = group([20.0, 20.2]), group([25.0, 25.2], noise=0.003)
    answer = compare([[one, without(other, "copy")], [third, without(fourth, "copy")]])
    assert answer.figures[0].ratios[0].verdict == "too noisy to say"
    assert reason(answer, "copy plain") == (
        "only 1 of A's 2 results has it; only 1 of B's 2 results has it"
    )


def test_a_figure_that_most_results_of_a_side_have_is_pooled_over_these() -> None:
    runs = group([20.0, 20.2, 19.9])
    runs[1] = without(runs[1], "copy")
    answer = compare([runs, [run_result(25.0, seed=7)]])
    assert row(answer, "copy plain")[0].n == 2
    assert answer.figures[0].ratios[0].low is not None
    assert reason(answer, "copy plain") == "only 2 of A's 3 results have it"


def test_one_result_twice_on_a_side_is_refused() -> None:
    run = run_result()
    copied = replace_name(run, "copy.jsonl")
    with pytest.raises(UsageError, match=r"^a\.jsonl is twice on one side: name each result once"):
        compare([[run, run], [run_result(seed=2)]])
    with pytest.raises(UsageError, match=r"^a\.jsonl and copy\.jsonl are one result, twice on"):
        compare([[run_result(seed=2)], [run, copied]])
    with pytest.raises(UsageError, match="are one result"):
        compare([[run_result(seed=2)], [run, result_of(run.document, "a.json")]])


def replace_name(result: Result[Any], name: str) -> Result[Any]:
    return dataclasses.replace(result, called=name)


def test_a_result_that_is_on_both_sides_is_told() -> None:
    shared, *others = group([20.0, 20.4, 19.8])
    answer = compare([[shared, others[0]], [shared, others[1]]])
    assert answer.remarks[0].startswith(
        "1.jsonl is on both A and B. The intervals assume separate measurements"
    )
    apart = compare([[others[0]], [others[1]]])
    assert not any("is on" in each for each in apart.remarks)


def test_the_order_of_a_sides_results_changes_nothing() -> None:
    one, other = group([20.0, 25.0])
    answer = compare([[one, other], [other, one]])
    assert {each.ratios[0].verdict for each in answer.figures} == {"same"}


def test_equal_mixes_of_settings_do_not_differ() -> None:
    node8 = replace(MACHINE, host="node8")
    mixed = [run_result(), run_result(seed=2, machine=node8)]
    turned = [run_result(seed=3, machine=node8), run_result(seed=4)]
    assert differing(compare([mixed, turned])) == {}
    alone = compare([mixed, [run_result(seed=5), run_result(seed=6)]])
    assert differing(alone) == {"host": ["node7 / node8", "node7"]}


def test_what_differs_on_c_alone_is_not_held_against_b() -> None:
    third = run_result(30.0, seed=3, places=placement(place(0)))
    answer = compare([[run_result()], [run_result(25.0, seed=2)], [third]])
    assert {tuple(each.sides) for each in answer.differences} == {("C",)}
    of_b, of_c = answer.sentences
    assert "No recorded setting differs" in of_b
    assert "These settings differ and may be the cause: threads, cores in use and CPUs" in of_c


def test_settings_within_their_tolerance_are_not_held_against_a_side() -> None:
    """They stand in the table for C's sake, with texts of their own."""
    close, far = run_result(seed=2, array=64 * MIB + 8192), run_result(seed=3, array=32 * MIB)
    (array,) = differences([Side("A", [run_result()]), Side("B", [close]), Side("C", [far])])
    assert (array.what, array.sides) == ("size of each array", ["C"])


def with_runs(document: Repeat, **setting: object) -> Repeat:
    return replace(document, runs=[replace(each, **setting) for each in document.runs])


def test_threads_of_repeated_runs_are_told() -> None:
    one = repeated()
    other = with_runs(one, threads=1, cpus="0")
    answer = compare([[document_result(one)], [document_result(other)]])
    assert differing(answer) == {"threads": ["2 threads", "1 thread"], "CPUs": ["0-1", "0"]}
    free = with_runs(one, bound=False)
    answer = compare([[document_result(one)], [document_result(free)]])
    assert differing(answer) == {"binding": ["bound", "not bound"]}
    scattered = replace(
        one,
        runs=[replace(each, threads=4) if each.setting == "scatter" else each for each in one.runs],
    )
    answer = compare([[document_result(one)], [document_result(scattered)]])
    assert differing(answer)["threads"] == [
        "2 threads",
        "compact: 2 threads; scatter: 4 threads",
    ]


def test_threads_of_the_nodes_are_told() -> None:
    one = matrix_of(machine_of(2))
    fewer = replace(one, cpu_nodes=[replace(each, cpus=each.cpus[:1]) for each in one.cpu_nodes])
    answer = compare([[document_result(one)], [document_result(fewer)]])
    threads, cpus = differing(answer)["threads"], differing(answer)["CPUs"]
    assert [len(each.cpus) for each in one.cpu_nodes] == [2, 2]
    assert threads == ["2 threads on each node", "1 thread on each node"]
    assert cpus[1] == "; ".join(f"node {each.node}: {each.cpus[0]}" for each in one.cpu_nodes)


def test_what_no_side_tells_is_said_where_nothing_differs() -> None:
    one = repeated()
    faster = replace(
        one,
        kernels=[
            replace(each, rates=[replace(rate, gbps=1.5 * rate.gbps) for rate in each.rates])
            for each in one.kernels
        ],
    )
    answer = compare([[document_result(one)], [document_result(faster)]])
    assert answer.untold_by_all == ["the size of the arrays"]
    assert nothing_differs(answer) == (
        "No recorded setting differs, but neither side records the size of the"
        " arrays. These may differ."
    )
    assert "but neither records the size of the arrays" in answer.sentences[0]
    runs = compare([[run_result()], [run_result(25.0, seed=2)]])
    assert runs.untold_by_all == []
    assert nothing_differs(runs) == "No recorded setting differs."


def test_cells_of_unlike_stores_are_told() -> None:
    one = matrix_of(machine_of(2))
    triad = next(each for each in one.kernels if each.kernel == "triad")
    cells = [replace(each, store="regular") for each in triad.cells]
    other: Numa = replace(one, kernels=[replace(triad, cells=cells)])
    answer = compare([[document_result(one)], [document_result(other)]])
    assert reason(answer, "triad, node 0 to node 1") == (
        "the best figure comes from streaming stores on A and from regular stores on B"
    )
    assert reason(answer, "idle latency, node 0 to node 1") is None


def few_repeated(rounds: int) -> Repeat:
    one = repeated()
    return replace(
        one,
        kernels=[replace(each, rates=each.rates[:rounds]) for each in one.kernels],
        rounds=rounds,
    )


def test_bounds_of_two_runs_are_their_range_and_are_called_so() -> None:
    document = few_repeated(2)
    answer = compare([[document_result(document)], [document_result(few_repeated(3))]])
    compact, _ = row(answer, "triad plain, compact")
    rates = [each.gbps for each in document.kernels[0].rates]
    assert (compact.low, compact.high) == pytest.approx((min(rates), max(rates)))
    assert compact.bounded_by == "range"
    assert "± or a to b: their range" in foot(answer, 1)


def test_bounds_of_two_tables_of_stream_are_their_range() -> None:
    one, other = stream_result(tables=2), stream_result(1.1, tables=2, name="other.txt")
    answer = compare([[one], [other]])
    triad, _ = row(answer, "triad plain")
    assert (triad.low, triad.high) == pytest.approx((718.7991, 718.7991 * 1.001), rel=1e-6)
    assert "± or a to b: their range" in foot(answer, 1)


def test_a_foot_says_of_both_kinds_of_bounds_what_they_are() -> None:
    answer = compare([[run_result(seed=2)], group([20.0, 21.0, 20.5])])
    assert "± or a to b: its 95 % interval; with fewer than 6 allocations" in foot(answer, 1)


def test_three_commands_show_the_same_bounds_of_a_run() -> None:
    run = run_result(noise=0.02)
    assert isinstance(run.document, Measure)
    result = next(each for each in run.document.kernels if each.kernel == "triad")
    assert result.low_gbps is not None
    assert result.high_gbps is not None
    answer = compare([[run], [run_result(25.0, seed=2)]])
    triad, _ = row(answer, "triad plain")
    assert triad.low == pytest.approx(result.low_gbps)
    assert triad.high == pytest.approx(result.high_gbps)

    bounds = bounds_text(result.low_gbps, result.high_gbps, triad.value, RATE)
    shown = columns(answer, 1)[2].cell(answer.figures[1]).text
    assert shown.strip("()") == bounds
    history = history_page([entry_of(run)], "triad")
    assert bounds in render(history, Terminal(100, False, UNICODE))


def entry_of(run: Result[Any]) -> Entry:
    summary = summary_of(run, partial=False)
    return Entry(id=1, added="2026-01-31T12:00:00Z", bytes=1, **asdict(summary))


def test_figures_that_vanished_leave_acceptance_undecided() -> None:
    whole = run_result()
    less = without(run_result(seed=2), "copy", "b.json")
    accepted = compare([[whole], [less]], fail_below=0.5).acceptance
    assert accepted is not None
    assert accepted.passed is None
    assert "B (b.json) lacks figures that A has: copy plain." in accepted.text
    assert "choose others with --kernel" in accepted.text
    chosen = compare([[whole], [less]], kernels=["triad"], fail_below=0.5).acceptance
    assert chosen is not None
    assert chosen.passed
    more = compare([[less], [whole]], fail_below=0.5).acceptance
    assert more is not None
    assert more.passed


def test_figures_that_another_benchmark_never_has_are_not_missed() -> None:
    accepted = compare([[run_result()], [stream_result()]], fail_below=0.5).acceptance
    assert accepted is not None
    assert accepted.passed


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            Unfinished(severity="error", ended="cut-off", samples=3),
            "was stopped early",
        ),
        (
            AbovePeak(
                severity="error",
                variant="triad plain",
                gbps=500.0,
                peak_gbps=300.0,
                peak_source="given",
                peak_detail="--peak",
                small_arrays=False,
            ),
            "an error among its findings: triad plain moved 500.0 GB/s",
        ),
    ],
)
def test_a_document_whose_findings_are_errors_cannot_be_accepted(fact: Fact, words: str) -> None:
    run = run_result(seed=2)
    assert isinstance(run.document, Measure)
    document = replace(run.document, findings=[*run.document.findings, fact])
    answer = compare([[run_result()], [document_result(document)]], fail_below=0.5)
    assert answer.acceptance is not None
    assert answer.acceptance.passed is None
    assert words in answer.acceptance.text
    assert any("is not complete" in each for each in answer.remarks) == (fact.code == "unfinished")


def test_many_numbers_are_numbers_and_no_name_of_a_file(tmp_path: Path) -> None:
    many = ",".join(str(number) for number in range(100, 180))
    with pytest.raises(UsageError, match=r"^No result is stored in"):
        load_sides([many, many], tmp_path / "store", print)
    with pytest.raises(UsageError, match="cannot be read"):
        load_sides([",".join(["file.jsonl"] * 80), "b"], tmp_path / "store", print)


@pytest.mark.parametrize("bound", [5e-324, 1e-300])
def test_bounds_beyond_reason_are_not_shown(bound: float) -> None:
    run = run_result(seed=2)
    assert isinstance(run.document, Measure)
    for low, high in ((bound, None), (None, 1 / max(bound, 1e-308))):
        kernels = [
            replace(each, low_gbps=low or each.low_gbps, high_gbps=high or each.high_gbps)
            for each in run.document.kernels
        ]
        odd = document_result(replace(run.document, kernels=kernels))
        answer = compare([[run_result()], [odd]])
        assert row(answer, "triad plain")[1].low is None

        assert "±" in render(page_of(answer), Terminal(100, False, UNICODE))


def test_rates_of_repeated_runs_beyond_reason_are_left_out() -> None:
    document = repeated()
    first = document.kernels[0]
    odd = replace(first, rates=[replace(first.rates[0], gbps=5e-324), *first.rates[1:]])
    answer = compare(
        [[document_result(document)], [document_result(replace(document, kernels=[odd]))]]
    )
    assert row(answer, "triad plain, compact")[1].n == 4


def test_no_conclusion_rests_on_a_figure_whose_every_sample_was_disturbed() -> None:
    tiers = [Tier(kernels=["copy", "triad"])]  # of measure: series count such samples
    disturbed = [
        replace(each, role="disturbed", pass_seconds=None)
        if isinstance(each, Sample) and each.variant == TRIAD.id
        else (replace(each, tiers=tiers) if isinstance(each, PlanRecord) else each)
        for each in run_records(10.0)
    ]
    other = load_content(as_lines(disturbed), "b.jsonl", "b.jsonl", print)
    answer = compare([[run_result(20.0)], [other]])
    _, triad = row(answer, "triad plain")
    assert triad.low is None
    [ratio] = next(e for e in answer.figures if e.name == "triad plain").ratios
    assert (ratio.low, ratio.verdict) == (None, "no conclusion")
