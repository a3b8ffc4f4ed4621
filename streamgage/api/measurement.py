"""A measurement from its options to what is returned: what is said, kept, and in what order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypedDict, TypeVar

import msgspec

from streamgage.api.declaration import Default, Form, PythonOnly
from streamgage.api.ending import returned
from streamgage.api.notes import Notes
from streamgage.api.place import OWN, Place, destination_in
from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun, just_measured
from streamgage.api.values import LARGEST_SEED, Number, PathLike, as_path, whole_number
from streamgage.errors import FAILED, UsageError
from streamgage.process.engine import find_engine
from streamgage.records import Label
from streamgage.records.reader import Note
from streamgage.records.spool import Spool
from streamgage.results.document import Document
from streamgage.results.series import Turn
from streamgage.show.progress import RunsWatcher
from streamgage.store.destination import spool_of, store_run, store_series
from streamgage.store.load import Loaded

if TYPE_CHECKING:
    from streamgage.process.one_run import OneRun
    from streamgage.results.measure.judge import Answer

MOST_ROUNDS = 1_000
MOST_LABEL = 100
"""Characters."""
Planned_contra = TypeVar("Planned_contra", contravariant=True)
Measured_co = TypeVar("Measured_co", covariant=True)
Run = TypeVar("Run", bound=SeriesRun[Any])


class WaitOptions(TypedDict, total=False):
    """Options of every command that lets the engine run.

    Args:
        no_wait: Fail where another measurement runs, rather than wait.
        progress: Draw a bar, where stderr is a terminal or in a notebook, and print sentences such
            as that another measurement is waited for. They are in ``notes`` of the result, too.
    """

    no_wait: bool
    progress: Annotated[bool, Default(True), PythonOnly(True)]


class RunOptions(WaitOptions, total=False):
    """Options of every command that measures.

    Args:
        **WaitOptions
        store: Store of the results; default: $STREAMGAGE_STORE, else the user's own. In Python
            ``None`` keeps the result nowhere.
        label: Call the result so, in history, compare, reports and JSON.
    """

    store: Annotated[Place, Default(OWN)]
    label: Annotated[str | None, Form("TEXT")]


class PriorityOptions(TypedDict, total=False):
    """What a measurement does to the process that asks for it.

    Args:
        give_way: Give this process the lowest priority before its last run, as the command's has,
            so that it takes no turns from what is measured. It cannot get back what it had, and
            what it measures later would have the same.
    """

    give_way: Annotated[bool, PythonOnly(True)]


class OrderOptions(TypedDict, total=False):
    """In what order things are measured.

    Args:
        seed: Seed of the order of measuring.
    """

    seed: Number | None


class SeriesOptions(OrderOptions, RunOptions, PriorityOptions, total=False):
    """Options of what measures in rounds.

    Args:
        **OrderOptions
        **RunOptions
        **PriorityOptions
    """


@dataclass(frozen=True)
class Rounds:
    """How often everything is measured, and in what order."""

    number: int
    seed: int | None
    last: bool
    """Nothing is measured afterwards by this process."""


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


class Done(Protocol):
    """A series that has ended; ``folder`` has its files (null: they are nowhere)."""

    @property
    def answer(self) -> Document: ...
    @property
    def exit_status(self) -> int: ...
    @property
    def folder(self) -> Path | None: ...


class Measurement:
    """What is said during a measurement, where its result goes, and whether it waits."""

    def __init__(self, options: RunOptions) -> None:
        """Raises ``UsageError`` where there can be no such store."""
        self.notes = Notes(options["progress"])
        self.destination = destination_in(options["store"], self.notes)
        self.wait = not options["no_wait"]
        self.label = label_of(options["label"])

    def in_rounds(
        self, series: Series[Planned_contra, Measured_co], planned: Planned_contra, rounds: Rounds
    ) -> Measured_co:
        """The series measured, with a bar that shows every run."""
        with self.notes.bar() as shown:
            watcher = RunsWatcher(shown)
            return series(
                planned,
                rounds.number,
                seed=rounds.seed,
                before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
                note=self.notes,
                wait=self.wait,
                last=rounds.last,
            )

    def spool(self, records: PathLike | None) -> Spool:
        """Where the engine writes; ``records``: the file that the user named, if any.

        Raises ``UsageError``, before a file is made also where there is no engine.
        """
        find_engine()
        spool = spool_of(self.destination, as_path("--records", records), self.notes)
        if self.label is not None:
            spool.put(msgspec.json.encode(Label(text=self.label)) + b"\n")
        return spool

    def ending_of_run(
        self,
        document: Document | None,
        one: OneRun,
        *,
        records: PathLike | None,
        found: Answer | None = None,
    ) -> Ending:
        """How a single run ended, once it is stored; ``records`` as in ``spool``."""
        stored = store_run(
            self.destination, document, one, self.notes, named=records is not None, found=found
        )
        sentences = tuple(self.notes.sentences)
        return Ending(one.exit_status, one.failure, stored, self.destination, sentences)

    def returned(
        self, kind: Callable[[Loaded, Ending], Run], done: Done, *, failed: bool = False
    ) -> Run:
        """The result of a series, once it is stored; ``failed``: a part did that is in no run.

        Raises ``Interrupted`` where it was stopped.
        """
        answer = msgspec.structs.replace(done.answer, label=self.label)
        stored = store_series(
            self.destination, answer, done.folder, self.notes, exit_status=done.exit_status
        )
        status = done.exit_status or (FAILED if failed else 0)
        ending = Ending(status, None, stored, self.destination, tuple(self.notes.sentences))
        return returned(kind(just_measured(answer, ending), ending), ending)


def label_of(text: str | None) -> str | None:
    """What a result is called. Raises ``UsageError`` where that is empty, long or not one line."""
    if text is None:
        return None
    label = text.strip()
    if not label or not label.isprintable() or len(label) > MOST_LABEL:
        raise UsageError(
            f"--label {text[:MOST_LABEL]!r} is no label: write one line of at most {MOST_LABEL}"
            " characters, such as 'after the BIOS update'."
        )
    return label


def rounds_of(
    number: Number, options: OrderOptions, *, give_way: bool = False, option: str = "--rounds"
) -> Rounds:
    """As they were asked for. Raises ``UsageError``."""
    found = whole_number(option, number, 1, MOST_ROUNDS) or 1
    return Rounds(found, seed_of(options), give_way)


def seed_of(options: OrderOptions) -> int | None:
    """The seed, or null. Raises ``UsageError``."""
    return whole_number("--seed", options["seed"], 0, LARGEST_SEED)
