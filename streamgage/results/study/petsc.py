"""Chooses the PETSc to study, builds its solver, and lists the cases to run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName
from streamgage.results.study.applications.case import Case
from streamgage.results.study.applications.petsc.cases import Solve, cases_of
from streamgage.results.study.applications.petsc.library import Petsc, find_petsc
from streamgage.results.study.applications.petsc.server import Mode, modes_of
from streamgage.results.study.applications.petsc.solver import built_solver
from streamgage.results.study.document import Solver


class Assembly(StrEnum):
    """How the server's single process fills in its system; the choices of ``--assembly``."""

    ROWS = "rows"
    THREADS = "threads"


@dataclass(frozen=True)
class PetscRequest:
    """The user's request; ``None`` stands for options that were not given."""

    which: str | None
    refine: int
    options: tuple[str, ...]
    server: bool
    mode: Mode | None
    """The mode of the server; ``None`` means all that it has."""
    assembly: Assembly
    launcher: LauncherName


@dataclass(frozen=True)
class SolverPrograms:
    """The programs to run, and facts about the solver."""

    cases: tuple[Case, ...]
    solver: Solver
    launcher: LauncherName


def solver_to_study(
    request: PetscRequest, environment: Mapping[str, str] = os.environ
) -> SolverPrograms:
    """Choose PETSc, and build the programs of the study if they are not cached.

    Raises ``UsageError`` if no PETSc fits, and ``StreamgageError`` if the solver cannot be built
    with it.
    """
    petsc = _choose_petsc(request, find_petsc(request.which, environment))
    launcher = _launcher(request.launcher, petsc, environment)
    modes: tuple[Mode, ...] = ()
    if request.server:
        modes = tuple(modes_of(petsc.version)) if request.mode is None else (request.mode,)
    solve = Solve(
        petsc=petsc,
        program=built_solver(petsc),
        refine=request.refine,
        options=request.options,
        modes=modes,
        assembly=request.assembly,
    )
    solver = Solver(
        petsc=petsc.number,
        mpi=petsc.mpi,
        debug=petsc.debug,
        long_integers=petsc.long_integers,
        unknowns=None,
        nonzeros=None,
        matrix_bytes=None,
    )
    return SolverPrograms(tuple(cases_of(solve)), solver, launcher)


def _choose_petsc(request: PetscRequest, installed: list[Petsc]) -> Petsc:
    """The first PETSc that was found; for the server's shared memory, the first that has it."""
    if request.mode is not None:
        able = [each for each in installed if request.mode in modes_of(each.version)]
        return (able or installed)[0]
    return installed[0]


def _launcher(launcher: LauncherName, petsc: Petsc, environment: Mapping[str, str]) -> LauncherName:
    """The launcher of PETSc's MPI. Raises ``UsageError`` if another one was requested."""
    if launcher is LauncherName.AUTO:
        in_slurm = "SLURM_JOB_ID" in environment
        return LauncherName.SLURM if in_slurm else petsc.launcher
    if launcher not in (petsc.launcher, LauncherName.SLURM):
        raise UsageError(
            f"--launcher {launcher} cannot start ranks of {petsc.mpi}, with which {petsc.name} was"
            f" built: leave it out, or name --launcher {petsc.launcher}."
        )
    return launcher
