"""Computes speedups and efficiencies from runs of STREAM and of a program, and compares them.

S(n) = T(1) / T(n) and E(n) = S(n) / n of a phase; from STREAM E'(n) = B(n) / (n B(1)). All are
paired round by round, so a drift of the machine affects both. The figure is the mean of |E - E'|
over the numbers of workers from 2 on. It is never a correlation: both fall with n, so that would
always be high.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from streamgage.analysis.cores import cores_among, usable_cores
from streamgage.analysis.saturation import ENOUGH
from streamgage.analysis.statistics.bootstrap import (
    BlockMedian,
    bootstrap_median,
    estimate_of,
    paired_ratio,
)
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.rounds import FreshRun, rounds_of
from streamgage.cpu_list import format_cpu_order
from streamgage.records import Machine
from streamgage.results.document import common
from streamgage.results.scale.document import LeftOut, Workers
from streamgage.results.scale.judge import placed
from streamgage.results.study.document import (
    Case,
    Comparison,
    Distribution,
    NoFiles,
    Phase,
    PhasePoint,
    ProgramPlaces,
    Solver,
    StreamPoint,
    Study,
    StudyRun,
    Verdict,
)

TRACKS = 0.10
"""Up to this mean distance of efficiencies, a program follows STREAM."""

Times = Mapping[int, Mapping[int, float]]
"""Times by number of workers, then by round."""


@dataclass(frozen=True)
class ProgramRun:
    """One run of a program: the seconds and counts of each phase, or why there are none."""

    n: int
    round: int
    phases: Mapping[str, tuple[float, int | None]]
    failure: str | None
    kept: str | None
    case: str | None = None
    residual: float | None = None
    distribution: tuple[float, float] | None = None
    """The seconds of handing a system to a server's ranks, and of everything that the server
    did."""
    taken: tuple[float, float] | None = None
    """The CPU-seconds that others took on its CPUs during the run, and all CPU-seconds of these
    CPUs in that time; ``None`` if they are unknown."""
    used: tuple[float, float] | None = None
    """The CPU-seconds that it used itself, and its seconds from start to end; ``None`` if they are
    unknown."""
    rate: float | None = None
    """The rate that it printed; ``None`` if none was looked for."""
    layouts: Mapping[tuple[int, ...], int] = field(default_factory=dict)
    """The number of observations of its running threads by layout: the CPU of each thread,
    ascending."""


@dataclass(frozen=True)
class RunKey:
    """The identity of a run; ``case`` is set for programs."""

    what: Literal["stream", "program"]
    n: int
    round: int
    case: str | None = None


@dataclass(frozen=True)
class StudySetup:
    """The request, as the document records it."""

    cases: tuple[Case, ...]
    workers: Workers
    threads_per_worker: int
    launcher: str | None
    placement: str
    rounds: int
    seed: int | None
    """The seed for the order; ``None`` if others chose the order."""
    counts: tuple[int, ...]
    left_out: tuple[LeftOut | NoFiles, ...] = ()
    solver: Solver | None = None
    kernel: str | None = None
    """The kernel of STREAM to compare with; ``None`` is the first one in its runs."""


def judge_study(
    stream: Sequence[tuple[int, FreshRun]],
    program: Sequence[ProgramRun],
    order: Sequence[RunKey],
    setup: StudySetup,
    machine: Machine | None,
) -> Study:
    """Build the result from the runs; those of ``stream`` have their numbers of workers.

    ``order``: the runs in the order in which they ran.
    """
    variant, rates = _rates(stream, setup.kernel)
    points = _stream_points(rates)
    best = max((point.gbps.value for point in points), default=None)
    phases = phases_of(program, [each.name for each in setup.cases], rates)
    facts = common((each.run for _, each in stream), machine)
    facts["taken"] = worse(facts["taken"], taken_from_programs(program))
    return Study(
        **facts,
        cases=list(setup.cases),
        solver=setup.solver,
        workers=setup.workers,
        threads_per_worker=setup.threads_per_worker,
        launcher=setup.launcher,
        placement=setup.placement,
        kernel=variant[0],
        store=variant[1],
        rounds=setup.rounds,
        seed=setup.seed,
        counts=list(setup.counts),
        stream=points,
        enough_n=None
        if best is None
        else next(each.n for each in points if each.gbps.value >= ENOUGH * best),
        phases=phases,
        headline=_headline(phases),
        distribution=distribution_of(program),
        placed=[
            found
            for n in sorted({n for n, _ in stream})
            if (found := placed(n, [each for of, each in stream if of == n], facts["machine"]))
        ],
        program_places=list(_program_places(program, setup, facts["machine"])),
        runs=runs_in_order(stream, program, order),
        left_out=list(setup.left_out),
    )


def taken_from_programs(program: Sequence[ProgramRun]) -> float | None:
    """The share that others had, over all runs together.

    A single run may be as short as some ticks.
    """
    known = [each.taken for each in program if each.taken is not None]
    of = sum(there for _, there in known)
    return max(0.0, sum(seconds for seconds, _ in known)) / of if of > 0 else None


def worse(one: float | None, other: float | None) -> float | None:
    """The greater share; ``None`` if both are unknown."""
    return max((each for each in (one, other) if each is not None), default=None)


def runs_in_order(
    stream: Sequence[tuple[int, FreshRun]],
    program: Sequence[ProgramRun],
    order: Sequence[RunKey],
) -> list[StudyRun]:
    """Describe the runs, in the order in which they ran."""
    of_stream = {(n, each.round): each for n, each in stream}
    of_program = {(each.case, each.n, each.round): each for each in program}
    runs = []
    for key in order:
        if key.what == "stream":
            run = of_stream[key.n, key.round]
            failure, residual, kept = run.failure, None, run.records
        else:
            one = of_program[key.case, key.n, key.round]
            failure, residual, kept = one.failure, one.residual, one.kept
        runs.append(
            StudyRun(
                round=key.round,
                what=key.what,
                case=key.case,
                n=key.n,
                failure=failure,
                residual=residual,
                kept=kept,
            )
        )
    return runs


def _program_places(
    program: Sequence[ProgramRun], setup: StudySetup, machine: Machine | None
) -> Iterator[ProgramPlaces]:
    """Yield the places for each case and number of workers, from all rounds together."""
    for case in setup.cases:
        for n in setup.counts:
            layouts: Counter[tuple[int, ...]] = Counter()
            for run in program:
                if (run.case, run.n) == (case.name, n):
                    layouts.update(run.layouts)
            if layouts:
                workers = n * setup.threads_per_worker
                usual = _usual(layouts, workers)
                yield ProgramPlaces(
                    case=case.name,
                    n=n,
                    cpus=format_cpu_order(usual),
                    looks=layouts.total(),
                    crowded=sum(
                        looks for cpus, looks in layouts.items() if _is_crowded(cpus, machine)
                    ),
                )


def _usual(layouts: Mapping[tuple[int, ...], int], workers: int) -> tuple[int, ...]:
    """The layout of most observations in which all workers ran.

    If there are none, of most observations.
    """
    whole = {cpus: looks for cpus, looks in layouts.items() if len(cpus) >= workers} or layouts
    return max(whole, key=lambda cpus: (whole[cpus], cpus))


def _is_crowded(cpus: Sequence[int], machine: Machine | None) -> bool:
    """Return whether threads shared a core unnecessarily."""
    return machine is not None and len(cores_among(machine, cpus)) < min(
        len(cpus), usable_cores(machine)
    )


def _rates(
    stream: Sequence[tuple[int, FreshRun]], kernel: str | None
) -> tuple[tuple[str, str], dict[int, dict[int, float]]]:
    """The kernel with its stores, plain ones if possible; and its GB/s by workers and round."""
    good = [(n, each) for n, each in stream if each.failure is None]
    variants = [(v.kernel, v.store) for _, each in good for v in each.run.shown()]
    wanted = [each for each in variants if kernel in (None, each[0])]
    plain = [each for each in wanted if each[1] == "plain"]
    shown = next(iter(plain or wanted), ("", ""))
    rates: dict[int, dict[int, float]] = {}
    for n in sorted({n for n, _ in good}):
        found = rounds_of(*shown, [each for of, each in good if of == n])
        if found is not None:
            rates[n] = {
                number: found.moved / seconds / 1e9 for number, seconds in found.times.items()
            }
    return shown, rates


def _stream_points(rates: Times) -> list[StreamPoint]:
    points = []
    for n, here in rates.items():
        speedup = paired_ratio(here, rates[1]) if 1 in rates else None
        points.append(
            StreamPoint(
                n=n,
                gbps=required(bootstrap_median(list(here.values()))),
                speedup=estimate_of(speedup),
                efficiency=estimate_of(speedup, n),
            )
        )
    return points


def _headline(phases: Sequence[Phase]) -> str | None:
    """The phase to compare: PETSc's solve if there is one, else the program's first phase."""
    names = [each.name for each in phases]
    return "KSPSolve" if "KSPSolve" in names else next(iter(names), None)


@dataclass(frozen=True)
class _TimedPhase:
    """The seconds and calls of a phase, by number of workers and round."""

    times: dict[int, dict[int, float]]
    counts: dict[int, dict[int, int]]

    @property
    def per_call(self) -> Times:
        """The seconds per call, for numbers of workers whose calls were counted in every round."""
        return {
            n: {number: seconds / self.counts[n][number] for number, seconds in of_n.items()}
            for n, of_n in self.times.items()
            if set(self.counts.get(n, {})) == set(of_n)
        }


def phases_of(
    program: Sequence[ProgramRun], cases: Sequence[str | None], rates: Times
) -> list[Phase]:
    """Judge the phases of every case, in the order in which they first ran. ``rates``: STREAM's."""
    good = sorted(
        (each for each in program if each.failure is None), key=lambda each: (each.n, each.round)
    )
    timed: dict[tuple[str | None, str], _TimedPhase] = {}
    for case in cases:
        runs = [each for each in good if each.case == case]
        for name in dict.fromkeys(name for each in runs for name in each.phases):
            timed[case, name] = _timed(name, runs)
    first = cases[0]
    return [
        _phase(name, case, here, timed.get((first, name)) if case != first else None, rates)
        for (case, name), here in timed.items()
    ]


