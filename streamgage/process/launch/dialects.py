"""The known launchers, and the command line with which each starts a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from streamgage.process.launch.job import CommandLine, Job


class LauncherName(StrEnum):
    """Choices of ``--launcher``."""

    AUTO = "auto"
    OPENMPI = "openmpi"
    MPICH = "mpich"
    SLURM = "slurm"


@dataclass(frozen=True)
class Dialect:
    """A launcher: the names of its program, and the function that makes its command line."""

    name: LauncherName
    programs: tuple[str, ...]
    version_says: tuple[str, ...]
    command_line: Callable[[Job, str], CommandLine]
    package: str
    """The name of its Debian package."""
    root_variables: Mapping[str, str] = field(default_factory=dict)
    """Variables that it needs to run for root."""


def open_mpi(job: Job, launcher: str) -> CommandLine:
    """Open MPI's ``mpiexec`` (ORTE and PRRTE; tried with 4.1).

    By default it binds one or two ranks to a core each, so that all threads of a rank share one
    core, and more ranks to NUMA domains. The engine's ranks bind their threads themselves, so it
    gets ``--bind-to none``. For root it needs two variables, and for more ranks than cores
    ``--oversubscribe``.
    """
    arguments = [launcher, "-n", str(job.ranks)]
    if not job.launcher_binds:
        arguments += ["--bind-to", "none"]
    if job.oversubscribe:
        arguments.append("--oversubscribe")
    if job.hosts:
        arguments += ["--map-by", "slot"]
        arguments += ["--host", ",".join(f"{each.host}:{each.ranks}" for each in job.shares())]
    for name, value in job.variables.items():
        arguments += ["-x", f"{name}={value}"]
    return CommandLine((*arguments, *job.options, *job.program))


def mpich(job: Job, launcher: str) -> CommandLine:
    """Hydra, the ``mpiexec`` of MPICH, MVAPICH and Intel MPI (tried with MPICH 4.0).

    It binds nothing by default and allows more ranks than cores.
    """
    arguments = [launcher, "-n", str(job.ranks)]
    if job.hosts:
        arguments += ["-hosts", ",".join(f"{each.host}:{each.ranks}" for each in job.shares())]
    for name, value in job.variables.items():
        arguments += ["-genv", name, value]
    return CommandLine((*arguments, *job.options, *job.program))


def slurm(job: Job, launcher: str) -> CommandLine:
    """Slurm's ``srun``, inside an allocation or by itself.

    ``--cpu-bind=none`` lets ranks bind their threads within what the job's cgroup allows;
    ``--cpus-per-task`` reserves cores for them. If hosts get
    different numbers of ranks, it needs the distribution ``arbitrary``, which reads the host of
    each rank from the file in ``SLURM_HOSTFILE`` (srun's manual).
    """
    arguments = [launcher, f"--ntasks={job.ranks}"]
    if not job.launcher_binds:
        arguments.append("--cpu-bind=none")
    if job.threads > 1:
        arguments.append(f"--cpus-per-task={job.threads}")
    if job.oversubscribe:
        arguments.append("--overcommit")
    files = {}
    if shares := job.shares():
        names = ",".join(each.host for each in shares)
        arguments += [f"--nodes={len(shares)}", f"--nodelist={names}"]
        if len({each.ranks for each in shares}) == 1:
            arguments.append(f"--ntasks-per-node={shares[0].ranks}")
        else:
            arguments.append("--distribution=arbitrary")
            files["SLURM_HOSTFILE"] = "".join(f"{each.host}\n" * each.ranks for each in shares)
    # srun hands its own environment on to the ranks.
    return CommandLine((*arguments, *job.options, *job.program), job.variables, files)


DIALECTS = (
    Dialect(LauncherName.SLURM, ("srun",), ("slurm",), slurm, "slurm-client"),
    Dialect(
        LauncherName.OPENMPI,
        ("mpiexec.openmpi", "mpiexec", "mpirun"),
        ("Open MPI", "OpenRTE", "PRRTE"),
        open_mpi,
        "openmpi-bin",
        {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
    ),
    Dialect(
        LauncherName.MPICH,
        ("mpiexec.hydra", "mpiexec.mpich", "mpiexec", "mpirun"),
        ("HYDRA", "Intel(R) MPI"),
        mpich,
        "mpich",
    ),
)
