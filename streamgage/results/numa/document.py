"""The answer of ``streamgage numa`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting, latencies seconds, nodes the
system's numbers. What is not known is ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from streamgage.analysis.statistics.intervals import BoundedBy
from streamgage.records import BenchmarkOutput
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Members,
    Number,
    Position,
    Positions,
    Positive,
    Some,
    refuse_unknown,
)
from streamgage.results.document import Document


class CpuNode(msgspec.Struct, frozen=True, kw_only=True):
    """A row: a NUMA node that has CPUs which this process may use."""

    node: Position
    cpus: Positions
    """The CPUs that had a thread: one of each core that may be used. The first measured latency.
    None if another benchmark does not name them."""


class MemoryNode(msgspec.Struct, frozen=True, kw_only=True):
    """A column: a NUMA node that has memory which this process may use."""

    node: Position
    bytes: ByteCount | None
    memory_only: bool
    """Whether it has no CPUs, like HBM and CXL memory."""


class NumaCell(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: threads on the CPUs of one node, memory of another.

    ``low`` and ``high`` bound the median: with one round over the samples (of a latency: its
    walks), with more over the rounds. ``None`` if there is one sample alone.
    """

    cpu_node: Position
    memory_node: Position
    median: Positive
    low: Positive | None
    high: Positive | None
    bounded_by: BoundedBy = "interval"
    """What the bounds are: an ``interval`` of 95 % confidence, or the ``range`` of fewer than 6
    samples or rounds, and of the walks of one round."""
    n: Members
    """Samples (walks, of a latency) with one round, else rounds."""
    over_local: Amount | None
    """Over the figure of the same CPUs on their own node's memory; ``None`` if unknown."""
    store: str | None = None
    """The kind of stores that gave the most; ``None`` of a latency."""


class KernelMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel in GB/s, of the stores that gave the most in each cell."""

    kernel: str
    cells: Annotated[list[NumaCell], Some]


class NumaRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine, in the order in which they ran."""

    round: Members
    """Number of the round, from 1. Each round measures every cell once, in random order."""
    cpu_node: Position
    memory_node: Position
    failure: str | None
    """Why its figures are in no cell; ``None`` if they are."""
    records: str | None
    """File of its records; ``None`` if they were not kept."""


class Numa(Document, frozen=True, kw_only=True, tag="numa"):
    """The result of ``streamgage numa``. Cells that could not be measured are left out."""

    rounds: Members
    """The requested number of rounds."""
    seed: Number | None
    """Seed for the order of the cells in the rounds; ``None`` of another benchmark."""
    cpu_nodes: list[CpuNode]
    memory_nodes: list[MemoryNode]
    kernels: list[KernelMatrix]
    latency: list[NumaCell]
    """Idle latency of memory in seconds."""
    latency_bytes: ByteCount | None = None
    """The largest working set over which it was measured; ``None`` if that is not known."""
    runs: list[NumaRun]
    reported: BenchmarkOutput | None = None
    """What another benchmark says of itself, where the figures are from its output."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a cell is of a node that there is not."""
        rows = {each.node for each in self.cpu_nodes}
        columns = {each.node for each in self.memory_nodes}
        cells = [*self.latency, *(cell for each in self.kernels for cell in each.cells)]
        for each in cells:
            refuse_unknown("cpu_node", each.cpu_node, rows)
            refuse_unknown("memory_node", each.memory_node, columns)


def by_place(cells: Sequence[NumaCell]) -> dict[tuple[int, int], NumaCell]:
    """Cells by the nodes of their CPUs and of their memory."""
    return {(each.cpu_node, each.memory_node): each for each in cells}
