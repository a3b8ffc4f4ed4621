"""A program and STREAM in turn, with the same workers on the same CPUs."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, StreamgageError, UsageError
from streamgage.process.cpu_time import OthersWatch
from streamgage.process.program import ProgramEnd, run_for
from streamgage.process.program_places import ProgramLooks
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.records.spool_folder import new_folder, runs_folder
from streamgage.results.scale.bindings import Way
from streamgage.results.scale.experiment import with_one_size
from streamgage.results.scale.judge import why_not
from streamgage.results.scale.plan import ScaleRequest, Scales, scales_of_this_machine
from streamgage.results.series import Condition, MeasuredSeries, Turn, keep_so_far, run_in_turn
from streamgage.results.study.applications import TimesError
from streamgage.results.study.applications.case import Case, ProgramReport
from streamgage.results.study.applications.times import Reading
from streamgage.results.study.call import call_of
from streamgage.results.study.document import Case as StudiedCase
from streamgage.results.study.document import Solver, Study
from streamgage.results.study.judge import ProgramRun, Ran, StudySetup, judge_study
from streamgage.units import count

KIND = "study"
"""The name of these series' folders."""


@dataclass(frozen=True)
class StudyRequest:
    """The user's request."""

    cases: tuple[Case, ...]
    """Programs, one at least; all by ranks, or none."""
    stream: ScaleRequest
    most_seconds: float = 3600.0
    """The longest time of one run of a program."""
    solver: Solver | None = None

    @property
    def by_ranks(self) -> bool:
        """``True`` if a launcher starts the workers."""
        return self.cases[0].template.has_ranks


@dataclass(frozen=True)
class Prepared:
    """STREAM's points, and how the programs are called at each."""

    asked: StudyRequest
    scales: Scales
    way: Way


@dataclass(frozen=True)
class Step:
    """A run that is about to start; ``number`` is from 1, of ``total``."""

    case: Case | None
    """``None`` for STREAM."""
    n: int
    round: int
    number: int
    total: int

    @property
    def name(self) -> str:
        """Such as ``program, 2``."""
        return f"{self.what}, {self.n}"

    @property
    def what(self) -> str:
        """STREAM, or the program."""
        return "STREAM" if self.case is None else self.case.name or "program"

    @property
    def file_stem(self) -> str:
        """The stem of its files' names, which ``study --import`` reads."""
        return f"{'stream' if self.case is None else self.case.file_name}-{self.n}-{self.round}"

    @property
    def ran(self) -> Ran:
        """The name, number of workers and round that identify the run in the analysis."""
        if self.case is None:
            return Ran("stream", self.n, self.round)
        return Ran("program", self.n, self.round, self.case.name)


def prepare(asked: StudyRequest) -> Prepared:
    """The points of a study. Raises ``UsageError`` if a part of the request is wrong."""
    for case in asked.cases:
        program = case.template.words[0]
        if not case.template.has_ranks and shutil.which(program) is None:
            raise UsageError(f"{program} cannot be started: give its path, or install it.")
    scales = scales_of_this_machine(asked.stream)
    for case in asked.cases:
        if all(n < case.fewest for n in scales.counts):
            raise UsageError(
                f"The {case.name} needs {count(case.fewest, 'rank')}: name more with --n."
            )
    way = scales.series[0].way
    if way.kind == "cores":
        raise UsageError(
            f"--binding {way.name} is streamgage's own way for its threads: name compact, scatter,"
            " smt, none or an expression for a program."
        )
    return Prepared(asked, scales, way)


def steps(cases: Sequence[Case], counts: Sequence[int], rounds: int, seed: int) -> Iterator[Step]:
    """STREAM and each program with every number of workers once per round, in random order."""
    source = random.Random(seed)
    points = [
        (case, n) for n in counts for case in (None, *cases) if case is None or n >= case.fewest
    ]
    number = 0
    for each in range(1, rounds + 1):
        for case, n in source.sample(points, len(points)):
            number += 1
            yield Step(case, n, each, number, rounds * len(points))


