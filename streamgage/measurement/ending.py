"""Exceptions of a measurement that has no result to return."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from streamgage.api.device_runs import DeviceRuns
from streamgage.api.runs import BaseRun, Ending
from streamgage.errors import StreamgageError
from streamgage.measurement.notes import Notes
from streamgage.store.destination import Destination, StoredResult

Result = TypeVar("Result", bound=BaseRun[Any])


class NothingMeasuredError(StreamgageError):
    """A measurement failed before it had a result; ``ending`` says how."""

    def __init__(self, ending: Ending) -> None:
        """Store the sentence and exit status of the failure."""
        super().__init__(str(ending.failure or "Nothing was measured."))
        self.ending = ending
        self.exit_status = ending.exit_status or self.exit_status


class MeasurementInterrupt(KeyboardInterrupt):
    """A measurement was stopped by SIGINT or SIGTERM.

    ``run`` has what was measured before (``None``: nothing). It is stored, too; ``ending`` says
    where.
    """

    def __init__(self, run: BaseRun[Any] | DeviceRuns | None, ending: Ending) -> None:
        """Store the run, if there is one, and how it ended."""
        super().__init__("The measurement was stopped; what was measured until then is in .run.")
        self.run = run
        self.ending = ending


def returned(run: Result | None, ending: Ending) -> Result:
    """Return the run.

    Raises ``MeasurementInterrupt`` if it was stopped, ``NothingMeasuredError`` if there is none.
    """
    if ending.stopped:
        raise MeasurementInterrupt(run, ending) from ending.failure
    if run is None:
        raise NothingMeasuredError(ending) from ending.failure
    return run


@contextmanager
def ended_as_a_run(notes: Notes, destination: Destination) -> Iterator[None]:
    """Raise ``MeasurementInterrupt`` if the preparation of a run is stopped."""
    try:
        yield
    except StreamgageError as error:
        ending = Ending(
            error.exit_status, error, StoredResult(), destination, tuple(notes.sentences)
        )
        if ending.stopped:
            raise MeasurementInterrupt(None, ending) from error
        raise
