"""What the launcher that started this process left it.

Launchers and batch systems are known by the variables that they set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from streamgage.cpu_list import format_cpu_list
from streamgage.tools.doctor.checks.surroundings import Surroundings
from streamgage.tools.doctor.document import Check
from streamgage.units import count

CODE = "launcher"


def launcher(surroundings: Surroundings) -> Check:
    """Whether the mask that it gave leaves the threads room."""
    found = known_launcher(surroundings.variables)
    if found is None:
        return Check(
            code=CODE,
            state="passed",
            seen="no launcher of parallel programs and no batch system shows itself (taskset and"
            " numactl leave no trace but the mask)",
        )
    name = _named(found, surroundings)
    if surroundings.inherited >= surroundings.obtainable:
        cpus = format_cpu_list(surroundings.inherited)
        return Check(
            code=CODE,
            state="passed",
            seen=f"started by {name}, which left every CPU that there is to have ({cpus})",
        )
    return _narrowed(surroundings, found, name)


def _named(found: Launcher, surroundings: Surroundings) -> str:
    ranks = ranks_of(found, surroundings.variables)
    return found.name if ranks is None else f"{found.name} ({count(ranks, 'rank')})"


def _narrowed(surroundings: Surroundings, found: Launcher, name: str) -> Check:
    inherited, obtainable = surroundings.inherited, surroundings.obtainable
    machine = surroundings.machine
    cores, all_cores = surroundings.cores(inherited), surroundings.cores(obtainable)
    one_core = cores == 1 and all_cores > 1
    why = (
        "every thread of the process shares that core, whatever OMP_PROC_BIND says"
        if one_core
        else "figures are those of these CPUs and not of the machine"
    )
    if one_core and found.name == "Open MPI":
        why = f"Open MPI binds one or two ranks to a core each unless told otherwise: {why}"
    return Check(
        code=CODE,
        state="spoils" if one_core else "advice",
        seen=f"started by {name}, which left {count(cores, 'core')} of {all_cores} (CPUs"
        f" {format_cpu_list(inherited)} of {format_cpu_list(obtainable)})",
        why=why,
        remedies=found.remedies(min(all_cores, machine.cores // max(1, machine.packages))),
    )


@dataclass(frozen=True)
class Launcher:
    """A program that starts others. It started us where all its variables are set."""

    name: str
    variables: tuple[str, ...]
    """A name that ends in ``*`` stands for every name that begins so."""
    size: str | None
    """The variable that tells how many ranks it started."""
    remedies: Callable[[int], list[str]]
    """What leaves a process more, given how many cores of a package are available."""


def _open_mpi(cores: int) -> list[str]:
    return [
        "mpiexec --bind-to none ...",
        f"mpiexec --map-by socket:pe={cores} ...",
        "mpiexec --bind-to numa --map-by core ...",
    ]


def _mpich(_: int) -> list[str]:
    return ["mpiexec -bind-to none ..."]


def _intel(_: int) -> list[str]:
    return ["I_MPI_PIN=off mpiexec ..."]


def _mvapich(_: int) -> list[str]:
    return ["MV2_ENABLE_AFFINITY=0 mpiexec ..."]


def _srun(cores: int) -> list[str]:
    return [
        "srun --cpu-bind=none ...",
        f"srun --cpus-per-task={cores} --cpu-bind=cores ...",
    ]


def _flux(_: int) -> list[str]:
    return ["flux run -o cpu-affinity=off ..."]


def _jsrun(_: int) -> list[str]:
    return ["jsrun --bind none ..."]


def _cray(_: int) -> list[str]:
    return ["mpiexec --cpu-bind none ..."]


def _batch(_: int) -> list[str]:
    return ["ask the batch system for a whole node (Slurm: --exclusive)"]


LAUNCHERS = (
    Launcher("Open MPI", ("OMPI_COMM_WORLD_SIZE",), "OMPI_COMM_WORLD_SIZE", _open_mpi),
    Launcher("MVAPICH", ("MV2_COMM_WORLD_SIZE",), "MV2_COMM_WORLD_SIZE", _mvapich),
    Launcher("Intel MPI", ("PMI_SIZE", "MPI_LOCALNRANKS", "I_MPI_*"), "PMI_SIZE", _intel),
    Launcher("MPICH", ("PMI_SIZE", "MPI_LOCALNRANKS"), "PMI_SIZE", _mpich),
    Launcher("Flux", ("FLUX_TASK_RANK",), "FLUX_JOB_SIZE", _flux),
    Launcher("jsrun", ("JSM_NAMESPACE_SIZE",), "JSM_NAMESPACE_SIZE", _jsrun),
    Launcher("PALS", ("PALS_APID",), None, _cray),
    Launcher("srun (Slurm)", ("SLURM_STEP_ID", "SLURM_PROCID"), "SLURM_STEP_NUM_TASKS", _srun),
    Launcher("a job of Slurm", ("SLURM_JOB_ID",), None, _batch),
    Launcher("a job of PBS", ("PBS_JOBID",), None, _batch),
    Launcher("a job of LSF", ("LSB_JOBID",), None, _batch),
    Launcher("a job of Grid Engine", ("SGE_ROOT", "JOB_ID"), None, _batch),
)
"""The innermost first: one that runs inside another's job is the one that binds."""


def known_launcher(variables: Mapping[str, str]) -> Launcher | None:
    """The launcher that started this process; null where none shows itself."""
    for launcher in LAUNCHERS:
        if all(_is_set(name, variables) for name in launcher.variables):
            return launcher
    return None


def ranks_of(launcher: Launcher, variables: Mapping[str, str]) -> int | None:
    """How many ranks it started; null where it does not tell."""
    text = variables.get(launcher.size, "") if launcher.size is not None else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _is_set(name: str, variables: Mapping[str, str]) -> bool:
    if name.endswith("*"):
        return any(each.startswith(name[:-1]) for each in variables)
    return name in variables
