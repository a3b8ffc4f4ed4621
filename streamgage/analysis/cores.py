"""Which CPUs are hardware threads of one core, and which cores lists of CPUs come to."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.cpu_list import list_cpus
from streamgage.records import Machine


def core_of_each_cpu(machine: Machine) -> dict[int, int]:
    """The core of each CPU, as the caches of level 1 tell; empty where they are not known."""
    return {
        cpu: core
        for cache in machine.caches
        if (cache.level, cache.kind) == (1, "data")
        for core, cpus in enumerate(cache.cpus)
        for cpu in list_cpus(cpus)
    }


def cores_among(machine: Machine, cpus: Iterable[int]) -> set[int]:
    """The cores of those CPUs.

    A CPU whose core is not known counts as one and gets a negative number.
    """
    known = core_of_each_cpu(machine)
    return {known.get(cpu, -1 - cpu) for cpu in cpus}
