"""Which program of the engine a launcher can start: one is built for each MPI that is found."""

from __future__ import annotations

import os
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName

_ANY = "streamgage-engine-mpi"
_OF_OPENMPI = f"{_ANY}.openmpi"
_OF_MPICH = f"{_ANY}.mpich"
_PROGRAMS = {
    LauncherName.OPENMPI: (_OF_OPENMPI, _ANY),
    LauncherName.MPICH: (_OF_MPICH, _ANY),
    # Slurm starts the ranks of either, where it was built for it.
    LauncherName.SLURM: (_ANY, _OF_OPENMPI, _OF_MPICH),
}


def find_program(launcher: LauncherName, engine: Path) -> Path:
    """The engine for ranks next to ``engine``. Raises ``UsageError`` where it was not built."""
    found = _next_to(launcher, engine)
    if found is None:
        names = " or ".join(_PROGRAMS[launcher])
        raise UsageError(
            f"{names} is not beside {engine}: install the development files of that MPI"
            " (Debian: libopenmpi-dev, libmpich-dev) and build streamgage again."
        )
    return found


def launchers_built_for(engine: Path) -> tuple[LauncherName, ...]:
    """The launchers that can start a program that is next to ``engine``."""
    return tuple(name for name in _PROGRAMS if _next_to(name, engine))


def _next_to(launcher: LauncherName, engine: Path) -> Path | None:
    paths = (engine.parent / name for name in _PROGRAMS[launcher])
    return next((path for path in paths if path.is_file() and os.access(path, os.X_OK)), None)
