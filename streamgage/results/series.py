"""Fresh processes of the engine under several conditions, in mixed order.

In each round every condition runs once, in a new random order. What drifts on the machine (clocks,
neighbours, fragmented memory) then affects all conditions equally, and rounds can be paired.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

import msgspec

from streamgage.analysis.outside import SPOILING, surely_taken
from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, USAGE, StreamgageError, UsageError
from streamgage.plan import Plan
from streamgage.process.one_run import OneRun, run_once
from streamgage.process.ranks import Ranks
from streamgage.records.files import open_next_to
from streamgage.records.reader import Note
from streamgage.records.run import collect
from streamgage.records.spool import Spool, new_spool, spool_in_memory
from streamgage.records.spool_folder import new_folder, runs_folder
from streamgage.results.document import Document
from streamgage.results.rounds import SeriesRun
from streamgage.units import count, format_share

FAILED_ALIKE = 5
"""A series ends if so many runs are its first, and all failed in the same words."""
_RUNS_A_SPARE = 10
"""One run in this many may be repeated."""


@dataclass(frozen=True)
class Condition:
    """One of the things that are compared: its plan, and the processes that follow it.

    ``ranks``: ``None`` for a single process. That process gets ``variables`` in its environment. It
    is ended if it prints nothing for ``most_silent_seconds`` (``None``: never).
    """

    name: str
    plan: Plan
    ranks: Ranks | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    most_silent_seconds: float | None = None


@dataclass(frozen=True)
class Turn:
    """A run that is about to start; ``number`` counts from 1 to ``total``.

    ``file_stem``: the stem of its records' file name; ``None`` makes it from the number and the
    condition.
    """

    condition: Condition
    round: int
    number: int
    total: int
    file_stem: str | None = None


@dataclass(frozen=True)
class FreshRuns:
    """The runs in the order in which they ran.

    ``stopped``: the exit status after a signal that ended the series.
    """

    runs: list[FreshRun]
    stopped: int | None


@dataclass(frozen=True)
class Schedule:
    """How often everything runs and in what order, and what to call on the way."""

    rounds: int
    seed: int | None
    """The seed for the order; ``None`` chooses one."""
    before: Callable[[Turn], None]
    """Called before each run."""
    note: Note
    wait: bool = True
    """``True`` to wait for another measurement to end."""
    last: bool = True
    """``True`` if this process measures nothing afterwards; see ``stream_records``."""
    label: str | None = None
    """The user's label for the result."""
    runs: Callable[[], Path | None] = runs_folder
    """Returns the folder for the runs' records; ``None`` is a temporary one."""


class SeriesDocument(Protocol):
    """A document that lists its runs."""

    @property
    def runs(self) -> Sequence[SeriesRun]: ...


D = TypeVar("D", bound=SeriesDocument)


@dataclass(frozen=True)
class MeasuredSeries(Generic[D]):
    """The document, the exit status of the series, and the folder of its records.

    ``folder``: ``None`` if there is none.
    """

    document: D
    exit_status: int
    folder: Path | None


def measure_series(
    kind: str,
    conditions: Sequence[Condition],
    schedule: Schedule,
    judge: Callable[[list[FreshRun], int], D],
    *,
    fail_together: bool = False,
    again: bool = False,
) -> MeasuredSeries[D]:
    """Run every condition once per round; ``judge`` makes a result from the runs and the seed.

    A run that fails is reported to the schedule's ``note`` and leaves a gap, and the exit status
    is 1. A signal ends the series; the result then has what was measured before. ``kind`` names the
    folder of the records. For ``fail_together``, ``again``, and for what is raised, see
    ``run_in_turn``.
    """
    seed = random.SystemRandom().randrange(1 << 32) if schedule.seed is None else schedule.seed
    with new_folder(kind, schedule.note, schedule.runs) as folder:

        def keep(runs: list[FreshRun]) -> None:
            keep_so_far(folder, kind, cast(Document, judge(runs, seed)), schedule.label)

        done = run_in_turn(
            list(turns(conditions, schedule.rounds, seed)),
            folder=folder,
            before=schedule.before,
            note=schedule.note,
            wait=schedule.wait,
            fail_together=fail_together,
            again=again,
            last=schedule.last,
            after=keep,
        )
    document = judge(done.runs, seed)
    failed = any(each.failure for each in document.runs)
    status = done.stopped if done.stopped is not None else FAILED if failed else 0
    return MeasuredSeries(document, status, folder)


