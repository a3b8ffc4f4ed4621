"""Measures the bandwidth and the latency from the CPUs of each node to the memory of each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from streamgage.advice import advice
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import UsageError
from streamgage.plan import Placement, Plan
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Machine, Sampling
from streamgage.results.numa.document import Numa
from streamgage.results.numa.judge import Layout, cell_name, judge_numa, layout_of
from streamgage.results.preset import Preset
from streamgage.results.series import Condition, MeasuredSeries, Schedule, measure_series

KERNELS = ("sum", "triad")
"""The default kernels: one that only reads, as in other programs' matrices, and STREAM's triad."""
STORES = ("regular", "streaming")
STANDARD = Preset(
    KERNELS, Sampling(min_samples=20, look_every=10, max_samples=100, budget_seconds=6)
)
QUICK = Preset(KERNELS, Sampling(min_samples=8, look_every=8, max_samples=8, budget_seconds=2))


@dataclass(frozen=True)
class Cells:
    """The cells to measure: the machine, its rows and columns, and a condition per cell."""

    machine: Machine
    layout: Layout
    conditions: list[Condition]


def cell_plan(plan: Plan, cpus: Sequence[int], memory_node: int | None) -> Plan:
    """The plan of a cell: a thread on each of ``cpus``, and memory of ``memory_node``.

    Without ``memory_node`` memory comes from first touch.
    """
    return msgspec.structs.replace(
        plan,
        placement=Placement(kind="cpus", cpus=list(cpus), threads=len(cpus)),
        memory_nodes=None if memory_node is None else [memory_node],
        idle_latency=True,
    )


def cells_of_this_machine(plan: Plan) -> Cells:
    """List every cell of this machine.

    ``plan``: the plan of each cell, except its CPUs and memory. Raises ``UsageError`` if this
    process may use no node.
    """
    machine = describe_this_machine()
    layout = layout_of(machine)
    if not layout.cpu_nodes or not layout.memory_nodes:
        raise UsageError(
            f"This process may not use both CPUs and memory of any NUMA node: {advice('topology')}"
            " shows the reason."
        )
    # If no other node has memory, nothing needs to be bound.
    single = sum(node.bytes != 0 for node in machine.numa_nodes) == 1
    conditions = [
        Condition(
            cell_name(row.node, column.node),
            cell_plan(plan, row.cpus, None if single else column.node),
        )
        for row, column in layout.cells()
    ]
    return Cells(machine, layout, conditions)


def numa(cells: Cells, schedule: Schedule) -> MeasuredSeries[Numa]:
    """Measure every cell; see ``measure_series``."""

    def judge(runs: list[FreshRun], seed: int) -> Numa:
        return judge_numa(runs, cells.layout, cells.machine, rounds=schedule.rounds, seed=seed)

    return measure_series("numa", cells.conditions, schedule, judge)
