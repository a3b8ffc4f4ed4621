"""Carries out a measurement with its notes, its files, and its order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypedDict, TypeVar

import msgspec

from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun, just_measured
from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, StreamgageError
from streamgage.measurement.ending import MeasurementInterrupt, NothingMeasuredError, returned
from streamgage.measurement.look import OFF, wait_until_idle, warn_if_busy
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import CommandLineOnly, Default, PythonOnly
from streamgage.options.label import LabelOptions, label_in
from streamgage.options.place import OWN, Place, destination_in
from streamgage.options.values import (
    LARGEST_SEED,
    Duration,
    Number,
    PathLike,
    as_path,
    duration_of,
    whole_number,
)
from streamgage.process.engine import find_engine
from streamgage.records import Label
from streamgage.records.spool import CLOSED, Spool
from streamgage.results.kinds import result_of
from streamgage.results.result import Result
from streamgage.results.series import MeasuredSeries, Schedule
from streamgage.show.progress import RunsWatcher
from streamgage.store.destination import spool_of, store_run, store_series

if TYPE_CHECKING:
    from streamgage.process.one_run import OneRun

MOST_ROUNDS = 1_000
Planned_contra = TypeVar("Planned_contra", contravariant=True)
Measured_co = TypeVar("Measured_co", covariant=True)
Run = TypeVar("Run", bound=SeriesRun[Any])


class WaitOptions(TypedDict, total=False):
    """Options of every command that runs the engine.

    Args:
        no_wait: Fail if another measurement runs, instead of waiting for its end.
        progress: Draw a bar, on a terminal or in a notebook, and print notes, such as that another
            measurement is waited for. ``notes`` of the result has them, too.
    """

    no_wait: bool
    progress: Annotated[bool, Default(True), PythonOnly(True)]


class RunOptions(WaitOptions, LabelOptions, total=False):
    """Options of every command that measures.

    Args:
        **WaitOptions
        wait_idle: Wait until other programs leave the CPUs alone, at most this long, e.g. 5m;
            if they do not, measure nothing and fail. In Python seconds, too.
        store: Where results are stored, a file or postgresql://USER@HOST/DATABASE; default:
            $STREAMGAGE_STORE, else your own store. In Python ``None`` does not store the result.
        **LabelOptions
        strict: Exit with status 1 if the result is not quotable.
    """

    wait_idle: Duration | None
    store: Annotated[Place, Default(OWN)]
    strict: Annotated[bool, CommandLineOnly()]


class PriorityOptions(TypedDict, total=False):
    """Options for what a measurement changes in the calling process.

    Args:
        give_way: Give this process the lowest priority before its last run, as the command does.
            It then takes no CPU time from what is measured. The process keeps the low priority,
            and later measurements inherit it.
    """

    give_way: Annotated[bool, PythonOnly(True)]


class OrderOptions(TypedDict, total=False):
    """Options for the order of measuring.

    Args:
        seed: Seed for the random order of measuring.
    """

    seed: Number | None


class SeriesOptions(OrderOptions, RunOptions, PriorityOptions, total=False):
    """Options of commands that measure in rounds.

    Args:
        **OrderOptions
        **RunOptions
        **PriorityOptions
    """


@dataclass(frozen=True)
class Rounds:
    """The number of rounds, and the seed of their order."""

    number: int
    seed: int | None
    last: bool
    """``True`` if this process measures nothing afterwards."""


class Series(Protocol[Planned_contra, Measured_co]):
    """Measures everything planned, in rounds."""

    def __call__(
        self,
        planned: Planned_contra,
        schedule: Schedule,
        /,
    ) -> Measured_co: ...


class Measurement:
    """A measurement: its notes, the store for its result, and whether it waits for others."""

    def __init__(self, options: RunOptions) -> None:
        """Raises ``UsageError`` for a store that cannot exist."""
        self.notes = Notes(options["progress"])
        self.destination = destination_in(options["store"], self.notes)
        self.wait = not options["no_wait"]
        self.label = label_in(options)
        self._wait_idle = duration_of("--wait-idle", options["wait_idle"])

    def look(self) -> bool:
        """Watch the machine for one second and report if it is busy; or wait until it is idle.

        The report waits until the engine has accepted what it shall measure.

        Raises ``NothingMeasuredError`` if it is still busy when the wait ends, and
        ``MeasurementInterrupt`` if the wait is stopped.
        """
        try:
            if self._wait_idle is not None:
                wait_until_idle(self._wait_idle, self.notes, show=self.notes.show_wait)
                return False
            self.notes.hold()
            return os.environ.get("STREAMGAGE_LOAD_CHECK") != OFF and warn_if_busy(self.notes)
        except StreamgageError as failure:
            raise NothingMeasuredError(self._ended(failure.exit_status, failure)) from failure
        except KeyboardInterrupt as stopped:
            raise MeasurementInterrupt(None, self._ended(INTERRUPTED)) from stopped

    def _ended(self, status: int, failure: StreamgageError | None = None) -> Ending:
        """The ending of a measurement that failed before anything was measured."""
        notes = tuple(self.notes.sentences)
        return Ending(status, failure, destination=self.destination, notes=notes)

    def in_rounds(
        self, series: Series[Planned_contra, Measured_co], planned: Planned_contra, rounds: Rounds
    ) -> Measured_co:
        """Look at the machine, then measure the series under a bar that shows every run."""
        with self.notes.bar() as shown:
            self.look()
            watcher = RunsWatcher(shown)
            return series(planned, self.schedule(rounds, watcher))

    def schedule(self, rounds: Rounds, watcher: RunsWatcher) -> Schedule:
        """Make the schedule, which reports each run to ``watcher``, and sentences to the notes."""
        return Schedule(
            rounds.number,
            rounds.seed,
            before=lambda turn: watcher.starting(turn.number, turn.total, turn.condition.name),
            note=self.notes,
            wait=self.wait,
            last=rounds.last,
            label=self.label,
            runs=self.destination.runs,
        )

    @contextmanager
    def spool(self, records: PathLike | None) -> Iterator[Spool]:
        """Open the file to which the engine writes; ``records`` is the file that the user named.

        It is closed at the end; a new file is removed if nothing was measured. Raises
        ``UsageError``, also if there is no engine, before it makes a file.
        """
        find_engine()
        spool = spool_of(self.destination, as_path("--records", records), self.notes)
        try:
            if self.label is not None:
                spool.put(msgspec.json.encode(Label(text=self.label)) + b"\n")
            yield spool
        finally:
            if spool.descriptor != CLOSED:
                spool.close(worth_keeping=False)

    def ending_of_run(
        self,
        result: Result[Any] | None,
        one: OneRun,
        *,
        records: PathLike | None,
    ) -> Ending:
        """Store a single run and say how it ended; ``records`` is the file that the user named."""
        stored = store_run(self.destination, result, one, self.notes, named=records is not None)
        sentences = tuple(self.notes.sentences)
        status = one.exit_status or self.destination.status_of(stored)
        return Ending(status, one.failure, stored, self.destination, sentences)

    def returned(
        self,
        kind: Callable[[Result[Any], Ending], Run],
        done: MeasuredSeries[Any],
        *,
        failed: bool = False,
    ) -> Run:
        """Store a series and return its result. ``failed`` is true for a failure that no run shows.

        Raises ``MeasurementInterrupt`` if it was stopped.
        """
        stopped = done.exit_status in (INTERRUPTED, TERMINATED)
        document = msgspec.structs.replace(
            done.document, label=self.label, interrupted=done.document.interrupted or stopped
        )
        stored = store_series(
            self.destination, document, done.folder, self.notes, exit_status=done.exit_status
        )
        status = done.exit_status or (FAILED if failed else 0) or self.destination.status_of(stored)
        ending = Ending(status, None, stored, self.destination, tuple(self.notes.sentences))
        return returned(kind(just_measured(result_of(document), ending), ending), ending)


def rounds_of(
    number: Number, options: OrderOptions, *, give_way: bool = False, option: str = "--rounds"
) -> Rounds:
    """Return the rounds of these options. Raises ``UsageError`` for an unreadable number."""
    found = whole_number(option, number, 1, MOST_ROUNDS) or 1
    return Rounds(found, seed_of(options), give_way)


def seed_of(options: OrderOptions) -> int | None:
    """Return the seed, or ``None``. Raises ``UsageError`` for an unreadable one."""
    return whole_number("--seed", options["seed"], 0, LARGEST_SEED)
