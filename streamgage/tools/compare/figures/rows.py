"""The figures of ``repeat``, ``numa`` and ``compilers``: one a row of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.analysis.statistics.intervals import median
from streamgage.results.compilers.document import Compilations
from streamgage.results.numa.document import MatrixCell, NumaMatrix
from streamgage.results.repeat.document import Repetition
from streamgage.tools.compare.evidence import observed, within_reason
from streamgage.tools.compare.figure import Figure, of_rounds


def of_repetition(document: Repetition) -> Iterator[Figure | None]:
    """``triad plain, cores``: the median over the fresh runs."""
    for each in document.kernels:
        times = [1 / rate.gbps for rate in each.rates if rate.gbps > 0]
        times = [time for time in times if within_reason(time)]
        if times:
            key = (each.kernel, each.placement)
            yield Figure(
                key=key,
                name=", ".join(key),
                kernel=each.kernel.partition(" ")[0],
                unit="GB/s",
                seconds=median(sorted(times)),
                evidence=observed([[time] for time in times]),
                n=len(times),
                of="runs",
            )


def of_matrix(document: NumaMatrix) -> Iterator[Figure | None]:
    """``triad, node 0 to node 1``: threads on the first, memory of the second."""
    for kernel in document.kernels:
        for cell in kernel.cells:
            yield _of_cell((kernel.kernel, _way(cell)), cell, document.rounds, kernel.kernel)
    for cell in document.latency:
        key = ("idle latency", _way(cell))
        yield _of_cell(key, cell, document.rounds, "latency", latency=True)


def _way(cell: MatrixCell) -> str:
    return f"node {cell.cpu_node} to node {cell.memory_node}"


def _of_cell(
    key: tuple[str, ...], cell: MatrixCell, rounds: int, kernel: str, *, latency: bool = False
) -> Figure | None:
    """Bounds of a single round are of its samples; of a latency its few walks' extremes."""
    bounded = Bounded(value=cell.median, low=cell.low, high=cell.high)
    extremes = rounds > 1 or latency
    figure = of_rounds(
        key,
        bounded,
        cell.n if extremes else 1,
        unit="ns" if latency else "GB/s",
        kernel=kernel,
        samples=None if extremes else cell.n,
    )
    return replace(figure, stores=(cell.store,)) if figure and cell.store else figure


def of_compilations(document: Compilations) -> Iterator[Figure | None]:
    """``triad, gcc -O3``."""
    for each in document.rates:
        yield of_rounds((each.kernel, each.name), each.gbps, each.rounds, kernel=each.kernel)
