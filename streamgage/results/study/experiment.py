"""Runs a program and STREAM in turn, with the same workers on the same CPUs."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack, cast

import msgspec

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, StreamgageError, UsageError
from streamgage.process.cpu_time import OthersWatch
from streamgage.process.program import ProgramEnd, run_for
from streamgage.process.program_places import ProgramLooks
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.records.spool_folder import new_folder
from streamgage.results.document import Document
from streamgage.results.scale.experiment import with_one_size
from streamgage.results.scale.judge import why_not
from streamgage.results.scale.placements import Way
from streamgage.results.scale.plan import ScaleRequest, Scales, scales_of_this_machine
from streamgage.results.series import (
    Condition,
    MeasuredSeries,
    SeriesDocument,
    Turn,
    given_up,
    is_hopeless,
    keep_so_far,
    run_in_turn,
)
from streamgage.results.study.applications import TimesError
from streamgage.results.study.applications.case import Case, ProgramReport
from streamgage.results.study.applications.times import Reading
from streamgage.results.study.call import call_of
from streamgage.results.study.document import Case as StudiedCase
from streamgage.results.study.document import Solver, Study
from streamgage.results.study.judge import ProgramRun, RunKey, StudySetup, judge_study
from streamgage.units import count

D = TypeVar("D", bound=SeriesDocument)
KIND = "study"
"""The name of these series' folders."""


@dataclass(frozen=True)
class StudyRequest:
    """The user's request."""

    cases: tuple[Case, ...]
    """The programs, at least one. Either all of them run with ranks, or none does."""
    stream: ScaleRequest
    most_seconds: float = 3600.0
    """The longest time of one run of a program, in seconds."""
    solver: Solver | None = None

    @property
    def by_ranks(self) -> bool:
        """``True`` if a launcher starts the workers."""
        return self.cases[0].template.has_ranks


@dataclass(frozen=True)
class StudyPlan:
    """STREAM's points, and how the programs are called at each of them."""

    request: StudyRequest
    scales: Scales
    way: Way


@dataclass(frozen=True)
class Step:
    """A run that is about to start; ``number`` counts from 1 to ``total``."""

    case: Case | None
    """The program to run; ``None`` stands for STREAM."""
    n: int
    round: int
    number: int
    total: int

    @property
    def name(self) -> str:
        """The name of the run, such as ``program, 2``."""
        return f"{self.what}, {self.n}"

    @property
    def what(self) -> str:
        """The name of the program, or STREAM."""
        return "STREAM" if self.case is None else self.case.name or "program"

    @property
    def file_stem(self) -> str:
        """The stem of its files' names, which ``program --import`` reads."""
        return f"{'stream' if self.case is None else self.case.file_name}-{self.n}-{self.round}"

    @property
    def run_key(self) -> RunKey:
        """The name, the number of workers and the round, which identify the run in the analysis."""
        if self.case is None:
            return RunKey("stream", self.n, self.round)
        return RunKey("program", self.n, self.round, self.case.name)


def prepare(request: StudyRequest) -> StudyPlan:
    """Choose the points of a study. Raises ``UsageError`` if a part of the request is wrong."""
    for case in request.cases:
        program = case.template.words[0]
        if not case.template.has_ranks and shutil.which(program) is None:
            raise UsageError(f"{program} cannot be started: give its path, or install it.")
    scales = scales_of_this_machine(request.stream)
    for case in request.cases:
        if all(n < case.fewest for n in scales.counts):
            raise UsageError(
                f"The {case.name} needs {count(case.fewest, 'rank')}: name more with --ranks."
            )
    way = scales.series[0].way
    if way.kind == "cores":
        raise UsageError(
            f"--cpus {way.name} is streamgage's own way for its threads: name compact, scatter,"
            " smt, none or an expression for a program."
        )
    return StudyPlan(request, scales, way)


def steps(cases: Sequence[Case], counts: Sequence[int], rounds: int, seed: int) -> Iterator[Step]:
    """Yield STREAM and each program with each number of workers once per round, in random order."""
    source = random.Random(seed)
    points = [
        (case, n) for n in counts for case in (None, *cases) if case is None or n >= case.fewest
    ]
    number = 0
    for each in range(1, rounds + 1):
        for case, n in source.sample(points, len(points)):
            number += 1
            yield Step(case, n, each, number, rounds * len(points))


