"""Checks which CPUs the launcher that started this process left to it."""

from __future__ import annotations

from streamgage.cpu_list import format_cpu_list, name_cpus
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check
from streamgage.process.launch.started_by import KnownLauncher, known_launcher
from streamgage.units import count

CODE = "launcher"


def launcher(surroundings: Surroundings) -> Check:
    """Check whether the launcher's mask has room for the threads."""
    found = known_launcher(surroundings.variables)
    if found is None:
        return Check(
            code=CODE,
            state="passed",
            seen="no launcher of parallel programs and no batch system was found (taskset and"
            " numactl leave no trace except the mask)",
        )
    name = _named(found, surroundings)
    if surroundings.inherited >= surroundings.obtainable:
        cpus = format_cpu_list(surroundings.inherited)
        return Check(
            code=CODE,
            state="passed",
            seen=f"started by {name}, which left all available CPUs ({cpus})",
        )
    return _narrowed(surroundings, found, name)


def _named(found: KnownLauncher, surroundings: Surroundings) -> str:
    ranks = found.ranks_started(surroundings.variables)
    return found.name if ranks is None else f"{found.name} ({count(ranks, 'rank')})"


def _narrowed(surroundings: Surroundings, found: KnownLauncher, name: str) -> Check:
    inherited, obtainable = surroundings.inherited, surroundings.obtainable
    machine = surroundings.machine
    cores, all_cores = surroundings.cores(inherited), surroundings.cores(obtainable)
    one_core = cores == 1 and all_cores > 1
    why = (
        "every thread of the process shares that core; OMP_PROC_BIND does not change that"
        if one_core
        else "figures are those of these CPUs and not of the machine"
    )
    if one_core and found.name == "Open MPI":
        why = f"Open MPI binds one or two ranks to one core each by default: {why}"
    return Check(
        code=CODE,
        state="spoils" if one_core else "advice",
        seen=f"started by {name}, which left {count(cores, 'core')} of {all_cores} ("
        f"{name_cpus(format_cpu_list(inherited))} of {format_cpu_list(obtainable)})",
        why=why,
        remedies=found.remedies(min(all_cores, machine.cores // max(1, machine.packages))),
    )
