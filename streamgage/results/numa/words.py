"""What a matrix comes to, in sentences, and why cells of it are empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.results.numa.document import MatrixCell, NumaMatrix
from streamgage.results.numa.layout import cell_name
from streamgage.units import listed, some_of

_MOST_NAMED = 4

Cells = dict[tuple[int, int], MatrixCell]


def by_place(cells: Sequence[MatrixCell]) -> Cells:
    """Cells by the nodes of their CPUs and of their memory."""
    return {(each.cpu_node, each.memory_node): each for each in cells}


def verdict(matrix: NumaMatrix) -> list[str]:
    """How remote memory compares with a node's own; that there is nothing to compare, if so."""
    if len(matrix.cpu_nodes) == 1 and len(matrix.memory_nodes) == 1:
        why = (
            "This machine has one NUMA node"
            if matrix.machine is None or len(matrix.machine.numa_nodes) == 1
            else "This process may use the CPUs and the memory of one NUMA node each"
        )
        return [f"{why}, so there is nothing to compare: its figures stand alone."]
    rates = [
        f"{_range(ratios)} ({each.kernel})"
        for each in matrix.kernels
        if (ratios := _remote_ratios(matrix, each.cells))
    ]
    slower = _remote_ratios(matrix, matrix.latency)
    parts = [
        *([f"gives {listed(rates)} of the bandwidth of a node's own"] if rates else []),
        *([f"takes {_range(slower)} times as long to answer"] if slower else []),
    ]
    return [f"Memory of another node with CPUs {' and '.join(parts)}."] if parts else []


def missing_sentences(matrix: NumaMatrix) -> list[str]:
    """Why runs failed, and which cells nobody came to."""
    failed: dict[str, list[str]] = {}
    for each in matrix.runs:
        if each.failure is not None:
            name = cell_name(each.cpu_node, each.memory_node)
            of_round = f" (round {each.round})" if matrix.rounds > 1 else ""
            failed.setdefault(each.failure, []).append(f"{name}{of_round}")
    sentences = [f"{some_of(names, _MOST_NAMED, 'cell')}: {why}" for why, names in failed.items()]
    started = {(each.cpu_node, each.memory_node) for each in matrix.runs}
    untouched = [
        cell_name(row.node, column.node)
        for row in matrix.cpu_nodes
        for column in matrix.memory_nodes
        if (row.node, column.node) not in started
    ]
    if untouched:
        sentences.append(
            f"{some_of(untouched, _MOST_NAMED, 'cell')}: Nothing was measured before the end."
        )
    return sentences


def _remote_ratios(matrix: NumaMatrix, cells: Sequence[MatrixCell]) -> list[float]:
    """Over the local figures, of memory that has CPUs of its own and is not that of the row."""
    with_cpus = {each.node for each in matrix.memory_nodes if not each.memory_only}
    return sorted(
        each.over_local
        for each in cells
        if each.over_local is not None
        and each.cpu_node != each.memory_node
        and each.memory_node in with_cpus
    )


def _range(ratios: Sequence[float]) -> str:
    low, high = f"{ratios[0]:.2f}", f"{ratios[-1]:.2f}"
    return low if low == high else f"{low} to {high}"


def widest_half_interval(cells: Sequence[MatrixCell]) -> float | None:
    """The greatest share of a median by which it may be off; null where a cell has no interval."""
    shares = []
    for each in cells:
        if each.low is None or each.high is None or each.median <= 0:
            return None
        shares.append(max(each.median - each.low, each.high - each.median) / each.median)
    return max(shares, default=None)


def stores_of(cells: Sequence[MatrixCell]) -> Iterator[str]:
    """The kinds of stores that were the best in some cell, each once."""
    return iter(dict.fromkeys(each.store for each in cells if each.store is not None))