def _timed(name: str, runs: Sequence[ProgramRun]) -> _TimedPhase:
    found = _TimedPhase({}, {})
    for run in runs:
        if name in run.phases:
            seconds, count = run.phases[name]
            found.times.setdefault(run.n, {})[run.round] = seconds
            if count:
                found.counts.setdefault(run.n, {})[run.round] = count
    return found


def _phase(
    name: str, case: str | None, here: _TimedPhase, first: _TimedPhase | None, rates: Times
) -> Phase:
    """Judge one phase.

    ``first``: the same phase of the first case; ``None`` if this is that case. If this case has no
    run with one worker, speedups are over that of the first case.
    """
    times = _with_base(here.times, None if first is None else first.times)
    per_call = _with_base(here.per_call, None if first is None else first.per_call)
    points = []
    for n, of_n in here.times.items():
        speedup = paired_ratio(times[1], of_n) if 1 in times else None
        each_speedup = (
            paired_ratio(per_call[1], per_call[n]) if 1 in per_call and n in per_call else None
        )
        over = None if first is None or n not in first.times else first.times[n]
        points.append(
            PhasePoint(
                n=n,
                seconds=required(bootstrap_median(list(of_n.values()))),
                count=median(sorted(here.counts[n].values())) if n in here.per_call else None,
                speedup=estimate_of(speedup),
                efficiency=estimate_of(speedup, n),
                each_speedup=estimate_of(each_speedup),
                each_efficiency=estimate_of(each_speedup, n),
                over_first=None if over is None else estimate_of(paired_ratio(of_n, over)),
                rounds=len(of_n),
            )
        )
    return Phase(
        case=case,
        name=name,
        points=points,
        comparison=compare(times, rates),
        each_comparison=compare(per_call, rates),
        counts_change=len(_counts(here, first if 1 not in here.times else None)) > 1,
    )


