"""What studies of programs have alike: STREAM's part, and the runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from streamgage.api.endings import Ending, returned
from streamgage.api.kept_series import Rounds, ending_of
from streamgage.api.notes import Notes
from streamgage.api.series import StudyRun, just_measured
from streamgage.api.values import Number, Size, as_counts, as_size, whole_number
from streamgage.errors import UsageError
from streamgage.process.ranks import Ranks
from streamgage.results.measure.experiment import Request
from streamgage.results.placement_names import placement_names
from streamgage.results.scale import experiment as scale
from streamgage.results.scale.plan import ScaleRequest
from streamgage.results.study import experiment as application
from streamgage.results.study.applications.case import Told
from streamgage.results.study.applications.petsc.cases import read_imported, read_imported_server
from streamgage.results.study.applications.times import Reading
from streamgage.results.study.imported import ImportRequest, import_study, is_server
from streamgage.show.runs_progress import RunsWatcher
from streamgage.store.keep import Keeping
from streamgage.store.load import Loaded

COMPACT = "compact"
ROUNDS = 5
LONGEST_TIMEOUT = 86_400 * 7
"""Seconds."""


@dataclass(frozen=True)
class Stream:
    """STREAM's part of a study, as it was asked for."""

    kernel: str
    size: Size | None
    counts: str | int | Iterable[int] | None
    binding: str

    def request(self, ranks: Ranks | None) -> ScaleRequest:
        """By these ranks, or by threads. Raises ``UsageError`` for what cannot be read."""
        if "," in self.kernel:
            raise UsageError("--kernel is one kernel: run the study for each.")
        names = placement_names(self.binding, "--binding")
        if len(names) != 1:
            raise UsageError("--binding is one way of placing workers: run the study for each.")
        return ScaleRequest(
            request=Request(
                kernels=self.kernel,
                stores="plain",
                size=as_size(self.size),
                tune="never",
                preset=scale.STANDARD,
                checks=False,
            ),
            counts=as_counts(self.counts),
            bindings=(names[0],),
            ranks=ranks,
        )


def seconds_of(timeout: Number | None) -> float:
    """``--timeout``. Raises ``UsageError``."""
    return whole_number("--timeout", timeout, 1, LONGEST_TIMEOUT) or 3600


def studied(
    asked: application.StudyRequest, how: Rounds, keeping: Keeping, notes: Notes
) -> StudyRun:
    """STREAM and the programs measured in turn, and kept.

    Raises ``UsageError``, and ``Interrupted`` where it was stopped.
    """
    ready = application.prepare(asked)
    with notes.bar() as shown:
        watcher = RunsWatcher(shown)
        done = application.measure_study(
            ready,
            how.number,
            seed=how.seed,
            before=lambda step: watcher.starting(step.number, step.total, step.name),
            note=notes,
            wait=how.wait,
        )
    ending = ending_of(done, keeping, notes)
    return returned(StudyRun(just_measured(done.answer, ending), ending), ending)


def imported(folder: Path, read: Callable[[Reading], Told], kernel: str, notes: Notes) -> StudyRun:
    """What others ran; ``read`` takes a run that is not of a server. Raises ``UsageError``."""
    general = partial(read_imported, read)

    def readers(name: str) -> Callable[[Reading], Told]:
        return read_imported_server if is_server(name) else general

    done = import_study(ImportRequest(folder, readers, kernel), notes)
    ending = Ending(done.exit_status, notes=tuple(notes.sentences))
    return StudyRun(Loaded(str(folder), done.answer), ending)
