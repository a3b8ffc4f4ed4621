"""PETSc: which is here, the solver built with it, its log, and its MPI linear solver server."""

from streamgage.results.study.applications.petsc.log import EVENTS, is_petsc_log, read_petsc_log

__all__ = ["EVENTS", "is_petsc_log", "read_petsc_log"]