def _counts(here: _TimedPhase, first: _TimedPhase | None) -> set[float]:
    """The median calls for each number of workers, and those of one worker in ``first``."""
    found = [*here.counts.values()]
    if first is not None and 1 in first.counts:
        found.append(first.counts[1])
    return {median(sorted(each.values())) for each in found}


def _with_base(times: Times, first: Times | None) -> Times:
    return times if 1 in times or first is None or 1 not in first else {1: first[1], **times}


def distribution_of(program: Sequence[ProgramRun]) -> list[Distribution]:
    """The time for handing systems of equations to servers, per case and number of workers."""
    seconds: dict[tuple[str, int], list[float]] = {}
    shares: dict[tuple[str, int], list[float]] = {}
    for run in sorted(program, key=lambda each: each.n):
        if run.failure is None and run.distribution is not None and run.case is not None:
            took, of = run.distribution
            seconds.setdefault((run.case, run.n), []).append(took)
            shares.setdefault((run.case, run.n), []).append(took / of)
    return [
        Distribution(
            case=case,
            n=n,
            seconds=required(bootstrap_median(found)),
            share=required(bootstrap_median(shares[case, n])),
        )
        for (case, n), found in seconds.items()
    ]


def required(median: BlockMedian | None) -> Estimate:
    """Convert a figure that must exist to an estimate."""
    figure = estimate_of(median)
    assert figure is not None
    return figure


def compare(times: Times, rates: Times) -> Comparison | None:
    """Compare the efficiencies of ``times`` and ``rates``, paired by round.

    ``None`` if none can be.
    """
    if 1 not in times or 1 not in rates:
        return None
    found: dict[int, BlockMedian] = {}
    for n in sorted(times.keys() & rates.keys() - {1}):
        rounds = times[1].keys() & times[n].keys() & rates[1].keys() & rates[n].keys()
        differences = [
            times[1][each] / times[n][each] / n - rates[n][each] / rates[1][each] / n
            for each in sorted(rounds)
        ]
        difference = bootstrap_median(differences)
        if difference is not None:
            found[n] = difference
    if not found:
        return None
    mean = sum(abs(each.value) for each in found.values()) / len(found)
    bias = sum(each.value for each in found.values()) / len(found)
    largest = max(found, key=lambda n: abs(found[n].value))
    halves = [max(each.high - each.value, each.value - each.low) for each in found.values()]
    noise = None if any(each.n == 1 for each in found.values()) else sum(halves) / len(halves)
    return Comparison(
        mean=mean,
        largest=abs(found[largest].value),
        largest_n=largest,
        bias=bias,
        noise=noise,
        verdict=_judged(mean, bias, noise),
    )


def _judged(mean: float, bias: float, noise: float | None) -> Verdict:
    if noise is not None and mean <= noise:
        return "indistinguishable"
    if mean <= TRACKS:
        return "tracks"
    if abs(bias) < mean / 2:
        return "differs"
    return "worse" if bias < 0 else "better"
