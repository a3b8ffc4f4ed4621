"""The matrix of NUMA nodes: what is measured, what becomes of the runs, and how it is shown."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from example_numa import (
    cell_run,
    cell_runs,
    fast_memory,
    machine_of,
    matrix_of,
    usual,
    with_memory_only,
)
from example_records import MEMORY, place, placement
from example_topologies import restricted, two_sockets
from msgspec.structs import replace
from schemas import validator

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.plan import Placement
from streamgage.records import ArrayPages, NumaNode
from streamgage.records.run import collect
from streamgage.results.kinds import result_of, words_of
from streamgage.results.numa.document import Numa, NumaCell
from streamgage.results.numa.experiment import QUICK, STANDARD, STORES, cell_plan
from streamgage.results.numa.judge import cell_name, judge_numa, layout_of
from streamgage.results.numa.page import missing
from streamgage.results.numa.words import left_out
from streamgage.results.preset import make_plan
from streamgage.results.render import draw_result, render_result
from streamgage.show.picture import figure_of
from streamgage.show.symbols import ASCII, UNICODE
from streamgage.show.table import render as table
from streamgage.show.terminal import Terminal

GIB = 1 << 30


def cell_of(cells: list[NumaCell], cpu_node: int, memory_node: int) -> NumaCell:
    return next(
        each for each in cells if (each.cpu_node, each.memory_node) == (cpu_node, memory_node)
    )


def shown(matrix: Numa, width: int = 100) -> str:
    return table(result_of(matrix).page, Terminal(width, False, UNICODE))


def markdown(matrix: Numa) -> str:
    return render_result(result_of(matrix), "markdown")


def test_rows_have_cpus_and_columns_have_memory() -> None:
    layout = layout_of(with_memory_only())
    assert [(each.node, each.cpus) for each in layout.cpu_nodes] == [(0, [0, 1]), (1, [2, 3])]
    columns = [(each.node, each.memory_only) for each in layout.memory_nodes]
    assert columns == [(0, False), (1, False), (2, True), (3, True)]
    assert list(left_out(matrix_of(with_memory_only()))) == [
        "Node 8 has no column: this process may only take memory from nodes 0-3.",
    ]


def test_a_row_has_the_first_cpu_of_each_core_that_may_be_used() -> None:
    assert [each.cpus for each in layout_of(two_sockets()).cpu_nodes] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
    ]
    second_threads = replace(two_sockets(), allowed_cpus="2,8-11,15")
    assert [each.cpus for each in layout_of(second_threads).cpu_nodes] == [[8, 9, 2, 11], [15]]


def test_nodes_that_cannot_be_used_are_left_out_with_the_reason() -> None:
    layout = layout_of(restricted())
    assert [each.node for each in layout.cpu_nodes] == [0]
    assert [each.node for each in layout.memory_nodes] == [0]
    assert list(left_out(matrix_of(restricted()))) == [
        "Node 1 has no row: this process may use none of its CPUs (4-7,12-15).",
        "Node 1 has no column: this process may only take memory from node 0.",
    ]
    empty = replace(two_sockets(), numa_nodes=[NumaNode(node=0, cpus="0-3", bytes=0)])
    assert list(left_out(matrix_of(empty))) == ["Node 0 has no column: it has no memory."]


def test_the_plan_of_a_cell_binds_threads_and_memory_and_asks_for_the_latency() -> None:
    plan = cell_plan(make_plan(STANDARD, stores=STORES, array_bytes=1 << 30), [2, 0], 3)
    assert plan.placement == Placement(kind="cpus", cpus=[2, 0], threads=2)
    assert (plan.memory_nodes, plan.idle_latency) == ([3], True)
    assert (plan.kernels, plan.stores) == (["sum", "triad"], ["regular", "streaming"])
    assert (plan.checks, plan.counters, plan.tuning, plan.array_bytes) == (False, False, None, GIB)
    assert cell_plan(make_plan(STANDARD), [0], None).memory_nodes is None


def test_a_quick_cell_still_has_an_interval() -> None:
    quick = cell_plan(make_plan(QUICK), [0], 0).sampling
    assert 6 <= quick.min_samples < STANDARD.sampling.min_samples
    assert quick.budget_seconds < STANDARD.sampling.budget_seconds


def test_a_cell_has_the_median_its_interval_and_its_ratio_to_local_memory() -> None:
    matrix = matrix_of(machine_of(2))
    (sums, triads) = matrix.kernels
    far = cell_of(sums.cells, 0, 1)
    assert far.median == pytest.approx(97.0, rel=0.002)
    assert far.low is not None and far.high is not None
    assert 96.7 < far.low <= far.median <= far.high < 97.0 + 1e-9
    assert (far.n, far.store) == (20, "regular")
    assert far.over_local == pytest.approx(97 / 200, rel=1e-3)
    assert cell_of(sums.cells, 1, 1).over_local == 1
    assert cell_of(triads.cells, 0, 1).median == pytest.approx(0.8 * far.median)
    late = cell_of(matrix.latency, 0, 1)
    assert late.median == pytest.approx(149e-9)
    assert (late.low, late.high) == pytest.approx((0.997 * 149e-9, 1.005 * 149e-9))
    assert (late.n, late.store, late.over_local) == (9, None, pytest.approx(149 / 90))


def test_of_two_kinds_of_stores_the_better_one_is_shown() -> None:
    triads = matrix_of(machine_of(2)).kernels[1]
    assert triads.kernel == "triad"
    assert {each.store for each in triads.cells} == {"streaming"}


def test_with_several_rounds_a_figure_is_over_their_medians() -> None:
    runs, layout = cell_runs(machine_of(2), rounds=2)
    slower = cell_run(machine_of(2), 1, 50.0, 200.0)
    runs = [
        replace_run(each, slower) if (each.condition, each.round) == (cell_name(0, 1), 2) else each
        for each in runs
    ]
    matrix = judge_numa(runs, layout, None, rounds=2, seed=1)
    far = cell_of(matrix.kernels[0].cells, 0, 1)
    assert far.n == 2
    assert (far.low, far.high) == pytest.approx((50.0, 97.0), rel=0.002)
    late = cell_of(matrix.latency, 0, 1)
    assert (late.low, late.high, late.n) == (pytest.approx(149e-9), pytest.approx(200e-9), 2)
    assert "median of 2 rounds" in shown(matrix)


def replace_run(each: FreshRun, run: object) -> FreshRun:
    return FreshRun(each.condition, each.round, run, each.failure, each.records)  # type: ignore[arg-type]


def with_failure(*, alone: bool = False) -> Numa:
    """The matrix of two nodes of which one cell failed."""
    runs, layout = cell_runs(machine_of(2))
    name = cell_name(1, 0)
    runs = [
        FreshRun(each.condition, 1, collect([]), "No memory left.", None)
        if each.condition == name
        else each
        for each in runs
        if not alone or each.condition == name
    ]
    return judge_numa(runs, layout, machine_of(2), rounds=1, seed=1)


def test_a_cell_that_failed_is_empty_and_says_why() -> None:
    matrix = with_failure()
    assert len(matrix.kernels[0].cells) == len(matrix.latency) == 3
    assert [each.failure for each in matrix.runs].count("No memory left.") == 1
    assert missing(matrix) == ["CPUs of node 1, memory of node 0: No memory left."]
    for text in (shown(matrix), markdown(matrix)):
        assert "CPUs of node 1, memory of node 0: No memory left." in text
    rows = [line.split() for line in shown(matrix).splitlines() if line.strip().startswith("1 ")]
    assert [row[1] for row in rows] == ["-", "-", "-"]


def test_cells_that_were_not_come_to_are_told() -> None:
    matrix = with_failure(alone=True)
    assert (matrix.kernels, matrix.latency) == ([], [])
    assert missing(matrix)[1] == (
        "CPUs of node 0, memory of node 0; CPUs of node 0, memory of node 1; CPUs of node 1, memory"
        " of node 1: Nothing was measured before the end."
    )
    assert "No cell was measured." in shown(matrix)
    assert "No cell was measured." in markdown(matrix)


@pytest.mark.parametrize(
    ("nodes", "remote", "words"),
    [
        ([1], 16, "25 % of its pages were not on node 1."),
        ([0], 0, "0 % of its pages were not on node 1."),
        (None, 0, None),
        ([1], 0, None),
    ],
)
def test_a_run_whose_memory_was_elsewhere_is_no_figure(
    nodes: list[int] | None, remote: int, words: str | None
) -> None:
    runs, layout = cell_runs(machine_of(2))
    pages = [ArrayPages(name="a", huge_share=1.0, checked_pages=64, remote_pages=remote)]
    for each in runs:
        if each.condition == cell_name(0, 1):
            each.run.memory = replace(MEMORY, nodes=nodes, arrays=pages)
    matrix = judge_numa(runs, layout, None, rounds=1, seed=1)
    failures = [each.failure for each in matrix.runs if each.failure]
    assert failures == ([] if words is None else [words])
    assert len(matrix.kernels[0].cells) == (4 if words is None else 3)


def test_threads_that_were_free_are_no_figure() -> None:
    runs, layout = cell_runs(machine_of(2))
    free = placement(place(0, mask="0-3"), place(1, mask="0-3"), kind="cpus", bound=False)
    for each in runs:
        if each.condition == cell_name(0, 1):
            each.run.placement = free
    matrix = judge_numa(runs, layout, None, rounds=1, seed=1)
    assert [each.failure for each in matrix.runs if each.failure] == [
        "Its threads could not be bound to the CPUs of their node."
    ]


def test_a_latency_of_other_memory_is_no_figure() -> None:
    runs, layout = cell_runs(machine_of(2))
    for each in runs:
        if each.condition == cell_name(0, 1) and each.run.latency is not None:
            each.run.latency = replace(each.run.latency, nodes=[0, 1])
    matrix = judge_numa(runs, layout, None, rounds=1, seed=1)
    assert [each.failure for each in matrix.runs if each.failure] == [
        "The memory of its latency was not on node 1."
    ]


def test_the_verdict_compares_remote_memory_with_local() -> None:
    assert words_of(matrix_of(machine_of(4))).sentences == [
        "Memory of another node with CPUs gives 0.45 to 0.48 (sum) and 0.45 to 0.49 (triad) of the"
        " bandwidth of a node's own memory and takes 1.66 to 1.74 times as long to answer."
    ]


def test_one_node_has_nothing_to_compare_with() -> None:
    matrix = matrix_of(machine_of(1))
    assert len(matrix.kernels[0].cells) == 1
    (sentence,) = words_of(matrix).sentences
    assert sentence.startswith("This machine has one NUMA node, so there is nothing to compare")
    (sentence,) = words_of(matrix_of(restricted())).sentences
    assert sentence.startswith("This process may use the CPUs and the memory of one NUMA node each")


MATRICES = {
    "1": lambda: matrix_of(machine_of(1)),
    "2": lambda: matrix_of(machine_of(2)),
    "8": lambda: matrix_of(machine_of(8)),
    "memory-only": lambda: matrix_of(with_memory_only(), fast_memory),
    "failed": with_failure,
    "nothing": lambda: with_failure(alone=True),
}


@pytest.mark.parametrize("name", MATRICES)
def test_the_document_conforms_to_its_schema(name: str) -> None:
    document = json.loads(render_result(result_of(MATRICES[name]()), "json"))
    validator("numa").validate(document)


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    text = shown(MATRICES[name](), width)
    assert max(map(len, text.splitlines())) <= width
    plain = table(result_of(MATRICES[name]()).page, Terminal(width, False, ASCII))
    assert plain.isascii()


def test_the_table_has_a_row_a_node_and_marks_memory_alone() -> None:
    text = shown(matrix_of(with_memory_only(), fast_memory))
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index("memory of node") + 1
    assert [line.split() for line in lines[start : start + 3]] == [
        ["CPUs", "of", "node", "0", "1", "2*", "3*"],
        ["0", "199.8", "94.9", "419.6", "109.9"],
        ["1", "94.9", "199.8", "109.9", "419.6"],
    ]
    assert "* only memory, no CPUs." in " ".join(text.split())
    assert "GB/s of nominal bytes, streaming stores, median of 20 samples" in text
    assert "ns per load, idle, median of 9 walks, each within 0.5 %" in text


def test_a_narrow_table_is_told_in_parts_and_keeps_every_figure() -> None:
    text = shown(matrix_of(machine_of(8)), 44)
    for number in range(8):
        assert text.count("199.8") == 8
        assert f" {number}" in text


def test_markdown_holds_the_tables_and_the_words() -> None:
    text = markdown(matrix_of(with_memory_only(), fast_memory))
    assert "| CPUs of node | memory of node 0 | memory of node 1 | memory of node 2\\* |" in text
    assert "| 0 | 199.8 | 94.9 | 419.6 | 109.9 |" in text
    assert "**memory-only** (note)" in text


def test_csv_has_a_line_a_figure() -> None:
    rows = list(
        csv.DictReader(io.StringIO(render_result(result_of(matrix_of(machine_of(2))), "csv")))
    )
    assert len(rows) == 3 * 4
    assert [row["figure"] for row in rows].count("latency") == 4
    far = next(row for row in rows if (row["kernel"], row["memory_node"]) == ("triad", "1"))
    assert (far["cpu_node"], far["store"], far["unit"]) == ("0", "streaming", "GB/s")
    assert (far["threads"], far["n"], far["memory_only"]) == ("2", "20", "false")
    assert float(far["median"]) == pytest.approx(0.8 * usual(0, 1)[0], rel=0.002)
    late = rows[-1]
    assert (late["unit"], late["kernel"], late["threads"]) == ("ns", "", "1")
    assert float(late["median"]) == pytest.approx(90.0)


@pytest.mark.parametrize("name", MATRICES)
def test_the_picture_has_every_figure_and_the_machine(name: str) -> None:
    matrix = MATRICES[name]()
    text = draw_result(result_of(matrix), Path("matrix.svg")).decode()
    for kernel in matrix.kernels:
        assert f"{kernel.kernel}, GB/s" in text
    for word in ("Bandwidth and latency", "Example", "2026-01-31", "node7"):
        assert word in text
    if matrix.latency:
        assert "idle latency, ns" in text


def test_the_same_matrix_gives_the_same_picture() -> None:
    for suffix in (".svg", ".png"):
        one, other = (
            draw_result(result_of(MATRICES["2"]()), Path(f"matrix{suffix}")) for _ in range(2)
        )
        assert one == other


def test_only_local_cells_are_outlined() -> None:
    panel = figure_of(result_of(matrix_of(with_memory_only(), fast_memory)).page).axes[0]
    outlined = [each for each in panel.patches if not each.get_fill()]
    assert [(round(each.get_x()), round(each.get_y())) for each in outlined] == [(0, 0), (1, 1)]
    assert [text.get_text() for text in panel.texts][:4] == ["199.8", "94.9", "419.6", "109.9"]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["0", "1", "2*", "3*"]


def test_figures_stand_out_from_their_cells_in_grey_too() -> None:
    panel = figure_of(result_of(matrix_of(machine_of(8))).page).axes[-1]
    filled = [each for each in panel.patches if each.get_fill()]
    for patch, text in zip(filled, panel.texts, strict=True):
        red, green, blue, _ = patch.get_facecolor()
        grey = 0.299 * red + 0.587 * green + 0.114 * blue
        ink = 1.0 if text.get_color() == "white" else 0.13
        assert abs(grey - ink) > 0.4
