"""Chooses a launcher, by name or by what is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from streamgage.errors import UsageError
from streamgage.process.launch.dialects import DIALECTS, Dialect, LauncherName
from streamgage.process.launch.job import CommandLine, Job

_WAIT_SECONDS = 20


@dataclass(frozen=True)
class Launcher:
    """An installed launcher."""

    dialect: Dialect
    path: str

    @property
    def name(self) -> LauncherName:
        """The name of its dialect."""
        return self.dialect.name

    def command_line(self, job: Job) -> CommandLine:
        """The command line that runs ``job``. Raises ``UsageError`` if the job cannot be run."""
        line = self.dialect.command_line(job, self.path)
        as_root = self.dialect.root_variables if os.geteuid() == 0 else {}
        return replace(line, variables={**as_root, **line.variables})


def choose_launcher(
    wanted: LauncherName,
    *,
    among: Sequence[LauncherName] = tuple(LauncherName),
    environment: Mapping[str, str] = os.environ,
) -> Launcher:
    """Return the chosen launcher. ``auto`` is Slurm in a Slurm job, else the first installed one.

    ``among``: the candidates of ``auto``. Raises ``UsageError`` if there is none.
    """
    if wanted is LauncherName.AUTO:
        usable = [each for each in DIALECTS if each.name in among and _is_due(each, environment)]
    else:
        usable = [each for each in DIALECTS if each.name is wanted]
    for dialect in usable:
        if path := _find(dialect, environment):
            return Launcher(dialect, path)
    raise UsageError(_none_found(usable, wanted))


def mpi_called(programs: Sequence[str], environment: Mapping[str, str] = os.environ) -> Launcher:
    """Return the first of ``programs`` on the PATH as a launcher of MPI.

    Raises ``UsageError`` if there is none, or if it belongs to an unknown MPI.
    """
    found = (shutil.which(each, path=environment.get("PATH")) for each in programs)
    path = next(filter(None, found), None)
    if path is None:
        raise UsageError(f"{' or '.join(programs)} is not on the PATH: load the module of MPI.")
    version = _version(path, environment)
    for dialect in DIALECTS:
        # What Hydra says of its build names Slurm, too.
        of_mpi = dialect.name is not LauncherName.SLURM
        if of_mpi and any(word in version for word in dialect.version_says):
            return Launcher(dialect, path)
    raise UsageError(
        f"{path} belongs neither to Open MPI nor to MPICH by its version text: load another module"
        " of MPI."
    )


def _is_due(dialect: Dialect, environment: Mapping[str, str]) -> bool:
    return dialect.name is not LauncherName.SLURM or "SLURM_JOB_ID" in environment


def _none_found(looked_for: Sequence[Dialect], wanted: LauncherName) -> str:
    programs = dict.fromkeys(program for each in looked_for for program in each.programs)
    packages = " or ".join(each.package for each in looked_for)
    what = "No launcher" if wanted is LauncherName.AUTO else f"No launcher of {wanted}"
    return (
        f"{what} is on the PATH (looked for: {', '.join(programs)}): install one, with Debian's"
        f" package {packages}, or load its module."
    )


def _find(dialect: Dialect, environment: Mapping[str, str]) -> str | None:
    """The first of the dialect's programs on the PATH whose version text shows the dialect."""
    folders = os.get_exec_path(environment)
    for folder, program in product(folders, dialect.programs):
        path = shutil.which(program, path=folder)
        if path and any(word in _version(path, environment) for word in dialect.version_says):
            return path
    return None


def _version(path: str, environment: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environment),
            timeout=_WAIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")
