"""Numa: the bandwidth and the latency that the CPUs of each node get from the memory of each."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from streamgage.errors import FAILED, UsageError
from streamgage.plan import Placement, Plan
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.spool_folder import new_folder
from streamgage.results.measure.experiment import Preset, Request, make_plan
from streamgage.results.numa.document import Numa
from streamgage.results.numa.judge import Layout, cell_name, judge_numa, layout_of
from streamgage.results.series import Condition, Turn, run_in_turn, turns

KERNELS = ("sum", "triad")
"""Reading alone, as other programs' matrices have it, and STREAM's."""
STORES = "regular,streaming"
STANDARD = Preset(
    KERNELS, Sampling(min_samples=20, look_every=10, max_samples=100, budget_seconds=6), 0
)
QUICK = Preset(KERNELS, Sampling(min_samples=8, look_every=8, max_samples=8, budget_seconds=2), 0)


@dataclass(frozen=True)
class Measured:
    """The answer, how the series ended, and where the records are (``None``: nowhere)."""

    answer: Numa
    exit_status: int
    folder: Path | None


@dataclass(frozen=True)
class Cells:
    """What is to be measured: a machine, its rows and columns, and a condition a cell."""

    machine: Machine
    layout: Layout
    conditions: list[Condition]


def request_of(
    *, kernels: str | None = None, size: str | None = None, preset: Preset = STANDARD
) -> Request:
    """What every cell measures: standard shapes, without what only the interpretation needs."""
    return Request(
        kernels=kernels, stores=STORES, size=size, tune="never", preset=preset, checks=False
    )


def cell_plan(request: Request, cpus: Sequence[int], memory_node: int | None) -> Plan:
    """The plan of a cell: a thread on each of ``cpus``, memory of that node or by first touch."""
    return msgspec.structs.replace(
        make_plan(request),
        placement=Placement(kind="cpus", cpus=list(cpus), threads=len(cpus)),
        memory_nodes=None if memory_node is None else [memory_node],
        idle_latency=True,
    )


def cells_of_this_machine(request: Request) -> Cells:
    """Every cell of this machine. Raises ``UsageError`` where a part of the request is wrong."""
    make_plan(request)  # what is wrong with it is told before anything starts
    machine = describe_this_machine()
    layout = layout_of(machine)
    if not layout.cpu_nodes or not layout.memory_nodes:
        raise UsageError(
            "This process may use no NUMA node's CPUs and memory: see `streamgage topology` for"
            " what bars it."
        )
    # Where no other node has memory nothing needs to be bound, nor allowed to be.
    single = sum(node.bytes != 0 for node in machine.numa_nodes) == 1
    conditions = [
        Condition(
            cell_name(row.node, column.node),
            cell_plan(request, row.cpus, None if single else column.node),
        )
        for row, column in layout.cells()
    ]
    return Cells(machine, layout, conditions)


def numa(
    cells: Cells,
    rounds: int,
    *,
    seed: int | None,
    before: Callable[[Turn], None],
    note: Note,
    wait: bool = True,
    last: bool = True,
) -> Measured:
    """Measure every cell ``rounds`` times, in mixed order; ``before`` is called for each run.

    A cell that fails goes to ``note`` and stays empty, and the exit status is 1; a signal ends
    the series, and the cells that were measured until then are in the answer. ``last``: whether
    its last run is that of this process, too; see ``stream_records``.
    """
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    order = list(turns(cells.conditions, rounds, chosen))
    folder = new_folder("numa", note)
    done = run_in_turn(
        order, folder=folder, before=before, note=note, wait=wait, alike=False, last=last
    )
    answer = judge_numa(done.runs, cells.layout, cells.machine, rounds=rounds, seed=chosen)
    failed = any(each.failure for each in answer.runs)
    status = done.stopped if done.stopped is not None else FAILED if failed else 0
    return Measured(answer, status, folder)
