"""One of the programs that run next to STREAM: how to call it, and how to read its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from streamgage.analysis.user_pattern import UserPattern
from streamgage.errors import UsageError
from streamgage.records.reader import Note
from streamgage.results.study.applications.template import Template
from streamgage.results.study.applications.times import (
    PhaseTime,
    Reading,
    Source,
    TimesError,
    ended_well,
    read_times,
)


@dataclass(frozen=True)
class ProgramReport:
    """The report of a successful run: the seconds of each phase, and facts about the solve."""

    phases: Mapping[str, PhaseTime]
    residual: float | None = None
    """The residual relative to the right-hand side; ``None`` if the program does not check it."""
    distribution: tuple[float, float] | None = None
    """The seconds of handing a system to a server's ranks, and of everything that the server did
    for it."""
    unknowns: int | None = None
    nonzeros: int | None = None
    petsc: str | None = None
    """The version of PETSc, if the program reports it. ``debug``: whether it was built with
    debugging."""
    debug: bool = False
    rate: float | None = None
    """The rate that it printed; ``None`` if none was looked for."""


def _nobody(_note: Note) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True)
class Case:
    """A program to run. ``name`` is ``None`` if there is only one."""

    name: str | None
    template: Template
    read: Callable[[Reading], ProgramReport]
    """Reads a run. Raises ``TimesError`` if the run failed, or its times are not available."""
    fewest: int = 1
    """The fewest workers that it can have. If this is above 1, its speedups are over one worker of
    the first case."""
    first_has_all: bool = False
    """``True`` if the first rank's threads use all CPUs while the other ranks wait for it."""
    around: Callable[[Note], AbstractContextManager[None]] = field(default=_nobody)
    """A context in which it runs. Raises ``TimesError`` if it must not run now."""

    @property
    def file_name(self) -> str:
        """The start of the names of its files."""
        return "program" if self.name is None else self.name.replace(" ", "-")


def case_of(
    template: Template,
    source: Source,
    pattern: UserPattern | None,
    check: UserPattern | None,
) -> Case:
    """Make the case for any program. Raises ``UsageError`` if its times cannot come from there."""
    if source is Source.PETSC and not template.has_log:
        raise UsageError(
            "--time petsc reads the file of {log}: write -log_view :{log}:ascii_csv into the"
            " command."
        )
    return Case(None, template, reader_of(source, pattern, check, wants_log=template.has_log))


def reader_of(
    source: Source,
    pattern: UserPattern | None,
    check: UserPattern | None,
    *,
    wants_log: bool,
) -> Callable[[Reading], ProgramReport]:
    """Make a reader for the times of any program's run; ``check`` must match its output.

    Raises ``UsageError`` if two sources are named.
    """
    if source is not Source.AUTO and pattern is not None:
        raise UsageError("--time and --time-regex both say where times come from: leave one out.")

    def read(reading: Reading) -> ProgramReport:
        ended_well(reading)
        if check is not None and not check.matches(reading.printed, most=1):
            raise TimesError("--check-regex matches nothing of what the program printed.")
        if wants_log and reading.log is None:
            raise TimesError("The program wrote no {log}.")
        return ProgramReport(read_times(reading, source, pattern))

    return read
