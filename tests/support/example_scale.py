"""Makes scaling studies of invented machines, whose bandwidth follows a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from example_records import CLOCK, END, KERNELS, MEMORY, PLAN, place, placement, samples_of, vector
from example_topologies import Counts, regular
from msgspec.structs import replace

from streamgage.analysis.cores import order_of
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord, Disturbance, Machine, ThreadPlace
from streamgage.records.run import Run, collect
from streamgage.results.scale.document import PlacedWorkers, Scale, Workers
from streamgage.results.scale.judge import Point, ScaleSetup, judge_scale

Rate = Callable[[Sequence[ThreadPlace]], float]
"""GB/s of workers that have these places."""
CORE, NODE = 30.0, 60.0
"""GB/s that a core can have, and a NUMA node give."""


def machine_of(nodes: int = 2, cores: int = 4, smt: int = 1) -> Machine:
    """A machine with this many NUMA nodes and cores per node."""
    counts = Counts(packages=nodes, cores=cores, smt=smt)
    return regular(counts, processor=f"Example 9000 ({nodes} nodes)")


def equal_shares(places: Sequence[ThreadPlace]) -> float:
    """The rate if all workers wait for the fullest core and the fullest node."""
    on_core = max([each.core for each in places].count(each.core) for each in places)
    on_node = max([each.node for each in places].count(each.node) for each in places)
    return len(places) * min(CORE / on_core, NODE / on_node)


def places_of(machine: Machine, cpus: Sequence[int], *, bound: bool = True) -> list[ThreadPlace]:
    """Threads on these CPUs, bound there or free to go anywhere."""
    at = {thread.cpu: thread for thread in machine.threads}
    mask = None if bound else machine.allowed_cpus
    return [
        replace(place(cpu, at[cpu].core, at[cpu].node or 0, mask), package=at[cpu].package)
        for cpu in cpus
    ]


def point_run(
    machine: Machine,
    places: Sequence[ThreadPlace],
    gbps: float,
    *,
    bound: bool = True,
    taken: float = 0.0,
) -> Run:
    """The run of a point, with what others took of its CPUs."""
    return collect(point_records(machine, places, gbps, bound=bound, taken=taken))


def point_records(
    machine: Machine,
    places: Sequence[ThreadPlace],
    gbps: float,
    *,
    bound: bool = True,
    taken: float = 0.0,
    loops: Mapping[tuple[str, str], float] | None = None,
) -> list[AnyRecord]:
    """Triad, plain and streaming, the latter a quarter quicker; or ``loops`` with their GB/s."""
    records: list[AnyRecord] = [
        machine,
        PLAN,
        placement(*places, kind="cpus" if bound else "none", bound=bound),
        *(MEMORY, CLOCK, *KERNELS),
    ]
    usual = {("triad", "plain"): gbps, ("triad", "streaming"): 1.25 * gbps}
    arrays = {each.name: each.loads + each.stores for each in KERNELS}
    for number, ((kernel, store), rate) in enumerate((loops or usual).items()):
        seconds = arrays[kernel] * MEMORY.array_bytes / (rate * 1e9)
        records.append(vector(kernel, store, number=number))
        times = [seconds * (1 + 0.0005 * (k % 5)) for k in range(10)]
        cpus = [each.cpu for each in places]
        records += samples_of(number, times, moved=0 if bound else 1, cpus=cpus)
    other = Disturbance(
        first_block=0,
        last_block=9,
        seconds=1.0,
        steal_seconds=0.0,
        other_seconds=taken * len(places),
        throttled_seconds=None,
    )
    return [*records, other, END]


def points_of(names: Sequence[str], counts: Sequence[int]) -> list[Point]:
    """Every placement with every number of workers."""
    return [Point(name, n) for name in names for n in counts]


def scaling_runs(
    machine: Machine,
    points: Sequence[Point],
    *,
    rate: Rate = equal_shares,
    rounds: int = 3,
    taken: Callable[[Point], float] = lambda _: 0.0,
) -> list[FreshRun]:
    """A run of every point in each round, a little quicker each time."""
    runs = []
    for number in range(1, rounds + 1):
        for point in points:
            bound = point.placement != "none"
            order = order_of(point.placement if bound else "scatter", machine)
            places = places_of(machine, order[: point.n], bound=bound)
            gbps = rate(places) * (1 + 0.001 * number)
            run = point_run(machine, places, gbps, bound=bound, taken=taken(point))
            runs.append(FreshRun(point.name, number, run, None, f"{number}-{point.n}.jsonl"))
    return runs


def placement_of(name: str, workers: Workers = "threads") -> PlacedWorkers:
    """A placement that is given by its name alone."""
    return PlacedWorkers(name=name, way=name, workers=workers)


def asked_of(names: Sequence[str], counts: Sequence[int], *, rounds: int = 3) -> ScaleSetup:
    """The request of a user."""
    return ScaleSetup(
        workers="threads",
        threads_per_worker=1,
        launcher=None,
        rounds=rounds,
        seed=7,
        counts=tuple(counts),
        placements=tuple(placement_of(name) for name in names),
    )


def scaling_of(
    machine: Machine,
    names: Sequence[str] = ("compact", "scatter", "none"),
    counts: Sequence[int] = tuple(range(1, 9)),
    *,
    rate: Rate = equal_shares,
    rounds: int = 3,
    taken: Callable[[Point], float] = lambda _: 0.0,
) -> Scale:
    """The scaling of a machine with this bandwidth at each point."""
    points = points_of(names, counts)
    runs = scaling_runs(machine, points, rate=rate, rounds=rounds, taken=taken)
    return judge_scale(runs, points, asked_of(names, counts, rounds=rounds), machine)
