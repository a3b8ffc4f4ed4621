"""The matrices as rows of text: one for each kernel, and one of the latencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from streamgage.results.numa.document import MatrixCell, NumaMatrix
from streamgage.results.numa.words import by_place, stores_of, widest_half_interval
from streamgage.units import format_nanoseconds, format_rate, format_share, listed

DASH = "-"
_LEAST_SHARE = 0.001
"""What is surer than that is not told closer."""
MEMORY_ONLY = "*"
_STORES = {"regular": "ordinary", "streaming": "streaming", "plain": "plain", "libc": "libc"}


@dataclass(frozen=True)
class Block:
    """One matrix: what it is of, and a row of texts for each node with CPUs."""

    title: str
    what: str
    """``GB/s of nominal bytes, ordinary stores, ...``: the figures, and how sure they are."""
    rows: list[list[str]]


def blocks(matrix: NumaMatrix) -> list[Block]:
    """The bandwidth of each kernel, then the latency."""
    shown = [
        Block(
            each.kernel,
            f"GB/s of nominal bytes{_stores(each.cells)}"
            f"{_certainty(matrix, each.cells, 'samples')}",
            _rows(matrix, each.cells, format_rate),
        )
        for each in matrix.kernels
    ]
    if matrix.latency:
        what = f"ns a load, idle{_certainty(matrix, matrix.latency, 'walks')}"
        shown.append(Block("latency", what, _rows(matrix, matrix.latency, format_nanoseconds)))
    return shown


def columns(matrix: NumaMatrix) -> list[str]:
    """The numbers of the nodes whose memory it is, with a mark on those without CPUs."""
    return [f"{each.node}{MEMORY_ONLY if each.memory_only else ''}" for each in matrix.memory_nodes]


def foot(matrix: NumaMatrix) -> str:
    """What the figures are."""
    words = "A thread on each core of the row's node, memory bound to the column's."
    if len(matrix.memory_nodes) == 1 and len(matrix.cpu_nodes) == 1:
        words = "A thread on each core of the node."
    if any(each.memory_only for each in matrix.memory_nodes):
        words += f" {MEMORY_ONLY} memory alone, without CPUs."
    return words


def _rows(
    matrix: NumaMatrix, cells: Sequence[MatrixCell], write: Callable[[float], str]
) -> list[list[str]]:
    places = by_place(cells)
    return [
        [
            write(places[row.node, column.node].median)
            if (row.node, column.node) in places
            else DASH
            for column in matrix.memory_nodes
        ]
        for row in matrix.cpu_nodes
    ]


def _stores(cells: Sequence[MatrixCell]) -> str:
    """Which stores the figures are of, where the kernel stores at all to choose between."""
    kinds = [_STORES.get(each, each) for each in stores_of(cells)]
    return f", {listed(kinds)} stores where they gave more" if len(kinds) > 1 else _one(kinds)


def _one(kinds: Sequence[str]) -> str:
    return f", {kinds[0]} stores" if kinds and kinds[0] != "ordinary" else ""


def _certainty(matrix: NumaMatrix, cells: Sequence[MatrixCell], of_one: str) -> str:
    half = widest_half_interval(cells)
    numbers = sorted({each.n for each in cells})
    n = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    several = "rounds" if matrix.rounds > 1 else of_one
    sure = "" if half is None else f", each within {format_share(max(half, _LEAST_SHARE))}"
    return f", median of {n} {several}{sure}"
