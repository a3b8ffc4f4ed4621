"""A series: its runs in turn, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from streamgage.api.endings import Ending
from streamgage.api.notes import Notes
from streamgage.api.values import LARGEST_SEED, Number, whole_number
from streamgage.errors import FAILED
from streamgage.records.reader import Note
from streamgage.results.document import Document
from streamgage.results.series import Turn
from streamgage.show.runs_progress import RunsWatcher
from streamgage.store.keep import Keeping, keep_series

MOST_ROUNDS = 1_000
Planned_contra = TypeVar("Planned_contra", contravariant=True)
Measured_co = TypeVar("Measured_co", covariant=True)


@dataclass(frozen=True)
class Rounds:
    """How often everything is measured, and in what order; ``wait``: for other measurements."""

    number: int
    seed: int | None
    wait: bool
    last: bool


class Series(Protocol[Planned_contra, Measured_co]):
    """What measures all that was planned, in rounds."""

    def __call__(
        self,
        planned: Planned_contra,
        rounds: int,
        /,
        *,
        seed: int | None,
        before: Callable[[Turn], None],
        note: Note,
        wait: bool,
        last: bool,
    ) -> Measured_co: ...


def given_rounds(
    rounds: Number,
    seed: Number | None,
    *,
    no_wait: bool,
    give_way: bool,
    option: str = "--rounds",
) -> Rounds:
    """As they were asked for. Raises ``UsageError``."""
    number = whole_number(option, rounds, 1, MOST_ROUNDS) or 1
    chosen = whole_number("--seed", seed, 0, LARGEST_SEED)
    return Rounds(number, chosen, wait=not no_wait, last=give_way)


def in_rounds(
    series: Series[Planned_contra, Measured_co],
    planned: Planned_contra,
    rounds: Rounds,
    notes: Notes,
) -> Measured_co:
    """The series measured, with a bar that tells of every run."""
    with notes.bar() as shown:
        watcher = RunsWatcher(shown)
        return series(
            planned,
            rounds.number,
            seed=rounds.seed,
            before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
            note=notes,
            wait=rounds.wait,
            last=rounds.last,
        )


class Done(Protocol):
    """A series that has ended; ``folder`` has its files (null: they are nowhere)."""

    @property
    def answer(self) -> Document: ...
    @property
    def exit_status(self) -> int: ...
    @property
    def folder(self) -> Path | None: ...


def ending_of(done: Done, keeping: Keeping, notes: Notes, *, failed: bool = False) -> Ending:
    """How it ended, once it is kept; ``failed``: a part did that is in no run."""
    kept = keep_series(keeping, done.answer, done.folder, notes, exit_status=done.exit_status)
    status = done.exit_status or (FAILED if failed else 0)
    return Ending(status, None, kept, keeping, tuple(notes.sentences))
