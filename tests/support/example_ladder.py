"""Makes ladders of invented machines, whose bandwidth falls from cache to cache by a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from example_records import CLOCK, END, KERNELS, MEMORY, PLAN, placement, samples_of, vector
from example_scale import places_of
from example_topologies import Counts, regular
from msgspec.structs import replace

from streamgage.analysis.hierarchy import Mode, levels_in_use
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.records import AnyRecord, CoreClock, Machine
from streamgage.records.run import Run, collect
from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.judge import LadderSetup, Rung, judge_ladder
from streamgage.results.working_sets import working_sets

KIB, MIB = 1 << 10, 1 << 20
HERTZ = 3e9
RATES = {"L1": 200.0, "L2": 100.0, "L3": 40.0, "memory-side cache": 20.0, "memory": 10.0}
"""GB/s of one thread."""
CPUS = (0, 1, 2, 3)


def machine_of(**fields: object) -> Machine:
    """Four cores with an L1 and an L2 each and one L3."""
    return regular(Counts(cores=4), **fields)


Rate = Callable[[Rung, Machine], float]


def by_capacity(rung: Rung, machine: Machine, *, shrink: float = 1.0) -> float:
    """The rate of the level that holds the working set, with a slope of a quarter at its edge.

    ``shrink``: share of what the last cache claims that it really has.
    """
    threads = 1 if rung.mode == "sequential" else len(CPUS)
    levels = levels_in_use(machine, CPUS, rung.mode)
    sizes = [level.bytes for level in levels]
    sizes[-1] = int(sizes[-1] * shrink)
    for level, size in zip(levels, sizes, strict=True):
        if rung.bytes <= size:
            return RATES[level.name] * threads
        if rung.bytes <= 1.25 * size:
            return 0.5 * RATES[level.name] * threads
    return RATES["memory"] * min(threads, 2)


def rung_run(rung: Rung, machine: Machine, gbps: float, *, number: int = 1) -> Run:
    """The run of a point, a little faster in each round."""
    return collect(rung_records(rung, machine, gbps, number=number))


def rung_records(rung: Rung, machine: Machine, gbps: float, *, number: int = 1) -> list[AnyRecord]:
    """The records of triad with ordinary stores."""
    cpus = CPUS[:1] if rung.mode == "sequential" else CPUS
    together = rung.bytes * (len(cpus) if rung.mode == "throughput" else 1)
    elements = together // 3 // 8
    seconds = elements * 24 / (gbps * (1 + 0.002 * number) * 1e9)
    records: list[AnyRecord] = [
        machine,
        PLAN,
        placement(*places_of(machine, cpus), kind="cpus"),
        replace(MEMORY, array_bytes=elements * 8, elements=elements),
        *(CLOCK, *KERNELS),
        vector("triad", "regular", number=0),
        *samples_of(0, [seconds * (1 + 0.0005 * (k % 5)) for k in range(11)], cpus=cpus),
        CoreClock(hertz=HERTZ, cpu=0),
    ]
    return [*records, END]


def rungs_of(machine: Machine, modes: Sequence[Mode]) -> list[Rung]:
    """Every working set of each mode, from 8 KiB a sharer to four times the caches."""
    rungs = []
    for mode in modes:
        sharers = len(CPUS) if mode == "worksharing" else 1
        last = levels_in_use(machine, CPUS, mode)[-1].bytes
        sizes = working_sets(8 * KIB * sharers, 4 * last, 3, sharers)
        rungs += [Rung(mode, "triad", size) for size in sizes]
    return rungs


def asked_of(modes: Sequence[Mode], *, rounds: int = 2) -> LadderSetup:
    """The request of a user."""
    return LadderSetup(threads=len(CPUS), cpus=CPUS, rounds=rounds, seed=7, modes=tuple(modes))


def ladder_of(
    machine: Machine,
    modes: Sequence[Mode] = ("sequential", "worksharing", "throughput"),
    *,
    rate: Rate = by_capacity,
    rounds: int = 2,
) -> Ladder:
    """The ladder of a machine with this bandwidth at each point."""
    rungs = rungs_of(machine, modes)
    runs = [
        FreshRun(
            rung.name,
            number,
            rung_run(rung, machine, rate(rung, machine), number=number),
            None,
            None,
        )
        for number in range(1, rounds + 1)
        for rung in rungs
    ]
    return judge_ladder(runs, rungs, asked_of(modes, rounds=rounds), machine)
