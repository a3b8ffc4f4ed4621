"""Finds the launcher that started this process, and the process's number among the ranks.

Launchers and batch systems are known by the variables that they set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class RankVariables:
    """The variables in which a rank finds its numbers."""

    local: str
    """The rank's number on its host, from 0."""
    number: str
    """The rank's number among all ranks."""
    here: Callable[[Mapping[str, str]], int | None]
    """The number of ranks on its host; ``None`` if unknown."""
    needs_one_of: tuple[str, ...] = ()
    """Variables of which one must be set; without them the number is not that of a rank."""

    def are_set(self, variables: Mapping[str, str]) -> bool:
        """Return whether a rank was started with these variables."""
        marks = self.needs_one_of
        return _number(self.local, variables) is not None and (
            not marks or any(name in variables for name in marks)
        )


@dataclass(frozen=True)
class Rank:
    """One rank of a parallel program: this process, or the program that it starts."""

    launcher: KnownLauncher
    local: int
    """The rank's number on its host, from 0."""
    here: int | None
    """The number of ranks on its host; ``None`` if unknown."""
    number: int
    """The rank's number among all ranks, or on its host if only that is known."""
    of: int | None
    """The number of all ranks; ``None`` if the launcher does not say."""


@dataclass(frozen=True)
class KnownLauncher:
    """A launcher or batch system. It started this process if all its variables are set."""

    name: str
    variables: tuple[str, ...]
    """Names of variables; one that ends in ``*`` stands for every name with that beginning."""
    size: str | None
    """The variable that holds the number of ranks that it started."""
    remedies: Callable[[int], list[str]]
    """Commands that leave a process more CPUs, given the number of available cores per package."""
    ranks: RankVariables | None = None
    """The variables of its ranks; ``None`` if it starts none, or does not number them by host."""

    def ranks_started(self, variables: Mapping[str, str]) -> int | None:
        """The number of ranks that it started; ``None`` if its variables do not show it."""
        return _number(self.size, variables)


def _count(name: str) -> Callable[[Mapping[str, str]], int | None]:
    return lambda variables: _number(name, variables)


def _number(name: str | None, variables: Mapping[str, str]) -> int | None:
    text = variables.get(name, "") if name is not None else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _flux_tasks_here(variables: Mapping[str, str]) -> int | None:
    """The tasks of this node, if they are equal on all nodes: Flux only gives the sums of a job."""
    nodes = _number("FLUX_JOB_NNODES", variables)
    return _number("FLUX_JOB_SIZE", variables) if nodes == 1 else None


_TASKS_OF_NODES = re.compile(r"([0-9]{1,9})(?:\(x([0-9]{1,9})\))?", re.ASCII)


def _slurm_tasks_here(variables: Mapping[str, str]) -> int | None:
    """The tasks of this node, in a list such as ``2(x3),1``: two on three nodes, then one."""
    node = _number("SLURM_NODEID", variables) or 0
    listed = variables.get("SLURM_STEP_TASKS_PER_NODE") or variables.get("SLURM_TASKS_PER_NODE", "")
    for part in listed.split(","):
        match = _TASKS_OF_NODES.fullmatch(part)
        if match is None:
            return None
        nodes = int(match[2] or 1)
        if node < nodes:
            return int(match[1])
        node -= nodes
    return None


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


def _hydra() -> RankVariables:
    return RankVariables("MPI_LOCALRANKID", "PMI_RANK", _count("MPI_LOCALNRANKS"))


def _world(prefix: str) -> RankVariables:
    return RankVariables(f"{prefix}_LOCAL_RANK", f"{prefix}_RANK", _count(f"{prefix}_LOCAL_SIZE"))