@dataclass(frozen=True)
class RunsSoFar:
    """The runs of a series until now, from which its result is judged."""

    stream: Sequence[tuple[int, FreshRun]]
    """STREAM's runs, each with its number of workers."""
    program: Sequence[ProgramRun]
    order: Sequence[RunKey]
    """The runs in the order in which they ran."""
    facts: Sequence[ProgramReport]
    scales: Scales
    seed: int


class RunsWay(TypedDict):
    """How the runs of a program next to STREAM are made."""

    seed: int | None
    before: Callable[[Step], None]
    """Called ahead of each run."""
    note: Note
    """Gets each run that fails."""
    wait: bool
    """Whether to wait for another measurement, or to fail."""
    label: str | None
    runs: Callable[[], Path | None]


def measure_study(ready: StudyPlan, rounds: int, **way: Unpack[RunsWay]) -> MeasuredSeries[Study]:
    """Run STREAM and the programs in turn; see ``measure_with_stream``."""

    def judge(done: RunsSoFar) -> Study:
        scales = done.scales
        setup = StudySetup(
            cases=tuple(
                StudiedCase(name=each.name, command=list(each.template.words))
                for each in ready.request.cases
            ),
            workers=scales.workers,
            threads_per_worker=scales.threads,
            launcher=scales.launcher,
            placement=ready.way.name,
            rounds=rounds,
            seed=done.seed,
            counts=tuple(scales.counts),
            left_out=tuple(scales.left_out),
            solver=with_size(ready.request.solver, done.facts),
        )
        return judge_study(done.stream, done.program, done.order, setup, scales.machine)

    return measure_with_stream(KIND, ready, rounds, judge, **way)


def measure_with_stream(
    kind: str,
    ready: StudyPlan,
    rounds: int,
    judge: Callable[[RunsSoFar], D],
    **way: Unpack[RunsWay],
) -> MeasuredSeries[D]:
    """Run STREAM and the programs in turn.

    A run that fails is reported and leaves a gap, and the exit status is 1. A signal ends the
    series; the result then has what was measured before. ``kind`` names the folder.
    """
    seed, note, wait = way["seed"], way["note"], way["wait"]
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    scales = with_one_size(ready.scales, note=note, wait=wait)
    conditions = {scales.points[each.name].n: each for each in scales.conditions}
    stream: list[tuple[int, FreshRun]] = []
    program: list[ProgramRun] = []
    order: list[RunKey] = []
    facts: list[ProgramReport] = []
    so_far = RunsSoFar(stream, program, order, facts, scales, chosen)
    stopped: int | None = None
    with new_folder(kind, note, way["runs"]) as folder:
        for step in steps(ready.request.cases, scales.counts, rounds, chosen):
            try:
                way["before"](step)
                if step.case is None:
                    run, stopped = _stream(
                        step, conditions[step.n], scales.threads, folder, note, wait=wait
                    )
                    stream.append((step.n, run))
                else:
                    one, report = _program(step, step.case, ready, folder, note)
                    program.append(one)
                    facts += [] if report is None else [report]
                    if one.failure is not None:
                        note(f"Run {step.number} ({step.name}) is left out: {one.failure}")
            except KeyboardInterrupt:
                stopped = INTERRUPTED
                break
            except SystemExit:
                stopped = TERMINATED
                break
            order.append(step.run_key)
            if stopped is not None:
                break
            own = None if step.case is None else step.case.name
            failures = (
                [each.failure for _, each in stream]
                if step.case is None
                else [each.failure for each in program if each.case == own]
            )
            if is_hopeless(failures) and step.number < step.total:
                note(given_up(step.total - step.number, f"runs of {step.what}"))
                break
            try:
                keep_so_far(folder, kind, cast(Document, judge(so_far)), way["label"])
            except KeyboardInterrupt:
                stopped = INTERRUPTED
                break
    answer = judge(so_far)
    failed = any(each.failure for each in answer.runs)
    status = stopped if stopped is not None else FAILED if failed else 0
    return MeasuredSeries(answer, status, folder)


