"""Fresh processes of the engine under several conditions, in mixed order.

In each round every condition runs once, in a new random order, so that what drifts on the machine
(clocks, neighbours, fragmented memory) is in all conditions alike, and rounds can be paired.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgage.analysis.statistics.rounds import FreshRun
from streamgage.errors import INTERRUPTED, TERMINATED, USAGE, StreamgageError, UsageError
from streamgage.plan import Plan
from streamgage.process.one_run import OneRun, run_once
from streamgage.process.ranks import Ranks
from streamgage.records.reader import Note
from streamgage.records.run import collect
from streamgage.records.spool import Spool, spool_in, spool_in_memory


@dataclass(frozen=True)
class Condition:
    """One of the things that are compared: its plan, and who follows it.

    ``ranks``: null for one process, for which ``variables`` of the environment are set, and which
    is ended where it prints nothing for ``most_silent_seconds`` (null: never).
    """

    name: str
    plan: Plan
    ranks: Ranks | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    most_silent_seconds: float | None = None


@dataclass(frozen=True)
class Turn:
    """A run that is about to start; ``number`` is from 1, of ``total``.

    ``file_stem``: of the file of its records; null: by its number and its condition.
    """

    condition: Condition
    round: int
    number: int
    total: int
    file_stem: str | None = None


@dataclass(frozen=True)
class FreshRuns:
    """What ran, in that order; ``stopped`` is the exit status after a signal that ended it."""

    runs: list[FreshRun]
    stopped: int | None


def turns(conditions: Sequence[Condition], rounds: int, seed: int) -> Iterator[Turn]:
    """Every condition once a round, in random order; the same seed gives the same order."""
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
    alike: bool = True,
    last: bool = True,
) -> FreshRuns:
    """Run each turn; a run that fails goes to ``note`` and the next one goes on.

    Records are kept in ``folder``, a file a run (null: not at all); ``before`` is called ahead of
    each run. SIGINT and SIGTERM end the series, and the run that they cut short has failed. Raises
    ``UsageError`` where the engine refuses a plan, and the failure of a first run that measures
    nothing: so would the others, which are ``alike``. Where they are not, the next one goes on then
    too, and the first failure is raised only where none has measured anything. ``last``: whether
    this process measures nothing afterwards; see ``stream_records``.
    """
    runs: list[FreshRun] = []
    failures: list[StreamgageError] = []
    untold: list[tuple[Turn, FreshRun]] = []
    for turn in order:
        try:
            before(turn)
            one = _run(turn, folder, note, wait=wait, last=last and turn.number == turn.total)
        except KeyboardInterrupt:  # between two processes
            return FreshRuns(runs, INTERRUPTED)
        fresh = _fresh(turn, one)
        runs.append(fresh)
        if one.exit_status in (INTERRUPTED, TERMINATED):
            return FreshRuns(runs, one.exit_status)
        if one.failure is not None and not one.run.samples:
            failures.append(one.failure)
            if alike and (turn.number == 1 or isinstance(one.failure, UsageError)):
                raise one.failure
        untold.append((turn, fresh))
        if len(failures) < len(runs):  # else one sentence may report all
            _report_failures(untold, note)
            untold.clear()
    if failures and len(failures) == len(runs):
        raise failures[0]
    return FreshRuns(runs, None)


def _report_failures(ended: Sequence[tuple[Turn, FreshRun]], note: Note) -> None:
    for turn, run in ended:
        if run.failure is not None:
            note(f"Run {turn.number} ({turn.condition.name}) is left out: {run.failure}")


def _run(turn: Turn, folder: Path | None, note: Note, *, wait: bool, last: bool) -> OneRun:
    """One process; a plan that the engine refuses is a run that failed."""
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


def _fresh(turn: Turn, one: OneRun) -> FreshRun:
    file = None if one.records_file is None else one.records_file.name
    return FreshRun(turn.condition.name, turn.round, one.run, _failure(one), file)


def _failure(one: OneRun) -> str | None:
    if one.exit_status in (INTERRUPTED, TERMINATED):
        return "It was stopped."
    if one.failure is not None:
        return str(one.failure)
    if one.exit_status == 0:
        return None
    if one.run.kernel_failures:
        return one.run.kernel_failures[0].message
    message = one.run.end.message if one.run.end else None
    return message or "It ended without a result that is valid."


def _spool(folder: Path | None, turn: Turn, note: Note) -> Spool:
    if folder is None:
        return spool_in_memory()
    plain = re.sub(r"[^A-Za-z0-9]+", "_", turn.condition.name)[:40]
    path = folder / f"{turn.file_stem or f'{turn.number:04}-{plain}'}.jsonl"
    try:
        return spool_in(path, note)
    except OSError as error:
        note(f"{path} cannot be written ({error.strerror}): the records are not kept.")
        return spool_in_memory()