_PALS_RANKS = RankVariables("PALS_LOCAL_RANKID", "PALS_RANKID", _count("PALS_LOCAL_SIZE"))
_FLUX_TASKS = RankVariables("FLUX_TASK_LOCAL_ID", "FLUX_TASK_RANK", _flux_tasks_here)
_SLURM_TASKS = RankVariables(
    "SLURM_LOCALID",
    "SLURM_PROCID",
    _slurm_tasks_here,
    # A batch script has the number 0, too, and is no task of a step.
    needs_one_of=("SLURM_STEP_ID", "SLURM_STEPID", "SLURM_STEP_TASKS_PER_NODE"),
)

LAUNCHERS = (
    KnownLauncher(
        "Open MPI",
        ("OMPI_COMM_WORLD_SIZE",),
        "OMPI_COMM_WORLD_SIZE",
        _open_mpi,
        _world("OMPI_COMM_WORLD"),
    ),
    KnownLauncher(
        "MVAPICH",
        ("MV2_COMM_WORLD_SIZE",),
        "MV2_COMM_WORLD_SIZE",
        _mvapich,
        _world("MV2_COMM_WORLD"),
    ),
    KnownLauncher(
        "Intel MPI", ("PMI_SIZE", "MPI_LOCALNRANKS", "I_MPI_*"), "PMI_SIZE", _intel, _hydra()
    ),
    KnownLauncher("MPICH", ("PMI_SIZE", "MPI_LOCALNRANKS"), "PMI_SIZE", _mpich, _hydra()),
    KnownLauncher("Flux", ("FLUX_TASK_RANK",), "FLUX_JOB_SIZE", _flux, _FLUX_TASKS),
    KnownLauncher(
        "jsrun",
        ("JSM_NAMESPACE_SIZE",),
        "JSM_NAMESPACE_SIZE",
        _jsrun,
        _world("JSM_NAMESPACE"),
    ),
    KnownLauncher("PALS", ("PALS_APID",), None, _cray, _PALS_RANKS),
    KnownLauncher(
        "srun (Slurm)",
        ("SLURM_STEP_ID", "SLURM_PROCID"),
        "SLURM_STEP_NUM_TASKS",
        _srun,
        _SLURM_TASKS,
    ),
    KnownLauncher(
        "a launcher with Cray's PMI", ("PMI_LOCAL_RANK",), "PMI_SIZE", _cray, _world("PMI")
    ),
    KnownLauncher("a job of Slurm", ("SLURM_JOB_ID",), None, _batch),
    KnownLauncher("a job of PBS", ("PBS_JOBID",), None, _batch),
    KnownLauncher("a job of LSF", ("LSB_JOBID",), None, _batch),
    KnownLauncher("a job of Grid Engine", ("SGE_ROOT", "JOB_ID"), None, _batch),
)
"""Innermost launchers first: a launcher that runs inside another's job decides on the binding."""


LOCAL_RANKS = tuple(dict.fromkeys(each.ranks.local for each in LAUNCHERS if each.ranks))
"""The variables in which a rank may find its number on its host, the innermost launcher's first."""


def known_launcher(variables: Mapping[str, str]) -> KnownLauncher | None:
    """The launcher that started this process; ``None`` if there is no sign of one."""
    for launcher in LAUNCHERS:
        if all(_is_set(name, variables) for name in launcher.variables):
            return launcher
    return None


def rank_of(variables: Mapping[str, str]) -> Rank | None:
    """The rank of this process, by the variables of its launcher; ``None`` if it is no rank."""
    for launcher in LAUNCHERS:
        ranks = launcher.ranks
        marks = [name for name in launcher.variables if name.endswith("*")]
        if (
            ranks is None
            or not ranks.are_set(variables)
            or not all(_is_set(name, variables) for name in marks)
        ):
            continue
        local = _number(ranks.local, variables) or 0
        here = ranks.here(variables)
        number = _number(ranks.number, variables)
        return Rank(
            launcher=launcher,
            local=local,
            here=here if here is not None and here > local else None,
            number=local if number is None else number,
            of=launcher.ranks_started(variables),
        )
    return None


def _is_set(name: str, variables: Mapping[str, str]) -> bool:
    if name.endswith("*"):
        return any(each.startswith(name[:-1]) for each in variables)
    return name in variables
