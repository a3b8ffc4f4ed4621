"""Makes a ``numa`` result from the output of another benchmark."""

from __future__ import annotations

from streamgage.interop.charts import Cells, NodeMatrix
from streamgage.results.numa.document import CpuNode, KernelMatrix, MemoryNode, Numa, NumaCell
from streamgage.results.numa.judge import over_local


def numa_of(matrix: NodeMatrix) -> Numa:
    """Make the result of a matrix, with a single figure per cell and without bounds."""
    rates = over_local(_cells(matrix, matrix.gbps, 1.0))
    return Numa(
        machine=None,
        rounds=1,
        seed=None,
        cpu_nodes=[CpuNode(node=each, cpus=[]) for each in matrix.rows],
        memory_nodes=[
            MemoryNode(node=each, bytes=None, memory_only=each not in matrix.rows)
            for each in matrix.columns
        ],
        kernels=[KernelMatrix(kernel=matrix.kernel, cells=rates)] if rates else [],
        latency=over_local(_cells(matrix, matrix.nanoseconds, 1e-9)),
        runs=[],
        reported=matrix.reported,
    )


def _cells(matrix: NodeMatrix, cells: Cells, factor: float) -> list[NumaCell | None]:
    return [
        NumaCell(
            cpu_node=row,
            memory_node=column,
            median=value * factor,
            low=None,
            high=None,
            n=1,
            over_local=None,
        )
        for row, values in zip(matrix.rows, cells, strict=False)
        for column, value in zip(matrix.columns, values, strict=True)
        if value is not None
    ]
