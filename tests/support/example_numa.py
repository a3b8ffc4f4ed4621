"""Makes matrices of invented machines: the runs of their cells, with figures by a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from example_records import CLOCK, END, KERNELS, MEMORY, PLAN, place, placement, samples_of, vector
from example_topologies import Counts, memory_only, regular
from msgspec.structs import replace

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord, ArrayPages, IdleLatency, Machine
from streamgage.records.run import Run, collect
from streamgage.results.numa.document import Numa
from streamgage.results.numa.judge import Layout, cell_name, judge_numa, layout_of

Figures = Callable[[int, int], tuple[float, float]]
"""Of a cell: GB/s of sum, and nanoseconds a load."""
_TRIAD = 0.8
_STREAMING = 1.25


def usual(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """Remote memory with half the bandwidth and 1.6 times the latency, worse with distance."""
    far = abs(cpu_node - memory_node)
    return (200.0, 90.0) if not far else (100.0 - 3 * far, 145.0 + 4 * far)


def latency_record(seconds: float, nodes: Sequence[int] | None = None) -> IdleLatency:
    """Walks within half a percent."""
    return IdleLatency(
        seconds=seconds,
        minimum=0.997 * seconds,
        maximum=1.005 * seconds,
        repeats=9,
        bytes=1 << 28,
        loads=1 << 18,
        huge_share=1.0,
        cpu=0,
        nodes=None if nodes is None else list(nodes),
    )


def cell_run(
    machine: Machine,
    memory_node: int,
    gbps: float,
    nanoseconds: float,
    *,
    remote: int = 0,
    cpus: Iterable[int] = (0, 1),
) -> Run:
    """The run of a cell: sum with ordinary stores, triad with both kinds."""
    pages = [ArrayPages(name="a", huge_share=1.0, checked_pages=64, remote_pages=remote)]
    records: list[AnyRecord] = [
        machine,
        replace(PLAN, memory_nodes=[memory_node], idle_latency=True),
        placement(*(place(cpu) for cpu in cpus), kind="cpus"),
        latency_record(nanoseconds * 1e-9, [memory_node]),
        replace(MEMORY, nodes=[memory_node], arrays=pages),
        *(CLOCK, *KERNELS),
    ]
    rates = [
        ("sum", "regular", gbps, 1),
        ("triad", "regular", _TRIAD * gbps / _STREAMING, 3),
        ("triad", "streaming", _TRIAD * gbps, 3),
    ]
    for number, (kernel, store, rate, arrays) in enumerate(rates):
        seconds = arrays * MEMORY.array_bytes / (rate * 1e9)
        records.append(vector(kernel, store, number=number))
        records += samples_of(number, [seconds * (1 + 0.0005 * (k % 5)) for k in range(20)])
    return collect([*records, END])


def cell_runs(
    machine: Machine, figures: Figures = usual, *, rounds: int = 1
) -> tuple[list[FreshRun], Layout]:
    """A run of every cell in each round, and the rows and columns."""
    layout = layout_of(machine)
    runs = [
        FreshRun(
            cell_name(row.node, column.node),
            number,
            cell_run(machine, column.node, *figures(row.node, column.node), cpus=row.cpus),
            None,
            None,
        )
        for number in range(1, rounds + 1)
        for row, column in layout.cells()
    ]
    return runs, layout


def matrix_of(machine: Machine, figures: Figures = usual, *, rounds: int = 1) -> Numa:
    """The matrix of a machine whose cells give those figures."""
    runs, layout = cell_runs(machine, figures, rounds=rounds)
    return judge_numa(runs, layout, machine, rounds=rounds, seed=7)


def machine_of(nodes: int) -> Machine:
    """So many NUMA nodes of two cores with two threads each, in packages of four nodes at most."""
    packages = max(1, nodes // 4)
    counts = Counts(packages=packages, nodes=nodes // packages, cores=2, smt=2)
    return regular(counts, processor=f"Example 9000 ({nodes} nodes)")


def with_memory_only() -> Machine:
    """Two nodes with CPUs, two of fast memory, and one that this process may not use."""
    return memory_only()


def fast_memory(cpu_node: int, memory_node: int) -> tuple[float, float]:
    """Nodes 2 and 3 are fast and slow to answer, as HBM is."""
    near = memory_node % 2 == cpu_node
    if memory_node < 2:
        return (200.0, 90.0) if near else (95.0, 150.0)
    return (420.0, 115.0) if near else (110.0, 175.0)
