"""Makes the rows and columns of a matrix from a machine, and its cells from their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.statistics.bootstrap import bootstrap_median
from streamgage.analysis.statistics.intervals import BoundedBy, summarise
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.cpu_list import list_cpus
from streamgage.records import Machine, NumaNode
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.numa.document import (
    CpuNode,
    KernelMatrix,
    MemoryNode,
    Numa,
    NumaCell,
    NumaRun,
)
from streamgage.units import format_share

_FEW_REMOTE = 0.01
"""The share of a cell's pages that may lie elsewhere without spoiling its figure."""


@dataclass(frozen=True)
class Layout:
    """The rows and columns of the matrix."""

    cpu_nodes: tuple[CpuNode, ...]
    memory_nodes: tuple[MemoryNode, ...]

    def cells(self) -> Iterator[tuple[CpuNode, MemoryNode]]:
        """Yield the cells, row by row."""
        return ((row, column) for row in self.cpu_nodes for column in self.memory_nodes)


def cell_name(cpu_node: int, memory_node: int) -> str:
    """The name of a cell: ``CPUs of node 0, memory of node 1``."""
    return f"CPUs of node {cpu_node}, memory of node {memory_node}"


def layout_of(machine: Machine) -> Layout:
    """The rows and columns of ``machine``, by the numbers of the nodes."""
    rows, columns = [], []
    for node in machine.numa_nodes:
        cpus = _one_a_core(machine, node)
        if cpus:
            rows.append(CpuNode(node=node.node, cpus=cpus))
        if _has_memory(node) and _may_use(machine, node):
            columns.append(MemoryNode(node=node.node, bytes=node.bytes, memory_only=not node.cpus))
    return Layout(tuple(rows), tuple(columns))


def _has_memory(node: NumaNode) -> bool:
    return node.bytes is None or node.bytes > 0


def _may_use(machine: Machine, node: NumaNode) -> bool:
    return not machine.allowed_nodes or node.node in list_cpus(machine.allowed_nodes)


def _one_a_core(machine: Machine, node: NumaNode) -> list[int]:
    """The first usable CPU of each core of the node, in the order of the cores."""
    usable = set(list_cpus(node.cpus)) & set(list_cpus(machine.allowed_cpus))
    if not machine.threads:
        return sorted(usable)  # the cores are unknown
    first: dict[int, int] = {}
    for thread in machine.threads:
        if thread.cpu in usable:
            first.setdefault(thread.core, thread.cpu)
    return list(first.values())


@dataclass(frozen=True)
class _Figure:
    """A median with its bounds, over ``n`` samples or runs."""

    median: float
    low: float | None
    high: float | None
    n: int
    bounded_by: BoundedBy = "interval"


@dataclass(frozen=True)
class _Place:
    """The place of a cell, with its runs that count."""

    row: CpuNode
    column: MemoryNode
    runs: tuple[Run, ...]

    def cell(self, figure: _Figure, store: str | None = None) -> NumaCell:
        """Make the cell with this figure, before it is compared with the local one."""
        return NumaCell(
            cpu_node=self.row.node,
            memory_node=self.column.node,
            median=figure.median,
            low=figure.low,
            high=figure.high,
            bounded_by=figure.bounded_by,
            n=figure.n,
            over_local=None,
            store=store,
        )


def judge_numa(
    runs: Sequence[FreshRun], layout: Layout, machine: Machine | None, *, rounds: int, seed: int
) -> Numa:
    """Build the matrix from ``runs``, whose conditions are made by ``cell_name``.

    Runs may be missing.
    """
    numa_runs = [each for row, column in layout.cells() for each in _numa_runs(runs, row, column)]
    failed = {(each.cpu_node, each.memory_node, each.round) for each in numa_runs if each.failure}
    places = [
        _Place(
            row,
            column,
            tuple(
                each.run
                for each in _of_cell(runs, row, column)
                if (row.node, column.node, each.round) not in failed
            ),
        )
        for row, column in layout.cells()
    ]
    kernels = [
        KernelMatrix(kernel=name, cells=over_local([_rate(name, place) for place in places]))
        for name in _kernels(places)
    ]
    latency = over_local([_latency(place) for place in places])
    order = {(each.condition, each.round): number for number, each in enumerate(runs)}
    numa_runs.sort(key=lambda each: order[cell_name(each.cpu_node, each.memory_node), each.round])
    return Numa(
        **common((each.run for each in runs), machine),
        rounds=rounds,
        seed=seed,
        cpu_nodes=list(layout.cpu_nodes),
        memory_nodes=list(layout.memory_nodes),
        kernels=kernels,
        latency=latency,
        latency_bytes=max((e.run.latency.bytes for e in runs if e.run.latency), default=None),
        runs=numa_runs,
    )


