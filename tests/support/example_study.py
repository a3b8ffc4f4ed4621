"""Makes studies of invented programs, with bandwidth and times by formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from example_scale import machine_of, places_of, point_run

from streamgage.analysis.cores import order_of
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.results.study.document import Case, Solver, Study
from streamgage.results.study.judge import ProgramRun, RunKey, StudySetup, judge_study

Law = Callable[[int], float]
COUNTS = (1, 2, 4)
ITERATIONS = {1: 20, 2: 20, 4: 25}


def saturating(n: int) -> float:
    """GB/s of n workers of a memory that gives 60."""
    return min(30.0 * n, 60.0)


SOLVER = Solver(
    petsc="3.26.1",
    mpi="Open MPI 4.1.4",
    debug=False,
    long_integers=False,
    unknowns=912_673,
    nonzeros=6_332_257,
    matrix_bytes=79_637_776,
)


def asked_of(
    rounds: int,
    counts: tuple[int, ...] = COUNTS,
    *,
    servers: bool = False,
    solver: Solver | None = None,
) -> StudySetup:
    """The setup of a study, as a user asks for it."""
    command = ["{mpiexec}", "./solver", "-log", "{log}"]
    served = [*command[:2], "-server", *command[2:]]
    one = (Case(name=None, command=command),)
    two = (Case(name="direct", command=command), Case(name=SERVER, command=served))
    return StudySetup(
        cases=two if servers else one,
        workers="ranks",
        threads_per_worker=1,
        launcher="openmpi",
        placement="compact",
        rounds=rounds,
        seed=7,
        counts=counts,
        solver=solver,
    )


def study_of(
    seconds: Law,
    *,
    rates: Law = saturating,
    rounds: int = 3,
    noise: float = 0.002,
    counts: tuple[int, ...] = COUNTS,
    iterations: Mapping[int, int] | None = None,
    failures: Mapping[tuple[str, int, int], str] | None = None,
    solver: Solver | None = None,
    taken: tuple[float, float] | None = None,
    taken_from_stream: float = 0.0,
) -> Study:
    """The answer of a program that takes so long; ``failures`` by what, n and round.

    ``taken``: what others had in each of its runs, ``taken_from_stream``: in each of STREAM's.
    """
    made = ExampleRuns(
        rates, rounds, noise, counts, iterations, failures or {}, taken, taken_from_stream
    )
    machine = machine_of(1, 4)
    for number in range(1, rounds + 1):
        for n in counts:
            made.stream(n, number)
            made.program(n, number, seconds)
    return judge_study(
        made.streams, made.programs, made.order, asked_of(rounds, counts, solver=solver), machine
    )


def served_study_of(
    seconds: Law, served: Law, *, failures: Mapping[tuple[str, int, int], str] | None = None
) -> Study:
    """The answer of a solve by all ranks, and by a server, which takes ``served``."""
    made = ExampleRuns(saturating, 3, 0.002, COUNTS, ITERATIONS, failures or {})
    for number in (1, 2, 3):
        for n in COUNTS:
            if n > 1:
                made.program(n, number, served, SERVER)
            made.stream(n, number)
            made.program(n, number, seconds, "direct")
    return judge_study(
        made.streams,
        made.programs,
        made.order,
        asked_of(3, servers=True, solver=SOLVER),
        machine_of(1, 4),
    )


SERVER = "server shared"


@dataclass
class ExampleRuns:
    """Makes the runs of a study, one after the other."""

    rates: Law
    rounds: int
    noise: float
    counts: tuple[int, ...]
    iterations: Mapping[int, int] | None
    failures: Mapping[tuple[str, int, int], str]
    taken: tuple[float, float] | None = None
    taken_from_stream: float = 0.0
    streams: list[tuple[int, FreshRun]] = field(default_factory=list)
    programs: list[ProgramRun] = field(default_factory=list)
    order: list[RunKey] = field(default_factory=list)

    def stream(self, n: int, number: int) -> None:
        """A run of STREAM."""
        machine = machine_of(1, 4)
        places = places_of(machine, order_of("compact", machine)[:n])
        run = point_run(machine, places, self.rates(n), taken=self.taken_from_stream)
        why = self.failures.get(("stream", n, number))
        self.streams.append((n, FreshRun(f"compact, {n}", number, run, why, f"{number}-{n}.jsonl")))
        self.order.append(RunKey("stream", n, number))

    def program(self, n: int, number: int, seconds: Law, case: str | None = None) -> None:
        """A run of a program."""
        # Unlike at every n, so that it is in the ratios.
        shaken = seconds(n) * (1 + self.noise * ((number + n) % 3 - 1))
        count = None if self.iterations is None else self.iterations[n]
        phases = {"solve": (shaken, count), "setup": (0.5, None)}
        why = self.failures.get((case or "program", n, number))
        self.programs.append(
            ProgramRun(
                n,
                number,
                {} if why else phases,
                why,
                f"{number}-{n}.txt",
                case=case,
                residual=None if case is None or why else 2e-5,
                distribution=(0.05 * shaken, shaken + 0.5) if case == SERVER and not why else None,
                taken=self.taken,
            )
        )
        self.order.append(RunKey("program", n, number, case))
