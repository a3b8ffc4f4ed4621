"""The findings of a study: faults that its figures do not show."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.records import Machine
from streamgage.results.document import other_load
from streamgage.results.run_findings import OF_RUNS, few_rounds
from streamgage.results.scale.document import workers_of
from streamgage.results.study.document import Study
from streamgage.units import count, format_bytes

_FEWEST_LOOKS = 5
"""The fewest observations of a program that show where its threads are."""


def debug_build(answer: Study) -> Finding | None:
    """Find that PETSc was configured with debugging."""
    if answer.solver is None or not answer.solver.debug:
        return None
    return Finding(
        code="debug-build",
        severity="warning",
        text=f"PETSc {answer.solver.petsc} was configured with debugging: it checks all its"
        " arguments and is not optimised. It is slow, and scales better than it should. Use"
        " one that was configured --with-debugging=0.",
    )


def crowded_cores(answer: Study) -> Finding | None:
    """Find threads of the program that were left on fewer cores than there are."""
    found = [
        (each.crowded / each.looks, each.n, each)
        for each in answer.program_places
        if each.looks >= _FEWEST_LOOKS and each.crowded > each.looks / 2
    ]
    if not found:
        return None
    *_, worst = max(found, key=lambda each: each[:2])
    return Finding(
        code="crowded-cores",
        severity="warning",
        text=f"With {workers_of(worst.n, answer.workers)} threads of {worst.case or 'the program'}"
        f" shared cores in {worst.crowded} of {count(worst.looks, 'observation')}, while there"
        " were cores for all. They took turns there: these points show the placement, not the"
        " program. Bind one to each core (--cpus compact, or the launcher's option).",
    )


def solver_in_cache(answer: Study) -> Finding | None:
    """Find a system that fits into the caches, alone or with more ranks."""
    solver, machine = answer.solver, answer.machine
    if solver is None or solver.matrix_bytes is None or machine is None:
        return None
    caches = _last_level(machine)
    if caches is None or solver.matrix_bytes > 2 * caches:
        return None
    return Finding(
        code="solver-in-cache",
        severity="warning",
        text=f"The matrix has {format_bytes(solver.matrix_bytes)}, and the machine's caches, which"
        f" hold much of it, {format_bytes(caches)}: the solver is not bound by the memory that"
        " STREAM measures. Take a larger --refine.",
    )


def _last_level(machine: Machine) -> int | None:
    """The bytes of all last-level caches together."""
    return machine.last_caches_before_memory() or None


CHECKS: tuple[tuple[str, Callable[[Study], Finding | None]], ...] = (
    *OF_RUNS,
    ("other-load", other_load),
    ("not-converged", lambda answer: few_rounds(answer.rounds)),
    ("crowded-cores", crowded_cores),
    ("debug-build", debug_build),
    ("solver-in-cache", solver_in_cache),
)
"""The checks in the order of display, most important first."""
