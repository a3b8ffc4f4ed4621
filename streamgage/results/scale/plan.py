"""Which points a scaling study has on this machine: numbers of workers, and their CPUs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from streamgage.analysis.cores import COMPACT, SCATTER, SMT, order_of, usable_cores, usable_threads
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import OwnKernels
from streamgage.plan import Placement, Plan
from streamgage.process.engine import find_engine
from streamgage.process.launch import choose_launcher
from streamgage.process.ranks import Ranks
from streamgage.process.ranks.programs import launchers_built_for
from streamgage.process.this_machine import describe_this_machine, expand
from streamgage.records import Machine
from streamgage.results.measure.experiment import Request, make_plan
from streamgage.results.ranks import plan_of_ranks
from streamgage.results.scale.bindings import (
    CORES,
    DOMAINS,
    LAUNCHER,
    MEANINGS,
    NONE,
    OF_OPENMP,
    ORDERED,
    Kind,
    Way,
    without_doubles,
)
from streamgage.results.scale.counts import parse_counts, spread_counts
from streamgage.results.scale.document import LeftOut, TooFewCpus, Workers
from streamgage.results.scale.judge import Point
from streamgage.results.series import Condition
from streamgage.units import count


@dataclass(frozen=True)
class ScaleRequest:
    """What the user asked for, as text where it is a list; ``None``: not said.

    ``ranks``: ``None`` where threads of one process are the workers; else how ranks are started,
    their number aside.
    """

    request: Request
    counts: str | None = None
    bindings: tuple[str, ...] | None = None
    ranks: Ranks | None = None
    own: OwnKernels = field(default_factory=OwnKernels)


@dataclass(frozen=True)
class Scales:
    """What is to be measured: the points, each with its condition, and how they are shown."""

    machine: Machine
    points: dict[str, Point]
    conditions: list[Condition]
    workers: Workers
    threads: int
    launcher: str | None
    counts: list[int]
    ways: list[Way]
    left_out: list[LeftOut]


def scales_of_this_machine(asked: ScaleRequest) -> Scales:
    """Every point that is to be measured, but for the size of the arrays.

    Raises ``UsageError`` where a part of the request is wrong, and ``NoKernelLeftError``.
    """
    named = asked.request.kernels is not None
    plan = asked.own.measured_by(make_plan(asked.request), named=named)
    counts = None if asked.counts is None else parse_counts(asked.counts)
    machine = describe_this_machine()
    left_out: list[LeftOut] = []
    ways, doubles = without_doubles(list(_ways(asked, machine)))
    if asked.bindings is not None:
        left_out += doubles
    points: dict[str, Point] = {}
    conditions = []
    _refuse_too_many(counts, ways, machine, asked)
    for way in ways:
        measured = _counts_of(way, counts, machine, asked.ranks)
        if counts is not None and len(measured) < len(counts):
            cpus = _cpus_of(way, asked.ranks)
            left_out.append(TooFewCpus(binding=way.name, most=way.room, cpus=cpus))
        for n in measured:
            point = Point(way.name, n)
            points[point.name] = point
            conditions.append(_condition(point, way, plan, asked.ranks))
    return Scales(
        machine=machine,
        points=points,
        conditions=conditions,
        workers="threads" if asked.ranks is None else "ranks",
        threads=1 if asked.ranks is None else asked.ranks.threads,
        launcher=_launcher(asked.ranks),
        counts=sorted({point.n for point in points.values()}),
        ways=ways,
        left_out=left_out,
    )


def _launcher(ranks: Ranks | None) -> str | None:
    if ranks is None:
        return None
    return choose_launcher(ranks.launcher, among=launchers_built_for(find_engine())).name.value


def _hosts(ranks: Ranks | None) -> int:
    return max(1, len(ranks.hosts)) if ranks is not None else 1


def _room(cpus: int, ranks: Ranks | None) -> int:
    """Workers for which there are so many CPUs on each host."""
    return cpus // (1 if ranks is None else ranks.threads) * _hosts(ranks)


def _cpus_of(way: Way, ranks: Ranks | None) -> int:
    return way.room * (1 if ranks is None else ranks.threads)


def _ways(asked: ScaleRequest, machine: Machine) -> Iterator[Way]:
    ranks = asked.ranks
    default = (COMPACT, SCATTER, NONE if ranks is None else LAUNCHER)
    for name in default if asked.bindings is None else asked.bindings:
        if name == DOMAINS:
            for number in range(_domains(machine)):
                yield _expression(f"M{number}", ranks)
        elif name in ORDERED:
            cpus = order_of(name, machine)
            yield Way(name, "cpus", _room(len(cpus), ranks), cpus)
        elif name in MEANINGS:
            _refuse_mismatch(name, ranks)
            kind: Kind = "cores" if name == CORES else "none"
            cpus_here = len(usable_threads(machine))
            yield Way(name, kind, _room(cpus_here, ranks))
        else:
            yield _expression(name, ranks)


def _domains(machine: Machine) -> int:
    """NUMA nodes that have CPUs."""
    return len([node for node in machine.numa_nodes if node.cpus])


def _expression(text: str, ranks: Ranks | None) -> Way:
    cpus = tuple(expand(text).cpus)
    return Way(text, "cpus", _room(len(cpus), ranks), cpus)


def _refuse_mismatch(name: str, ranks: Ranks | None) -> None:
    if name == LAUNCHER and ranks is None:
        raise UsageError(
            "--bindings launcher is for MPI ranks: add --mpi, or name another binding."
        )
    if name in OF_OPENMP and ranks is not None:
        raise UsageError(
            f"--bindings {name} is for threads of one process: leave --mpi out, or name launcher."
        )


def _refuse_too_many(
    counts: Sequence[int] | None, ways: Sequence[Way], machine: Machine, asked: ScaleRequest
) -> None:
    """Raises ``UsageError`` for more workers than any way has CPUs for."""
    most = max(way.room for way in ways)
    what = "thread" if asked.ranks is None else "rank"
    if most == 0:
        assert asked.ranks is not None
        raise UsageError(
            f"A rank of {asked.ranks.threads} threads does not fit on the"
            f" {count(len(usable_threads(machine)), 'CPU')} that this process may use: ask for"
            " fewer with --threads."
        )
    if counts is None or counts[-1] <= most:
        return
    each = (
        ""
        if asked.ranks is None or asked.ranks.threads == 1
        else (f" of {asked.ranks.threads} threads")
    )
    raise UsageError(
        f"{count(counts[-1], what)}{each} are asked for, but there are CPUs for {most}: ask for at"
        f" most {most} (this process may use the CPUs {machine.allowed_cpus})."
    )


def _counts_of(
    way: Way, counts: Sequence[int] | None, machine: Machine, ranks: Ranks | None
) -> list[int]:
    """The numbers of workers of a way: those asked for, or up to one a core."""
    if counts is not None:
        return [n for n in counts if n <= way.room]
    one_a_core = _room(usable_cores(machine), ranks)
    named = way.name not in MEANINGS
    most = way.room if named or way.name == SMT else max(1, min(way.room, one_a_core))
    return spread_counts(most, _landmarks(machine, ranks))


def _landmarks(machine: Machine, ranks: Ranks | None) -> tuple[int, ...]:
    """Workers that fill the first NUMA node, the first two, and so on, one a core."""
    threads = usable_threads(machine)
    nodes = list(dict.fromkeys(thread.node for thread in threads))
    filled = 0
    marks = []
    for node in nodes:
        filled += len({thread.core for thread in threads if thread.node == node})
        marks.append(_room(filled, ranks))
    return tuple(mark for mark in marks if mark > 0)


def _condition(point: Point, way: Way, plan: Plan, ranks: Ranks | None) -> Condition:
    if ranks is None:
        cpus = list(way.cpus[: point.n]) if way.kind == "cpus" else None
        placement = Placement(kind=way.kind, cpus=cpus, threads=point.n)
        placed = msgspec.structs.replace(plan, placement=placement)
        return Condition(point.name, placed, variables=OF_OPENMP.get(way.name, {}))
    cpus = list(way.cpus) if way.kind == "cpus" else None  # ranks are dealt as many as they need
    placement = Placement(kind=way.kind, cpus=cpus, threads=ranks.threads)
    of_point = replace(ranks, ranks=point.n, launcher_binds=way.name == LAUNCHER)
    placed = plan_of_ranks(msgspec.structs.replace(plan, placement=placement), of_point)
    return Condition(point.name, placed, ranks=of_point)
