"""What is wrong with a study that its figures do not show."""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.finding import Finding
from streamgage.records import Machine
from streamgage.results.study.document import Study
from streamgage.units import format_bytes


def debug_build(answer: Study) -> Finding | None:
    """A PETSc that checks all that it does."""
    if answer.solver is None or not answer.solver.debug:
        return None
    return Finding(
        code="debug-build",
        severity="warning",
        text=f"PETSc {answer.solver.petsc} was configured with debugging: it checks all that it is"
        " given and is not optimized, so that it is slow and scales better than it should. Use one"
        " that was configured --with-debugging=0.",
    )


def solver_in_cache(answer: Study) -> Finding | None:
    """A system that the caches hold, wholly or with more ranks."""
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
    """Bytes of all caches of the last level."""
    return sum(each.bytes * each.instances for each in machine.last_level_caches) or None


CHECKS: tuple[tuple[str, Callable[[Study], Finding | None]], ...] = (
    ("debug-build", debug_build),
    ("solver-in-cache", solver_in_cache),
)
"""In the order in which they are shown, the most important first."""
