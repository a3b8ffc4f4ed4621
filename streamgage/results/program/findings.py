"""The findings about the runs of a program next to the engine's."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.results.document import other_load
from streamgage.results.program.document import Program
from streamgage.results.run_findings import OF_RUNS, few_rounds

CHECKS: tuple[tuple[str, Callable[[Program], Finding | None]], ...] = (
    *OF_RUNS,
    ("other-load", other_load),
    ("not-converged", lambda program: few_rounds(program.rounds)),
)
"""The checks in the order of display, most important first."""
