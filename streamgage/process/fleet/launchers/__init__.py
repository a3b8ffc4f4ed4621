"""The known launchers; a further one is a file and an entry here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum

from streamgage.errors import UsageError
from streamgage.process.fleet.launcher import Launcher, refuse_missing
from streamgage.process.fleet.launchers.clush import CLUSH
from streamgage.process.fleet.launchers.flux import FLUX
from streamgage.process.fleet.launchers.kubernetes import KUBERNETES
from streamgage.process.fleet.launchers.mpiexec import MPIEXEC
from streamgage.process.fleet.launchers.pbs import PBS
from streamgage.process.fleet.launchers.sbatch import SBATCH
from streamgage.process.fleet.launchers.slurm import SLURM
from streamgage.process.fleet.launchers.ssh import SSH

LAUNCHERS = (SLURM, SBATCH, FLUX, PBS, MPIEXEC, CLUSH, SSH, KUBERNETES)
_OF_JOBS = {"SLURM_JOB_ID": SLURM, "FLUX_URI": FLUX, "PBS_NODEFILE": PBS}
"""Variables that show which launcher a job belongs to."""


class FleetLauncher(StrEnum):
    """Choices of ``--launcher``."""

    AUTO = "auto"
    SLURM = SLURM.name
    SBATCH = SBATCH.name
    FLUX = FLUX.name
    PBS = PBS.name
    MPIEXEC = MPIEXEC.name
    CLUSH = CLUSH.name
    SSH = SSH.name
    KUBERNETES = KUBERNETES.name


def find_launcher(wanted: FleetLauncher, environment: Mapping[str, str] = os.environ) -> Launcher:
    """Return the chosen launcher. ``auto`` is that of the surrounding job, else Slurm.

    Raises ``UsageError`` if it is not installed.
    """
    if wanted is not FleetLauncher.AUTO:
        launcher = next(each for each in LAUNCHERS if each.name == wanted)
        refuse_missing(launcher)
        return launcher
    launcher = next((each for name, each in _OF_JOBS.items() if name in environment), SLURM)
    try:
        refuse_missing(launcher)
    except UsageError as error:
        names = ", ".join(each.name for each in LAUNCHERS if each is not SLURM)
        raise UsageError(
            f"This is not a Slurm cluster: choose how to reach the nodes with --launcher ({names})."
        ) from error
    return launcher
