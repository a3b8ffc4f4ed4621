"""The answer of ``streamgage numa`` as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes a second) by STREAM's nominal counting, latencies seconds, nodes the
system's numbers. What is not known is ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.results.document import Document


class CpuNode(msgspec.Struct, frozen=True, kw_only=True):
    """A row: a NUMA node that has CPUs which this process may use."""

    node: int
    cpus: list[int]
    """The CPUs that had a thread: one of each core that may be used. The first measured latency."""


class MemoryNode(msgspec.Struct, frozen=True, kw_only=True):
    """A column: a NUMA node that has memory which this process may use."""

    node: int
    bytes: int | None
    memory_only: bool
    """It has no CPUs, as HBM and CXL memory have none."""


class NumaCell(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: threads on the CPUs of one node, memory of another.

    ``low`` and ``high`` bound the median: with one round by 95 % confidence over the samples (of a
    latency: by the extremes of its walks), with more by a bootstrap over the rounds, or below 6 of
    them by the extremes. ``None`` where there are too few samples.
    """

    cpu_node: int
    memory_node: int
    median: float
    low: float | None
    high: float | None
    n: int
    """Samples (walks, of a latency) with one round, else rounds."""
    over_local: float | None
    """Over the figure of the same CPUs on their own node's memory; ``None`` where that is not
    known."""
    store: str | None = None
    """The kind of stores that gave the most; ``None`` of a latency."""


class KernelMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one kernel in GB/s, of the stores that gave the most in each cell."""

    kernel: str
    cells: list[NumaCell]


class NumaRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine, in the order in which they ran."""

    round: int
    """From 1; in each round every cell is measured once, in random order."""
    cpu_node: int
    memory_node: int
    failure: str | None
    """Why its figures are in no cell; ``None`` where they are."""
    records: str | None
    """File of its records; ``None`` where they were not kept."""


class Numa(Document, frozen=True, kw_only=True, tag="numa"):
    """The whole answer. A cell that could not be measured is in no list of cells."""

    rounds: int
    """As many as were asked for."""
    seed: int
    """Of the order of the cells in the rounds."""
    cpu_nodes: list[CpuNode]
    memory_nodes: list[MemoryNode]
    kernels: list[KernelMatrix]
    latency: list[NumaCell]
    """Idle latency of memory in seconds."""
    runs: list[NumaRun]


def by_place(cells: Sequence[NumaCell]) -> dict[tuple[int, int], NumaCell]:
    """Cells by the nodes of their CPUs and of their memory."""
    return {(each.cpu_node, each.memory_node): each for each in cells}
