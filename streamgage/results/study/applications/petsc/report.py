"""Reads the output of apps/poisson: a JSON line with the residual and the end of the solve."""

from __future__ import annotations

import json

import msgspec

from streamgage.results.study.applications.times import TimesError
from streamgage.units import count


class SolveReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of one run."""

    value: float
    """The norm of b - A x divided by that of b, by a separate product after the solve."""
    error: float
    """The norm of x minus the known solution, divided by that of the known solution."""
    unknowns: int
    nonzeros: int
    iterations: int
    """The iterations of the solver that the program called; with the server, not those of the
    ranks."""
    reason: str
    """PETSc's word for how the solve ended."""
    petsc: str
    debug: bool

    @property
    def converged(self) -> bool:
        """``True`` if PETSc reports convergence."""
        return self.reason.startswith("CONVERGED") and self.reason != "CONVERGED_ITERATING"


def read_report(printed: str) -> SolveReport | None:
    """Read the report; ``None`` if there is none.

    Raises ``TimesError`` if there are several, or if it is cut off.
    """
    lines = [line for line in printed.splitlines() if line.startswith('{"check": "residual"')]
    if not lines:
        return None
    if len(lines) > 1:
        raise TimesError(
            f"{len(lines)} separate solvers ran instead of one parallel solver: the launcher"
            " belongs to another MPI than PETSc."
        )
    try:
        return msgspec.convert(json.loads(_plain(lines[0])), SolveReport)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise TimesError("The line with the residual cannot be read: it is cut short.") from error


def _plain(line: str) -> str:
    """Replace what C prints for a value that is not a number by valid JSON."""
    return line.replace(": nan", ": NaN").replace(": -nan", ": NaN").replace(": inf", ": Infinity")


def refuse_bad(report: SolveReport, largest: float) -> None:
    """Raise ``TimesError`` if the solve did not converge, or converged to a wrong solution.

    ``largest``: the largest residual and error that are accepted.
    """
    if not report.converged:
        raise TimesError(
            f"The solve did not converge: PETSc says {report.reason} after"
            f" {count(report.iterations, 'iteration')}."
        )
    if not report.error <= largest:  # no number is as bad
        raise TimesError(
            f"The solution is wrong: its relative error is {report.error:.2g}, and the solver's"
            f" tolerance allows at most {largest:.2g}."
        )
    if not report.value <= largest:
        raise TimesError(
            f"The residual is too large: {report.value:.2g} of the right-hand side, and the"
            f" solver's tolerance allows at most {largest:.2g}."
        )


def error_of(printed: str) -> str | None:
    """PETSc's own error message, which is not in its last line; ``None`` if there is none."""
    lines = [
        line.partition("PETSC ERROR:")[2].strip()
        for line in printed.splitlines()
        if "PETSC ERROR:" in line
    ]
    useful = [line for line in lines if line and not line.startswith("---")]
    return ": ".join(useful[:2])[:200].rstrip(".") if useful else None
