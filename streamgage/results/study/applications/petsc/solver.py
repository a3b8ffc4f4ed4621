"""Builds the solver of the study, apps/poisson, once for each PETSc, and caches the program."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.process.program import run_for
from streamgage.records.files import cache_folder
from streamgage.results.study.applications.petsc.library import Petsc

FLAGS = ("-O2", "-fopenmp", "-Wno-unused-result")
"""The flags of the solver. They suit any processor, because the nodes of a cluster may share the
program. PETSc, which does most of the work, was built with its own flags."""
_MOST_SECONDS = 300.0


def find_source() -> Path:
    """The solver's source file. Raises ``StreamgageError`` if it was not installed."""
    package = Path(__file__).resolve().parents[4]
    for file in (
        package / "sources" / "poisson" / "poisson.c",
        package.parent / "apps" / "poisson" / "poisson.c",
    ):
        if file.is_file():
            return file
    raise StreamgageError(
        "The source of the solver is not in the Python package: install streamgage again."
    )


def built_solver(petsc: Petsc) -> Path:
    """The solver's program, built if it is not cached yet.

    Raises ``StreamgageError`` if that fails.
    """
    source = find_source()
    command = [petsc.compiler, *FLAGS, *petsc.compile_flags]
    libraries = [*petsc.link_flags, "-lm"]
    key = "\0".join([source.read_text("utf-8"), petsc.number, petsc.mpi, *command, *libraries])
    cache = cache_folder()
    if cache is None:
        raise UsageError(
            "This user has no home folder in which the solver is kept: set HOME or XDG_CACHE_HOME."
        )
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    program = cache / "apps" / f"poisson-{petsc.number}-{digest}"
    if program.is_file():
        return program
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent, prefix=".building-") as building:
            made = Path(building) / "poisson"
            done = run_for([*command, str(source), "-o", str(made), *libraries], _MOST_SECONDS)
            if done is None or done.status != 0 or not made.is_file():
                why = _why(None if done is None else done.output)
                raise StreamgageError(f"The solver cannot be built with {petsc.name}: {why}")
            made.replace(program)
    except OSError as error:
        raise StreamgageError(
            f"The solver cannot be kept in {program.parent}: {error.strerror}; name another folder"
            " with XDG_CACHE_HOME."
        ) from error
    return program


def _why(output: str | None) -> str:
    """The line of the compiler that says what is wrong."""
    if output is None:
        return f"the compiler did not end within {_MOST_SECONDS:.0f} s."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    error = next((each for each in lines if "error" in each or "undefined" in each), None)
    return f"{(error or next(iter(lines), 'the compiler fails'))[:200].rstrip('.')}."
