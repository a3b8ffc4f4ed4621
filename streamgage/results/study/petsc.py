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
    """How the one process of a server fills in its system; choices of ``--assembly``."""

    ROWS = "rows"
    THREADS = "threads"


@dataclass(frozen=True)
class PetscRequest:
    """The user's request; ``None``: not given."""

    which: str | None
    refine: int
    options: tuple[str, ...]
    server: bool
    mode: Mode | None
    """The mode of the server; ``None``: each that exists."""
    assembly: Assembly
    launcher: LauncherName


@dataclass(frozen=True)
class Ready:
    """The programs to run, and known facts about the solver."""

    cases: tuple[Case, ...]
    solver: Solver
    launcher: LauncherName


def solver_to_study(asked: PetscRequest, environment: Mapping[str, str] = os.environ) -> Ready:
    """The programs of a study of PETSc, built if they are not yet.

    Raises ``UsageError`` if there is no PETSc that fits, and ``StreamgageError`` if the solver
    cannot be built with it.
    """
    petsc = _chosen(asked, find_petsc(asked.which, environment))
    launcher = _launcher(asked.launcher, petsc, environment)
    modes: tuple[Mode, ...] = ()
    if asked.server:
        modes = tuple(modes_of(petsc.version)) if asked.mode is None else (asked.mode,)
    solve = Solve(
        petsc=petsc,
        program=built_solver(petsc),
        refine=asked.refine,
        options=asked.options,
        modes=modes,
        assembly=asked.assembly,
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
    return Ready(tuple(cases_of(solve)), solver, launcher)


def _chosen(asked: PetscRequest, found: list[Petsc]) -> Petsc:
    """The first; for the server's shared memory the first that has it."""
    if asked.mode is not None:
        able = [each for each in found if asked.mode in modes_of(each.version)]
        return (able or found)[0]
    return found[0]


def _launcher(asked: LauncherName, petsc: Petsc, environment: Mapping[str, str]) -> LauncherName:
    """The launcher of PETSc's MPI. Raises ``UsageError`` if another one was asked for."""
    if asked is LauncherName.AUTO:
        in_slurm = "SLURM_JOB_ID" in environment
        return LauncherName.SLURM if in_slurm else petsc.launcher
    if asked not in (petsc.launcher, LauncherName.SLURM):
        raise UsageError(
            f"--launcher {asked} cannot start ranks of {petsc.mpi}, with which {petsc.name} was"
            f" built: leave it out, or name --launcher {petsc.launcher}."
        )
    return asked