def measure_study(
    ready: Prepared,
    rounds: int,
    *,
    seed: int | None,
    before: Callable[[Step], None],
    note: Note,
    wait: bool = True,
    label: str | None = None,
    runs: Callable[[], Path | None] = runs_folder,
) -> MeasuredSeries[Study]:
    """Run STREAM and the programs in turn; ``before`` is called ahead of each run.

    A run that fails is reported to ``note`` and is a gap, and the exit status is 1. A signal ends
    the series, and what was measured until then is in the result.
    """
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    scales = with_one_size(ready.scales, note=note, wait=wait)
    conditions = {scales.points[each.name].n: each for each in scales.conditions}
    folder = new_folder(KIND, note, runs)
    stream: list[tuple[int, FreshRun]] = []
    program: list[ProgramRun] = []
    order: list[Ran] = []
    facts: list[ProgramReport] = []
    stopped: int | None = None

    def judge() -> Study:
        setup = StudySetup(
            cases=tuple(
                StudiedCase(name=each.name, command=list(each.template.words))
                for each in ready.asked.cases
            ),
            workers=scales.workers,
            threads_per_worker=scales.threads,
            launcher=scales.launcher,
            binding=ready.way.name,
            rounds=rounds,
            seed=chosen,
            counts=tuple(scales.counts),
            left_out=tuple(scales.left_out),
            solver=with_size(ready.asked.solver, facts),
        )
        return judge_study(stream, program, order, setup, scales.machine)

    for step in steps(ready.asked.cases, scales.counts, rounds, chosen):
        try:
            before(step)
            if step.case is None:
                run, stopped = _stream(
                    step, conditions[step.n], scales.threads, folder, note, wait=wait
                )
                stream.append((step.n, run))
            else:
                one, told = _program(step, step.case, ready, folder, note)
                program.append(one)
                facts += [] if told is None else [told]
                if one.failure is not None:
                    note(f"Run {step.number} ({step.name}) is left out: {one.failure}")
        except KeyboardInterrupt:
            stopped = INTERRUPTED
            break
        except SystemExit:
            stopped = TERMINATED
            break
        order.append(step.ran)
        if stopped is not None:
            break
        try:
            keep_so_far(folder, KIND, judge(), label)
        except KeyboardInterrupt:
            stopped = INTERRUPTED
            break
    answer = judge()
    failed = any(each.failure for each in answer.runs)
    status = stopped if stopped is not None else FAILED if failed else 0
    return MeasuredSeries(answer, status, folder)


def with_size(solver: Solver | None, facts: Sequence[ProgramReport]) -> Solver | None:
    """The solver with the size of the system that its runs report."""
    told = next((each for each in facts if each.unknowns and each.nonzeros), None)
    if solver is None or told is None or told.unknowns is None or told.nonzeros is None:
        return solver
    integer = 8 if solver.long_integers else 4  # the default, where the program does not say
    moved = told.nonzeros * (8 + integer) + told.unknowns * integer
    return msgspec.structs.replace(
        solver, unknowns=told.unknowns, nonzeros=told.nonzeros, matrix_bytes=moved
    )


def _stream(
    step: Step, condition: Condition, threads: int, folder: Path | None, note: Note, *, wait: bool
) -> tuple[FreshRun, int | None]:
    """One run of the engine, and the exit status after a signal. ``note`` takes a failure."""
    turn = Turn(condition, step.round, step.number, step.total, step.file_stem)
    try:
        done = run_in_turn(
            [turn], folder=folder, before=lambda _: None, note=note, wait=wait, fail_together=False
        )
    except StreamgageError as failure:
        note(f"Run {step.number} ({step.name}) is left out: {failure}")
        return FreshRun(condition.name, step.round, Run(), str(failure), None), None
    if not done.runs:
        raise KeyboardInterrupt
    run = done.runs[0]
    wrong = None if run.failure else why_not(run.run, step.n * threads)
    if wrong is not None:
        note(f"Run {step.number} ({step.name}) is left out: {wrong}")
        run = replace(run, failure=wrong)
    return run, done.stopped


