"""Chooses the points of a scaling study on this machine: numbers of workers, and their CPUs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from streamgage.advice import advice
from streamgage.analysis.cores import (
    COMPACT,
    CORES,
    NONE,
    ORDERED,
    SCATTER,
    SMT,
    order_of,
    usable_cores,
    usable_threads,
)
from streamgage.cpu_list import name_cpus
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import OwnKernels
from streamgage.plan import Placement, PlainLibrary, Plan
from streamgage.process.launch import LauncherName, choose_launcher
from streamgage.process.ranks import Ranks
from streamgage.process.this_machine import describe_this_machine
from streamgage.records import Machine
from streamgage.results.placement import named_cpus
from streamgage.results.ranks import plan_of_ranks
from streamgage.results.scale.counts import spread_counts
from streamgage.results.scale.document import OWN_LOOPS, LeftOut, PlacedWorkers, TooFewCpus, Workers
from streamgage.results.scale.judge import Point
from streamgage.results.scale.placements import (
    DOMAINS,
    LAUNCHER,
    MEANINGS,
    NAMES,
    OF_OPENMP,
    Kind,
    Way,
    launcher_options,
    without_doubles,
)
from streamgage.results.series import Condition
from streamgage.units import count


@dataclass(frozen=True)
class Loops:
    """The plain loops, as one compiler built them."""

    name: str
    """A short name for the compiler and its flags."""
    library: PlainLibrary


@dataclass(frozen=True)
class ScaleRequest:
    """The user's request; ``None`` stands for options that were not given.

    ``plan``: the plan of every point, except its placement. ``named``: whether the user named
    kernels. ``ranks``: how to start ranks, except their number; ``None`` if the workers are threads
    of one process. ``both``: whether to also measure threads. ``builds``: the loops to run;
    ``None`` stands for the engine's own.
    """

    plan: Plan
    named: bool = False
    counts: Sequence[int] | None = None
    """The numbers of workers in ascending order."""
    placements: tuple[str, ...] | None = None
    ranks: Ranks | None = None
    both: bool = False
    builds: tuple[Loops | None, ...] = (None,)
    own: OwnKernels = field(default_factory=OwnKernels)


@dataclass(frozen=True)
class Series:
    """A curve per kernel: the workers, their placement, and the compiler of the loops."""

    way: Way
    ranks: Ranks | None
    loops: Loops | None
    placement: PlacedWorkers
    """The placement for the document, before any point is measured."""


@dataclass(frozen=True)
class Scales:
    """What to measure: the points with their conditions, and the description for the document."""

    machine: Machine
    points: dict[str, Point]
    conditions: list[Condition]
    workers: Workers
    threads: int
    launcher: str | None
    counts: list[int]
    series: list[Series]
    left_out: list[LeftOut]


def scales_of_this_machine(request: ScaleRequest) -> Scales:
    """List all points to measure, except for the size of the arrays.

    Raises ``UsageError`` if a part of the request is wrong, and ``NoKernelLeftError``.
    """
    plan = request.own.measured_by(request.plan, named=request.named)
    counts = request.counts
    machine = describe_this_machine()
    left_out: list[LeftOut] = []
    placed: list[tuple[Way, Ranks | None]] = []
    for ranks in (None, request.ranks) if request.both else (request.ranks,):
        ways, doubles = without_doubles(list(_ways(request, ranks, machine)))
        if request.placements is not None:
            left_out += [each for each in doubles if each not in left_out]
        _refuse_too_many(counts, ways, machine, ranks)
        placed += [(way, ranks) for way in ways]
    series = [_series(way, ranks, e, request) for e in request.builds for way, ranks in placed]
    points: dict[str, Point] = {}
    conditions = []
    for each in series:
        measured = _counts_of(each.way, counts, machine, each.ranks)
        if counts is not None and len(measured) < len(counts):
            cpus = _cpus_of(each.way, each.ranks)
            name = each.placement.name
            left_out.append(TooFewCpus(placement=name, most=each.way.room, cpus=cpus))
        for n in measured:
            point = Point(each.placement.name, n)
            points[point.name] = point
            conditions.append(_condition(point, each, plan))
    launchers = dict.fromkeys(each.placement.launcher for each in series)
    return Scales(
        machine=machine,
        points=points,
        conditions=conditions,
        workers="workers" if request.both else _workers(request.ranks),
        threads=1 if request.ranks is None else request.ranks.threads,
        launcher=", ".join(each for each in launchers if each) or None,
        counts=sorted({point.n for point in points.values()}),
        series=series,
        left_out=left_out,
    )


def _workers(ranks: Ranks | None) -> Literal["threads", "ranks"]:
    return "threads" if ranks is None else "ranks"


def _series(way: Way, ranks: Ranks | None, loops: Loops | None, request: ScaleRequest) -> Series:
    """Make the series, with a name that distinguishes it from the others."""
    if ranks is not None and way.launcher is not None:
        if ranks.launcher not in (LauncherName.AUTO, way.launcher):
            raise UsageError(
                f"--launcher {ranks.launcher} does not start ranks as the placement {way.name!r}"
                " says: leave one of them out."
            )
        ranks = replace(ranks, launcher=way.launcher)
    parts = [
        *([] if len(request.builds) == 1 else [OWN_LOOPS if loops is None else loops.name]),
        *([_workers(ranks)] if request.both else []),
        way.name,
    ]
    placement = PlacedWorkers(
        name=", ".join(parts),
        way=way.name,
        workers=_workers(ranks),
        launcher=_launcher(ranks),
        compiler=None if loops is None else loops.library.code,
    )
    return Series(way, ranks, loops, placement)


def _launcher(ranks: Ranks | None) -> str | None:
    if ranks is None:
        return None
    return choose_launcher(ranks.launcher).name.value


def _hosts(ranks: Ranks | None) -> int:
    return max(1, len(ranks.hosts)) if ranks is not None else 1


def _room(cpus: int, ranks: Ranks | None) -> int:
    """The number of workers for which there are so many CPUs on each host."""
    return cpus // (1 if ranks is None else ranks.threads) * _hosts(ranks)


def _cpus_of(way: Way, ranks: Ranks | None) -> int:
    return way.room * (1 if ranks is None else ranks.threads)


def _ways(request: ScaleRequest, ranks: Ranks | None, machine: Machine) -> Iterator[Way]:
    default = (COMPACT, SCATTER, NONE if ranks is None else LAUNCHER)
    names = default if request.placements is None else request.placements
    if request.both and request.placements is not None:
        names = tuple(each for each in names if _mismatch(each, ranks) is None)
        if not names:
            raise UsageError(
                f"--cpus names no placement for {_workers(ranks)}, and --both needs one, such as"
                " compact: add it, or leave --both out."
            )
    for name in names:
        if not request.both and (why := _mismatch(name, ranks)) is not None:
            raise UsageError(why)
        by_launcher = launcher_options(name)
        if name == DOMAINS:
            for number in range(_domains(machine)):
                yield _expression(f"M{number}", ranks)
        elif name in ORDERED:
            cpus = order_of(name, machine)
            yield Way(name, "cpus", _room(len(cpus), ranks), cpus)
        elif name in MEANINGS:
            kind: Kind = "cores" if name == CORES else "none"
            yield Way(name, kind, _room(len(usable_threads(machine)), ranks))
        elif by_launcher is not None:
            launcher, options = by_launcher
            room = _room(len(usable_threads(machine)), ranks)
            yield Way(name, "none", room, launcher=launcher, options=options)
        else:
            yield _expression(name, ranks)


def _domains(machine: Machine) -> int:
    """The number of NUMA nodes with CPUs."""
    return len([node for node in machine.numa_nodes if node.cpus])


def _expression(text: str, ranks: Ranks | None) -> Way:
    cpus = named_cpus(text, NAMES)
    return Way(text, "cpus", _room(len(cpus), ranks), cpus)


def _mismatch(name: str, ranks: Ranks | None) -> str | None:
    """Why a placement does not suit these workers; ``None`` if it does."""
    if ranks is None and (name == LAUNCHER or launcher_options(name) is not None):
        return f"--cpus {name!r} is for MPI ranks: add --mpi, or name another placement."
    if ranks is not None and name in OF_OPENMP:
        return f"--cpus {name!r} is for threads of one process: leave --mpi out, or name launcher."
    return None


def _refuse_too_many(
    counts: Sequence[int] | None, ways: Sequence[Way], machine: Machine, ranks: Ranks | None
) -> None:
    """Raise ``UsageError`` for more workers than any way has CPUs for."""
    most = max(way.room for way in ways)
    what = "thread" if ranks is None else "rank"
    if most == 0 and ranks is None:
        raise UsageError(
            f"This machine names no CPU that this process may use ({machine.allowed_cpus or 'none'}"
            f" allowed): see what {advice('topology')} finds."
        )
    if most == 0 and ranks is not None:
        raise UsageError(
            f"A rank of {ranks.threads} threads does not fit on the"
            f" {count(len(usable_threads(machine)), 'CPU')} that this process may use: ask for"
            " fewer with --threads."
        )
    if counts is None or counts[-1] <= most:
        return
    of_threads = "" if ranks is None or ranks.threads == 1 else f" of {ranks.threads} threads"
    raise UsageError(
        f"{count(counts[-1], what)}{of_threads} are asked for, but there are CPUs for {most}:"
        f" ask for at most {most} (this process may use {name_cpus(machine.allowed_cpus)})."
    )


def _counts_of(
    way: Way, counts: Sequence[int] | None, machine: Machine, ranks: Ranks | None
) -> list[int]:
    """The numbers of workers for a way: the requested ones, or up to one per core."""
    if counts is not None:
        return [n for n in counts if n <= way.room]
    one_a_core = _room(usable_cores(machine), ranks)
    named = way.name not in MEANINGS
    most = way.room if named or way.name == SMT else max(1, min(way.room, one_a_core))
    return spread_counts(most, _landmarks(machine, ranks))


def _landmarks(machine: Machine, ranks: Ranks | None) -> tuple[int, ...]:
    """The numbers of workers that fill the first NUMA node, the first two, and so on.

    Each core has one worker.
    """
    threads = usable_threads(machine)
    nodes = list(dict.fromkeys(thread.node for thread in threads))
    filled = 0
    marks = []
    for node in nodes:
        filled += len({thread.core for thread in threads if thread.node == node})
        marks.append(_room(filled, ranks))
    return tuple(mark for mark in marks if mark > 0)


def _condition(point: Point, series: Series, plan: Plan) -> Condition:
    way, ranks = series.way, series.ranks
    if series.loops is not None:
        plan = msgspec.structs.replace(plan, plain_library=series.loops.library)
    if ranks is None:
        cpus = list(way.cpus[: point.n]) if way.kind == "cpus" else None
        placement = Placement(kind=way.kind, cpus=cpus, threads=point.n)
        placed = msgspec.structs.replace(plan, placement=placement)
        return Condition(point.name, placed, variables=OF_OPENMP.get(way.name, {}))
    cpus = list(way.cpus) if way.kind == "cpus" else None  # as many as each rank needs
    placement = Placement(kind=way.kind, cpus=cpus, threads=ranks.threads)
    of_point = replace(
        ranks,
        ranks=point.n,
        launcher_binds=way.name == LAUNCHER or way.launcher is not None,
        options=way.options,
    )
    placed = plan_of_ranks(msgspec.structs.replace(plan, placement=placement), of_point)
    return Condition(point.name, placed, ranks=of_point)