def with_size(solver: Solver | None, facts: Sequence[ProgramReport]) -> Solver | None:
    """The solver with the size of the system that its runs report."""
    report = next((each for each in facts if each.unknowns and each.nonzeros), None)
    if solver is None or report is None or report.unknowns is None or report.nonzeros is None:
        return solver
    integer = 8 if solver.long_integers else 4  # the default, if the program does not report it
    moved = report.nonzeros * (8 + integer) + report.unknowns * integer
    return msgspec.structs.replace(
        solver, unknowns=report.unknowns, nonzeros=report.nonzeros, matrix_bytes=moved
    )


def _stream(
    step: Step, condition: Condition, threads: int, folder: Path | None, note: Note, *, wait: bool
) -> tuple[FreshRun, int | None]:
    """Run the engine once; return also the exit status after a signal. ``note`` gets a failure."""
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
    step: Step, case: Case, ready: StudyPlan, folder: Path | None, note: Note
) -> tuple[ProgramRun, ProgramReport | None]:
    """Run a program once; return its times, and everything that it reported if it succeeded."""
    looks = ProgramLooks()
    base = ProgramRun(step.n, step.round, {}, None, None, case=case.name, layouts=looks.layouts)
    if folder is None:
        return replace(base, failure="There is no folder for its log."), None
    kept, log = folder / f"{step.file_stem}.txt", folder / f"{step.file_stem}.log"
    try:
        done, taken = _run(step.n, case, ready, (log, kept), note, looks=looks)
        report = case.read(_reading(done, log, step.n, case, ready.request))
    except OSError as error:
        failure = f"Its output cannot be stored or read: {error}."
    except (TimesError, StreamgageError) as refusal:
        failure = str(refusal)
    else:
        run = program_run(case.name, step.n, step.round, report, kept.name)
        used = None if done is None else (done.cpu_seconds, done.seconds)
        return replace(run, taken=taken, layouts=looks.layouts, used=used), report
    return replace(base, failure=failure, kept=_set_aside(kept, log)), None


def _run(
    n: int,
    case: Case,
    ready: StudyPlan,
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
    ranks, seconds = ready.request.stream.ranks, ready.request.most_seconds
    with case.around(note), call_of(n, case, ranks, ready.way, log) as (command, variables):
        watch = OthersWatch(_cpus_in_use(n, ready))
        try:
            done = run_for(command, seconds, variables=variables, kept=kept, looks=looks)
        except OSError as error:
            raise TimesError(f"It cannot be started: {error}.") from error
        return done, watch.taken()


def _cpus_in_use(n: int, ready: StudyPlan) -> Collection[int]:
    """The CPUs of this host that ``n`` workers use; empty if they run on several hosts."""
    ranks, way = ready.request.stream.ranks, ready.way
    if ranks is not None and ranks.hosts:
        return ()
    threads = 1 if ranks is None else ranks.threads
    return way.cpus[: n * threads] if way.kind == "cpus" else os.sched_getaffinity(0)


def _set_aside(*files: Path) -> str | None:
    """Rename the files of a failed run so that they do not count; return the first new name."""
    kept = []
    for file in files:
        if file.exists():
            with suppress(OSError):
                file = file.rename(f"{file}.failed")  # noqa: PLW2901 - the file after renaming
            kept.append(file.name)
    return next(iter(kept), None)


def program_run(
    case: str | None, n: int, number: int, report: ProgramReport, kept: str | None
) -> ProgramRun:
    """Make the record of a successful run for the analysis."""
    return ProgramRun(
        n,
        number,
        {name: (each.seconds, each.count) for name, each in report.phases.items()},
        None,
        kept,
        case=case,
        residual=report.residual,
        distribution=report.distribution,
        rate=report.rate,
    )


def _reading(
    done: ProgramEnd | None, log: Path, n: int, case: Case, asked: StudyRequest
) -> Reading:
    if done is None:
        raise TimesError(f"The program did not end within {asked.most_seconds:g} s.")
    content = None
    if case.template.has_log and log.is_file():
        content = log.read_text("utf-8", "replace")
    return Reading(done.output, content, done.seconds, n, asked.by_ranks, done.status)
