"""The result of ``streamgage numa`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting, latencies are seconds, and
nodes have the system's numbers. Unknown values are ``None``.
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
    """A row: a NUMA node with CPUs that this process may use."""

    node: Position
    cpus: Positions
    """The CPUs that had a thread, one of each usable core; the first one measured the latency.
    ``None`` if another benchmark does not name them."""


class MemoryNode(msgspec.Struct, frozen=True, kw_only=True):
    """A column: a NUMA node with memory that this process may use."""

    node: Position
    bytes: ByteCount | None
    memory_only: bool
    """``True`` if it has no CPUs, like HBM and CXL memory."""


class NumaCell(msgspec.Struct, frozen=True, kw_only=True):
    """One figure, with threads on the CPUs of one node and memory of another node.

    ``low`` and ``high`` bound the median: with one round over the samples (for a latency, over its
    walks), with more over the rounds. They are ``None`` for a single sample.
    """

    cpu_node: Position
    memory_node: Position
    median: Positive
    low: Positive | None
    high: Positive | None
    bounded_by: BoundedBy = "interval"
    """What the bounds are: an ``interval`` of 95 % confidence, or a ``range``. Fewer than 6 samples
    or rounds have a range, and so have the walks of one round."""
    n: Members
    """The number of samples (for a latency, of walks) of a single round; else the number of
    rounds."""
    over_local: Amount | None
    """The ratio to the figure of the same CPUs with their own node's memory; ``None`` if
    unknown."""
    store: str | None = None
    """The kind of stores that gave the highest rate; ``None`` for a latency."""


class KernelMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel in GB/s, for each cell with the stores that gave the most."""

    kernel: str
    cells: Annotated[list[NumaCell], Some]


class NumaRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round measures every cell once, in random order."""
    cpu_node: Position
    memory_node: Position
    failure: str | None
    """Why its figures are left out of the cells; ``None`` if they are included."""
    records: str | None
    """The file with its records; ``None`` if they were not kept."""


class Numa(Document, frozen=True, kw_only=True, tag="numa"):
    """The result of ``streamgage numa``. Cells that could not be measured are left out."""

    rounds: Members
    """The requested number of rounds."""
    seed: Number | None
    """The seed for the order of the cells in the rounds; ``None`` for another benchmark's
    output."""
    cpu_nodes: list[CpuNode]
    memory_nodes: list[MemoryNode]
    kernels: list[KernelMatrix]
    latency: list[NumaCell]
    """The idle latencies of memory in seconds."""
    latency_bytes: ByteCount | None = None
    """The largest working set that was measured for the latency; ``None`` if it is unknown."""
    runs: list[NumaRun]
    reported: BenchmarkOutput | None = None
    """What another benchmark reports about itself, if the figures come from its output."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a cell belongs to a node that is not listed."""
        rows = {each.node for each in self.cpu_nodes}
        columns = {each.node for each in self.memory_nodes}
        cells = [*self.latency, *(cell for each in self.kernels for cell in each.cells)]
        for each in cells:
            refuse_unknown("cpu_node", each.cpu_node, rows)
            refuse_unknown("memory_node", each.memory_node, columns)


def by_place(cells: Sequence[NumaCell]) -> dict[tuple[int, int], NumaCell]:
    """The cells by the nodes of their CPUs and of their memory."""
    return {(each.cpu_node, each.memory_node): each for each in cells}
