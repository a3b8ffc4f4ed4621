"""``numa --format mlc``: the matrices as Intel's MLC prints them."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.numa.document import KernelMatrix, Numa, NumaCell, by_place
from streamgage.show.mlc import READS, Matrix, bandwidths, idle_latencies, page_of

_READING = ("sum", "load")
"""Kernels that only read, as in MLC's matrix; the first one that was measured is used."""


def text(numa: Numa) -> str:
    """Write the idle latencies, then the bandwidths.

    They are those of reads, or of the first kernel if none only reads.
    """
    latencies = idle_latencies(_matrix(numa, numa.latency)) if numa.latency else ""
    found = _shown(numa)
    if found is None:
        return page_of(latencies)
    traffic = READS if found.kernel in _READING else found.kernel
    return page_of(latencies, bandwidths(_matrix(numa, found.cells), traffic))


def _shown(numa: Numa) -> KernelMatrix | None:
    reading = [each for each in numa.kernels if each.kernel in _READING]
    return next(iter([*reading, *numa.kernels]), None)


def _matrix(numa: Numa, cells: Sequence[NumaCell]) -> Matrix:
    places = by_place(cells)
    rows = [each.node for each in numa.cpu_nodes]
    columns = [each.node for each in numa.memory_nodes]
    return Matrix(
        rows,
        columns,
        [
            [found.median if (found := places.get((row, column))) else None for column in columns]
            for row in rows
        ],
    )
