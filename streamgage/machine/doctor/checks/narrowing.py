"""Finds out what left this process fewer CPUs than the machine has."""

from __future__ import annotations

from typing import Literal

from streamgage.cpu_list import format_cpu_list
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.process.launch.started_by import known_launcher

Narrowing = Literal["openmp", "launcher", "mask", "cpuset"]
"""``openmp``: variables of OpenMP bind its threads; ``launcher``: a launcher gave the process its
mask; ``mask``: something that leaves no trace did, such as taskset or numactl."""


def narrowed_by(surroundings: Surroundings) -> Narrowing | None:
    """The innermost cause of the restriction; ``None`` if the threads may use every CPU."""
    if surroundings.united < surroundings.inherited:
        return "openmp"
    if surroundings.inherited < surroundings.obtainable:
        return "launcher" if known_launcher(surroundings.variables) else "mask"
    return "cpuset" if surroundings.obtainable < surroundings.online else None


def how_to_widen(surroundings: Surroundings, narrowing: Narrowing) -> list[str]:
    """Commands that give the threads more CPUs. For a launcher, the launcher's check has them."""
    match narrowing:
        case "openmp":
            return ["unset OMP_PLACES OMP_PROC_BIND GOMP_CPU_AFFINITY"]
        case "mask":
            cpus = format_cpu_list(surroundings.obtainable)
            return [f"start without taskset or numactl, or first: taskset -cp {cpus} $$"]
        case _:
            return []