def _of_cell(runs: Sequence[FreshRun], row: CpuNode, column: MemoryNode) -> list[FreshRun]:
    name = cell_name(row.node, column.node)
    return [each for each in runs if each.condition == name]


def _numa_runs(runs: Sequence[FreshRun], row: CpuNode, column: MemoryNode) -> list[NumaRun]:
    return [
        NumaRun(
            round=each.round,
            cpu_node=row.node,
            memory_node=column.node,
            failure=each.failure or _misplaced(each.run, column.node),
            records=each.records,
        )
        for each in _of_cell(runs, row, column)
    ]


def _misplaced(run: Run, node: int) -> str | None:
    """Why a run did not measure its cell; ``None`` if it did, or if that is unknown."""
    if run.placement is not None and not run.placement.bound:
        return "Its threads could not be bound to the CPUs of their node."
    memory = run.memory
    if memory is not None:
        checked = sum(array.checked_pages for array in memory.arrays)
        remote = sum(array.remote_pages for array in memory.arrays)
        if memory.nodes not in (None, [node]) or remote > _FEW_REMOTE * checked:
            return f"{format_share(remote / max(checked, 1))} of its pages were not on node {node}."
    if run.latency is not None and run.latency.nodes not in (None, [node]):
        return f"The memory of its latency was not on node {node}."
    return None


def _kernels(places: Sequence[_Place]) -> list[str]:
    found = [variant.kernel for place in places for run in place.runs for variant in run.shown()]
    return list(dict.fromkeys(found))


def _rate(kernel: str, place: _Place) -> NumaCell | None:
    """The rate with the stores that gave the highest one, in GB/s.

    ``None`` if no run has the kernel.
    """
    found = [
        (figure, store)
        for store in _stores(kernel, place)
        if (figure := _rate_with(kernel, store, place)) is not None
    ]
    if not found:
        return None
    figure, store = max(found, key=lambda each: each[0].median)
    return place.cell(figure, store)


def _stores(kernel: str, place: _Place) -> list[str]:
    variants = [each for run in place.runs for each in run.shown() if each.kernel == kernel]
    return list(dict.fromkeys(each.store for each in variants))


def _rate_with(kernel: str, store: str, place: _Place) -> _Figure | None:
    times = []
    moved = 0.0
    for run in place.runs:
        for variant in run.shown():
            if (variant.kernel, variant.store) == (kernel, store):
                seconds = run.element_times(variant.id)
                moved = run.iteration_bytes(variant) or moved
                times += [seconds] if seconds else []
    figure = _figure(times)
    if figure is None or not moved:
        return None

    def gbps(seconds: float | None) -> float | None:
        return None if seconds is None else moved / seconds / 1e9

    value = moved / figure.median / 1e9
    return _Figure(value, gbps(figure.high), gbps(figure.low), figure.n, figure.bounded_by)


def _figure(times: Sequence[Sequence[float]]) -> _Figure | None:
    """The figure from one run's samples, or from several runs' medians.

    ``None`` if there are none.
    """
    summaries = [each for each in map(summarise, times) if each is not None]
    if len(summaries) == 1:
        (one,) = summaries
        bounds = one.bounds
        if bounds is None:
            return _Figure(one.median, None, None, one.n)
        return _Figure(one.median, bounds.low, bounds.high, one.n, bounds.bounded_by)
    return _over_rounds([each.median for each in summaries])


def _over_rounds(medians: Sequence[float]) -> _Figure | None:
    found = bootstrap_median(medians)
    if found is None:
        return None
    return _Figure(found.value, found.low, found.high, found.n, found.bounded_by)


def _latency(place: _Place) -> NumaCell | None:
    found = [run.latency for run in place.runs if run.latency is not None]
    if len(found) == 1:
        (one,) = found
        return place.cell(_Figure(one.seconds, one.minimum, one.maximum, one.repeats, "range"))
    figure = _over_rounds([each.seconds for each in found])
    return None if figure is None else place.cell(figure)


def over_local(found: Sequence[NumaCell | None]) -> list[NumaCell]:
    """The cells that exist, each compared with the local cell of its row."""
    cells = [each for each in found if each is not None]
    local = {each.cpu_node: each.median for each in cells if each.cpu_node == each.memory_node}
    return [
        msgspec.structs.replace(each, over_local=each.median / local[each.cpu_node])
        if each.cpu_node in local
        else each
        for each in cells
    ]