def _program(
    step: Step, case: Case, ready: Prepared, folder: Path | None, note: Note
) -> tuple[ProgramRun, ProgramReport | None]:
    """One run of a program: its times, and all that it reported where it is good."""
    looks = ProgramLooks()
    base = ProgramRun(step.n, step.round, {}, None, None, case=case.name, layouts=looks.layouts)
    if folder is None:
        return replace(base, failure="There is no folder for its log."), None
    kept, log = folder / f"{step.file_stem}.txt", folder / f"{step.file_stem}.log"
    try:
        done, taken = _run(step.n, case, ready, (log, kept), note, looks=looks)
        told = case.read(_reading(done, log, step.n, case, ready.asked))
    except OSError as error:
        failure = f"Its output cannot be stored or read: {error}."
    except (TimesError, StreamgageError) as refusal:
        failure = str(refusal)
    else:
        run = program_run(case.name, step.n, step.round, told, kept.name)
        return replace(run, taken=taken, layouts=looks.layouts), told
    return replace(base, failure=failure, kept=_set_aside(kept, log)), None


def _run(
    n: int,
    case: Case,
    ready: Prepared,
    files: tuple[Path, Path],
    note: Note,
    *,
    looks: ProgramLooks,
) -> tuple[ProgramEnd | None, tuple[float, float] | None]:
    """Run it with a file for its log and one for what it prints.

    The second value is the CPU time that other programs took during the run, as in ``ProgramRun``.
    Raises ``TimesError`` if it cannot run, and ``UsageError`` if it cannot be placed.
    """
    log, kept = files
    ranks, seconds = ready.asked.stream.ranks, ready.asked.most_seconds
    with case.around(note), call_of(n, case, ranks, ready.way, log) as (command, variables):
        watch = OthersWatch(_cpus_in_use(n, ready))
        try:
            done = run_for(command, seconds, variables=variables, kept=kept, looks=looks)
        except OSError as error:
            raise TimesError(f"It cannot be started: {error}.") from error
        return done, watch.taken()


def _cpus_in_use(n: int, ready: Prepared) -> Collection[int]:
    """The CPUs of this host that ``n`` workers have; none where they are on several hosts."""
    ranks, way = ready.asked.stream.ranks, ready.way
    if ranks is not None and ranks.hosts:
        return ()
    threads = 1 if ranks is None else ranks.threads
    return way.cpus[: n * threads] if way.kind == "cpus" else os.sched_getaffinity(0)


def _set_aside(*files: Path) -> str | None:
    """Give what a run that failed left names that are no run's; that of the first there is."""
    kept = []
    for file in files:
        if file.exists():
            with suppress(OSError):
                file = file.rename(f"{file}.failed")  # noqa: PLW2901 - it is that file
            kept.append(file.name)
    return next(iter(kept), None)


def program_run(
    case: str | None, n: int, number: int, told: ProgramReport, kept: str | None
) -> ProgramRun:
    """A successful run, in the form that the analysis uses."""
    return ProgramRun(
        n,
        number,
        {name: (each.seconds, each.count) for name, each in told.phases.items()},
        None,
        kept,
        case=case,
        residual=told.residual,
        distribution=told.distribution,
    )


def _reading(
    done: ProgramEnd | None, log: Path, n: int, case: Case, asked: StudyRequest
) -> Reading:
    if done is None:
        raise TimesError(f"The program did not end within {asked.most_seconds:.0f} s.")
    content = None
    if case.template.has_log and log.is_file():
        content = log.read_text("utf-8", "replace")
    return Reading(done.output, content, done.seconds, n, asked.by_ranks, done.status)
