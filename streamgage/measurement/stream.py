"""Plans STREAM's part of a study of a program, and runs both."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

from streamgage.api.runs import Ending
from streamgage.api.series import SeriesRun
from streamgage.errors import UsageError
from streamgage.measurement.measurement import Measurement, Rounds
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Default, Form
from streamgage.options.values import (
    KERNEL,
    NAME,
    Counts,
    Number,
    Size,
    bytes_of,
    names_of,
    whole_number,
)
from streamgage.process.ranks import Ranks
from streamgage.results.kinds import result_of
from streamgage.results.placement import placement_names
from streamgage.results.preset import make_plan
from streamgage.results.scale import experiment as scale
from streamgage.results.scale.counts import counts_of
from streamgage.results.scale.plan import ScaleRequest
from streamgage.results.study import experiment as application
from streamgage.results.study.applications.case import ProgramReport
from streamgage.results.study.applications.petsc.cases import read_imported, read_imported_server
from streamgage.results.study.applications.times import Reading
from streamgage.results.study.document import Study
from streamgage.results.study.import_folder import ImportRequest, import_study, is_server
from streamgage.show.progress import RunsWatcher

COMPACT = "compact"
ROUNDS = 5
LONGEST_TIMEOUT = 86_400 * 7
"""The longest ``--timeout`` in seconds."""


class StreamOptions(TypedDict, total=False):
    """Options for STREAM's part of a study.

    Args:
        n: Numbers of workers, e.g. 8 or 1,2,4; default: up to one per core.
        binding: How to place workers: compact, scatter, smt, none, omp-close, omp-spread, launcher,
            a placement expression, or options of a launcher ('openmpi:--bind-to core').
        kernel: Kernel of STREAM to measure.
        size: Size of each of STREAM's arrays; default: 4x the last-level caches.
    """

    n: Counts | None
    binding: Annotated[str, NAME, Default(COMPACT)]
    kernel: Annotated[str, KERNEL, Default("triad")]
    size: Size | None


class RepeatOptions(TypedDict, total=False):
    """Options for the runs of a study.

    Args:
        timeout: How many seconds one run may take (3600).
        rounds: Run STREAM and the program this many times for each n.
    """

    timeout: Annotated[Number | None, Form("S")]
    rounds: Annotated[Number, Default(ROUNDS)]


def stream_of(options: StreamOptions, ranks: Ranks | None) -> ScaleRequest:
    """Plan STREAM for these ranks, or for threads. Raises ``UsageError`` for wrong options."""
    if "," in options["kernel"]:
        raise UsageError("--kernel takes one kernel: run the study once for each.")
    names = placement_names(options["binding"], "--binding")
    if len(names) != 1:
        raise UsageError("--binding takes one placement: run the study once for each.")
    return ScaleRequest(
        plan=make_plan(
            scale.STANDARD,
            kernels=names_of("--kernel", options["kernel"]),
            stores=["plain"],
            array_bytes=bytes_of("--size", options["size"]),
        ),
        named=True,
        counts=None if options["n"] is None else counts_of(options["n"]),
        bindings=(names[0],),
        ranks=ranks,
    )


def seconds_of(timeout: Number | None) -> float:
    """Return the seconds of ``--timeout``. Raises ``UsageError`` for anything else."""
    return whole_number("--timeout", timeout, 1, LONGEST_TIMEOUT) or 3600


def run_study(
    request: application.StudyRequest, how: Rounds, measurement: Measurement
) -> SeriesRun[Study]:
    """Measure STREAM and the programs in turn, and store the study.

    Raises ``UsageError``, ``NothingMeasuredError`` if the machine did not become idle, and
    ``MeasurementInterrupt`` if it was stopped.
    """
    ready = application.prepare(request)
    with measurement.notes.bar() as shown:
        measurement.look()
        watcher = RunsWatcher(shown)
        done = application.measure_study(
            ready,
            how.number,
            seed=how.seed,
            before=lambda step: watcher.starting(step.number, step.total, step.name),
            note=measurement.notes,
            wait=measurement.wait,
            label=measurement.label,
            runs=measurement.destination.runs,
        )
    return measurement.returned(SeriesRun, done)


def read_study(
    folder: Path, read: Callable[[Reading], ProgramReport], kernel: str, notes: Notes
) -> SeriesRun[Study]:
    """Read the files of a study; ``read`` reads each run of the program itself, not of a server.

    Raises ``UsageError``.
    """
    general = partial(read_imported, read)

    def readers(name: str) -> Callable[[Reading], ProgramReport]:
        return read_imported_server if is_server(name) else general

    done = import_study(ImportRequest(folder, readers, kernel), notes)
    ending = Ending(done.exit_status, notes=tuple(notes.sentences))
    return SeriesRun(result_of(done.document, str(folder)), ending)
