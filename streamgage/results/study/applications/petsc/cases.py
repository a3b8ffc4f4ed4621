"""The programs in a study of PETSc: the solve by all ranks, and the solve by its server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.results.study.applications.case import Case, ProgramReport
from streamgage.results.study.applications.petsc.library import Petsc
from streamgage.results.study.applications.petsc.report import (
    SolveReport,
    error_of,
    read_report,
    refuse_bad,
)
from streamgage.results.study.applications.petsc.segments import alone_with_segments
from streamgage.results.study.applications.petsc.server import (
    DISTRIBUTION,
    Mode,
    modes_of,
    read_statistics,
    server_options,
)
from streamgage.results.study.applications.template import MPIEXEC, Template
from streamgage.results.study.applications.times import (
    EVENTS,
    SERVER_STAGE,
    PhaseTime,
    Reading,
    TimesError,
    ended_well,
    read_petsc_log,
)

DIRECT = "direct"
"""The name of the case in which every rank assembles and solves its part."""
MOST_REFINED = 8
_RTOL = 1e-5
"""PETSc's default of -ksp_rtol."""
_ALLOWED = 100.0
"""The residual may exceed the tolerance by this factor: GMRES watches the preconditioned
residual."""
_OF_OTHERS = 0.1
"""The largest residual and error of a run by others, whose tolerance is unknown."""
_FEWEST_ROWS = 100
"""The least number of rows for each rank of the server; PETSc's default of 10,000 is for large
problems."""


@dataclass(frozen=True)
class Solve:
    """The problem, and how it is solved. ``options`` are PETSc's."""

    petsc: Petsc
    program: Path
    refine: int
    options: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    """The modes of the server; empty if it is not studied."""
    assembly: str = "rows"
    """How the server's single process fills in its system: ``rows`` or ``threads``."""


def cases_of(solve: Solve) -> list[Case]:
    """The cases to run: without a server, and in each of its modes.

    Raises ``UsageError`` for a mode that this PETSc does not have.
    """
    largest = _ALLOWED * _tolerance(solve.options)
    log = ("-log_view", ":{log}:ascii_csv")
    base = (MPIEXEC, str(solve.program), "-da_refine", str(solve.refine))
    cases = [
        Case(
            name=DIRECT if solve.modes else None,
            template=Template((*base, *solve.options, *log)),
            read=partial(_read_direct, largest=largest),
        )
    ]
    version = solve.petsc.version
    for mode in solve.modes:
        if mode not in modes_of(version):
            raise UsageError(
                f"PETSc {solve.petsc.number} has no {mode} memory in its server, which came with"
                " 3.22: name a newer one with --petsc (`make petsc` builds one), or --server"
                " scatter."
            )
        options = server_options(version, mode, solve.options, _FEWEST_ROWS)
        words = (*base, "-assembly", solve.assembly, *options, *log)
        case = Case(
            name=f"server {mode}",
            template=Template(words),
            read=partial(_read_server, largest=largest),
            fewest=2,
            first_has_all=solve.assembly == "threads",
        )
        cases.append(replace(case, around=alone_with_segments) if mode is Mode.SHARED else case)
    return cases


def read_imported_server(reading: Reading) -> ProgramReport:
    """Read the times of an imported server run.

    A run of streamgage's own solver must have succeeded.
    """
    report = read_report(reading.printed)
    if report is not None:
        refuse_bad(report, _OF_OTHERS)
    return _solve_times(*_server_times(reading), report)


def read_imported(read: Callable[[Reading], ProgramReport], reading: Reading) -> ProgramReport:
    """Read an imported run with ``read``. A run of streamgage's own solver must have succeeded."""
    report = read_report(reading.printed)
    if report is None:
        return read(reading)
    refuse_bad(report, _OF_OTHERS)
    return _solve_times(dict(read(reading).phases), None, report)


def _tolerance(options: Sequence[str]) -> float:
    """The relative tolerance from the user's options, else PETSc's default."""
    if "-ksp_rtol" not in options:
        return _RTOL
    last = len(options) - 1 - options[::-1].index("-ksp_rtol")
    try:
        tolerance = float(options[last + 1])
    except (IndexError, ValueError) as error:
        raise UsageError("-ksp_rtol needs a number after it, such as 1e-8.") from error
    return max(tolerance, 1e-14)


def _read_direct(reading: Reading, *, largest: float) -> ProgramReport:
    report = _good(reading, largest)
    events = read_petsc_log(reading.log or "", reading.n)
    known = {name: events[name] for name in EVENTS if name in events}
    return _solve_times(_per_iteration(known, report.iterations), None, report)


def _read_server(reading: Reading, *, largest: float) -> ProgramReport:
    report = _good(reading, largest)
    return _solve_times(*_server_times(reading), report)


def _server_times(
    reading: Reading,
) -> tuple[dict[str, PhaseTime], tuple[float, float] | None]:
    """The times of the ranks' own stage, and of handing the system over.

    The latter is ``None`` if it was not logged.
    """
    iterations = read_statistics(reading.printed, reading.n)
    log = reading.log or ""
    stage = read_petsc_log(log, reading.n, stage=SERVER_STAGE)
    known = {name: stage[name] for name in EVENTS if name in stage}
    phases = _per_iteration(known, iterations)
    handed = read_petsc_log(log, reading.n).get(DISTRIBUTION)
    if handed is None:
        return phases, None
    inside = phases["PCSetUp"].seconds + phases["KSPSolve"].seconds
    return phases, (handed.seconds, handed.seconds + inside)


def _good(reading: Reading, largest: float) -> SolveReport:
    """Read the report of the solve. Raises ``TimesError`` if it failed."""
    report = read_report(reading.printed)
    if report is not None:
        refuse_bad(report, largest)
    if reading.status != 0 and (error := error_of(reading.printed)):
        raise TimesError(f"PETSc failed: {error}.")
    ended_well(reading)
    if report is None:
        raise TimesError("The solver printed no residual, so its result is not known to be right.")
    return report


def _per_iteration(known: dict[str, PhaseTime], iterations: int) -> dict[str, PhaseTime]:
    """Add the number of iterations to the solve, because the log only counts calls."""
    missing = [each for each in EVENTS if each not in known or known[each].seconds == 0]
    if missing:
        raise TimesError(
            f"The log does not count {', '.join(missing)}: it is cut short, or this solver has no"
            " such part."
        )
    return {**known, "KSPSolve": PhaseTime(known["KSPSolve"].seconds, iterations or None)}


def _solve_times(
    phases: dict[str, PhaseTime],
    distribution: tuple[float, float] | None,
    report: SolveReport | None,
) -> ProgramReport:
    if report is None:
        return ProgramReport(phases, distribution=distribution)
    return ProgramReport(
        phases,
        report.value,
        distribution,
        unknowns=report.unknowns,
        nonzeros=report.nonzeros,
        petsc=report.petsc,
        debug=report.debug,
    )
