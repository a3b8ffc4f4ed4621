"""The figures of a matrix for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.comparable import Figure, of_rounds
from streamgage.results.numa.document import Numa, NumaCell


def figures(document: Numa, *_: object) -> Iterator[Figure | None]:
    """Yield each cell, named ``triad, node 0 to node 1``: threads on node 0, memory of node 1."""
    for kernel in document.kernels:
        for cell in kernel.cells:
            yield _of_cell((kernel.kernel, _way(cell)), cell, document.rounds, kernel.kernel)
    for cell in document.latency:
        key = ("idle latency", _way(cell))
        yield _of_cell(key, cell, document.rounds, "latency", latency=True)


def _way(cell: NumaCell) -> str:
    return f"node {cell.cpu_node} to node {cell.memory_node}"


def _of_cell(
    key: tuple[str, ...], cell: NumaCell, rounds: int, kernel: str, *, latency: bool = False
) -> Figure | None:
    """Make a figure from a cell.

    The bounds of a single round are those of its samples; for a latency they are the range of its
    few walks.
    """
    bounded = Estimate(value=cell.median, low=cell.low, high=cell.high, bounded_by=cell.bounded_by)
    several = rounds > 1 or latency
    figure = of_rounds(
        key,
        bounded,
        cell.n if several else 1,
        unit="ns" if latency else "GB/s",
        kernel=kernel,
        samples=None if several else cell.n,
    )
    return replace(figure, stores=(cell.store,)) if figure and cell.store else figure