def keep_so_far(folder: Path | None, kind: str, document: Document, label: str | None) -> None:
    """Write the result of the runs so far, which remains if this process is killed."""
    if folder is None:
        return
    kept = msgspec.structs.replace(document, label=label, interrupted=True)
    path = folder / f"{kind}.json"
    with suppress(OSError):  # the final result does not need it
        descriptor, new = open_next_to(path)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(kept) + b"\n")
        new.replace(path)


def turns(conditions: Sequence[Condition], rounds: int, seed: int) -> Iterator[Turn]:
    """Yield every condition once per round, in random order; the same seed gives the same order."""
    source = random.Random(seed)
    number = 0
    for each in range(1, rounds + 1):
        for condition in source.sample(list(conditions), len(conditions)):
            number += 1
            yield Turn(condition, each, number, rounds * len(conditions))


def run_in_turn(
    order: Sequence[Turn],
    *,
    folder: Path | None,
    before: Callable[[Turn], None],
    note: Note,
    wait: bool,
    fail_together: bool = True,
    again: bool = False,
    last: bool = True,
    after: Callable[[list[FreshRun]], None] = lambda _: None,
) -> FreshRuns:
    """Run each turn. If a run fails, report it to ``note`` and start the next one.

    ``folder`` gets the records, one file per run; ``None`` stores none. ``before`` is called before
    each run. ``after`` is called after each run that did not fail, with all runs so far. SIGINT and
    SIGTERM end the series, and the run that they stop has failed.

    ``fail_together``: if one run measures nothing, the others would not either. This function then
    raises the failure of a first run that measures nothing, and ``UsageError`` if the engine
    refuses a plan. Without ``fail_together`` the next run starts in both cases, and the first
    failure is raised only if no run has measured anything. The series ends if its first runs all
    fail in the same words.

    ``again``: repeat a run if other programs took much of its CPUs' time, and use the run from
    which they took less. This repeats at most a tenth of the runs, because a second run does not
    help where other programs are always active.

    ``last``: this process measures nothing afterwards; see ``stream_records``.
    """
    spare = max(1, len(order) // _RUNS_A_SPARE) if again else 0
    with _repeated(note) as repeated:
        return _run_all(
            order,
            folder=folder,
            before=before,
            note=note,
            wait=wait,
            fail_together=fail_together,
            spare=spare,
            repeated=repeated,
            last=last,
            after=after,
        )


@contextmanager
def _repeated(note: Note) -> Iterator[list[float]]:
    """Yield a list for the share of CPU time that others took from each repeated run.

    At the end, report the repeated runs in one line.
    """
    taken: list[float] = []
    try:
        yield taken
    finally:
        if taken:
            runs = count(len(taken), "run")
            was = "was" if len(taken) == 1 else "were"
            most = f"{'up to ' if len(taken) > 1 else ''}{format_share(max(taken))}"
            note(f"{runs} {was} disturbed (others took {most} of the CPUs' time) and repeated.")


def _run_all(
    order: Sequence[Turn],
    *,
    folder: Path | None,
    before: Callable[[Turn], None],
    note: Note,
    wait: bool,
    fail_together: bool,
    spare: int,
    repeated: list[float],
    last: bool,
    after: Callable[[list[FreshRun]], None],
) -> FreshRuns:
    """See ``run_in_turn``. ``spare``: the number of runs that may be repeated."""
    runs: list[FreshRun] = []
    failures: list[StreamgageError] = []
    unreported: list[tuple[Turn, FreshRun]] = []
    for turn in order:
        try:
            before(turn)
            final = last and turn.number == turn.total
            engine_run = _run(turn, folder, note, wait=wait, last=final and spare == 0)
            taken = surely_taken(engine_run.run)
            if spare > 0 and engine_run.exit_status == 0 and taken > SPOILING:
                spare -= 1
                repeated.append(taken)
                other_file = replace(turn, file_stem=f"{turn.number:04}-again")
                second = _run(other_file, folder, note, wait=wait, last=final)
                if _is_better(second, taken):
                    engine_run = second
        except KeyboardInterrupt:  # between two processes
            return FreshRuns(runs, INTERRUPTED)
        fresh = _fresh(turn, engine_run)
        runs.append(fresh)
        if engine_run.exit_status in (INTERRUPTED, TERMINATED):
            return FreshRuns(runs, engine_run.exit_status)
        if engine_run.failure is not None and not engine_run.run.samples:
            failures.append(engine_run.failure)
            if fail_together and (turn.number == 1 or isinstance(engine_run.failure, UsageError)):
                raise engine_run.failure
        try:
            if fresh.failure is None:
                after(runs)
        except KeyboardInterrupt:
            return FreshRuns(runs, INTERRUPTED)
        unreported.append((turn, fresh))
        if len(failures) < len(runs):  # otherwise one sentence may report all failures
            _report_failures(unreported, note)
            unreported.clear()
        if is_hopeless([each.failure for each in runs]) and turn.number < turn.total:
            note(given_up(turn.total - turn.number))
            break
    if failures and len(failures) == len(runs):
        raise failures[0]
    return FreshRuns(runs, None)


def is_hopeless(failures: Sequence[str | None]) -> bool:
    """Return whether these are the first runs and all failed alike, as then the others would."""
    return len(failures) == FAILED_ALIKE and None not in failures and len(set(failures)) == 1


def given_up(left: int, what: str = "runs") -> str:
    """The sentence that says how many runs were not started."""
    return (
        f"The first {FAILED_ALIKE} {what} all failed in the same words, so the"
        f" {count(left, 'run')} left {'was' if left == 1 else 'were'} not started."
    )


def _is_better(second: OneRun, taken: float) -> bool:
    """Return whether the second run replaces the first, from which others took ``taken``.

    A stopped run also counts.
    """
    if second.exit_status != 0:
        return second.exit_status in (INTERRUPTED, TERMINATED)
    return surely_taken(second.run) < taken


def _report_failures(ended: Sequence[tuple[Turn, FreshRun]], note: Note) -> None:
    for turn, run in ended:
        if run.failure is not None:
            note(f"Run {turn.number} ({turn.condition.name}) is left out: {run.failure}")


def _run(turn: Turn, folder: Path | None, note: Note, *, wait: bool, last: bool) -> OneRun:
    """Run one process. If the engine refuses the plan, the run has failed."""
    try:
        return run_once(
            turn.condition.plan,
            spool=_spool(folder, turn, note),
            watch=lambda _: None,
            note=note,
            wait=wait,
            last=last,
            ranks=turn.condition.ranks,
            variables=turn.condition.variables,
            most_silent_seconds=turn.condition.most_silent_seconds,
        )
    except UsageError as refusal:
        return OneRun(collect([]), USAGE, None, refusal)


def _fresh(turn: Turn, engine_run: OneRun) -> FreshRun:
    file = None if engine_run.records_file is None else engine_run.records_file.name
    return FreshRun(turn.condition.name, turn.round, engine_run.run, _failure(engine_run), file)


def _failure(engine_run: OneRun) -> str | None:
    if engine_run.exit_status in (INTERRUPTED, TERMINATED):
        return "It was stopped."
    if engine_run.failure is not None:
        return str(engine_run.failure)
    if engine_run.exit_status == 0:
        return None
    if engine_run.run.kernel_failures:
        return engine_run.run.kernel_failures[0].message
    message = engine_run.run.end.message if engine_run.run.end else None
    return message or "It ended without a valid result."


def _spool(folder: Path | None, turn: Turn, note: Note) -> Spool:
    if folder is None:
        return spool_in_memory()
    plain = re.sub(r"[^A-Za-z0-9]+", "_", turn.condition.name)[:40]
    path = folder / f"{turn.file_stem or f'{turn.number:04}-{plain}'}.jsonl"
    try:
        return new_spool(path)
    except OSError as error:
        note(f"{path} cannot be written ({error.strerror}): the records are not kept.")
        return spool_in_memory()
