"""The cores and their hardware threads: their CPUs, which of them may be used, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from streamgage.cpu_list import list_cpus
from streamgage.records import HardwareThread, Machine

COMPACT = "compact"
SCATTER = "scatter"
SMT = "smt"
ORDERED = (COMPACT, SCATTER, SMT)
"""The placements that are orders of CPUs."""
CORES = "cores"
NONE = "none"
PLACEMENTS = (*ORDERED, CORES, NONE)
"""The placements of threads that have a name."""


def core_of_each_cpu(machine: Machine) -> dict[int, int]:
    """The core of each CPU; empty if the cores are not known.

    Records of older engines do not say where the CPUs are. For them the cores come from the level-1
    caches.
    """
    if "cores" in machine.unknown:
        return {}
    if machine.threads:
        return {thread.cpu: thread.core for thread in machine.threads}
    return {
        cpu: core
        for cache in machine.caches
        if (cache.level, cache.kind) == (1, "data")
        for core, cpus in enumerate(cache.cpus)
        for cpu in list_cpus(cpus)
    }


def cores_among(machine: Machine, cpus: Iterable[int]) -> set[int]:
    """The cores of these CPUs.

    A CPU whose core is not known counts as a core and gets a negative number.
    """
    known = core_of_each_cpu(machine)
    return {known.get(cpu, -1 - cpu) for cpu in cpus}


def usable_threads(machine: Machine) -> list[HardwareThread]:
    """The hardware threads that the process may use, by package, core, and rank within the core."""
    allowed = set(list_cpus(machine.allowed_cpus))
    return [thread for thread in machine.threads if thread.cpu in allowed]


def usable_cores(machine: Machine) -> int:
    """The number of cores with at least one hardware thread that the process may use."""
    return len({thread.core for thread in usable_threads(machine)})


def order_of(name: str, machine: Machine) -> tuple[int, ...]:
    """The CPUs of ``machine`` in the order of ``compact``, ``scatter`` or ``smt``."""
    threads = usable_threads(machine)
    if name == SMT:
        return tuple(thread.cpu for thread in threads)
    ranks = _ranks_in_core(threads)
    if name == COMPACT:
        ordered = sorted(threads, key=lambda each: ranks[each.cpu])
        return tuple(thread.cpu for thread in ordered)
    places: dict[tuple[int, tuple[int, int]], int] = {}
    turns: dict[int, tuple[int, int]] = {}
    for thread in threads:
        domain = (ranks[thread.cpu], domain_of(thread))
        turns[thread.cpu] = (ranks[thread.cpu], places.setdefault(domain, 0))
        places[domain] += 1
    ordered = sorted(threads, key=lambda each: (turns[each.cpu], domain_of(each)))
    return tuple(thread.cpu for thread in ordered)


def domain_of(thread: HardwareThread) -> tuple[int, int]:
    """The package and NUMA node of a thread; -1 if unknown, so that unknown ones count as one."""
    package, node = thread.package, thread.node
    return (-1 if package is None else package, -1 if node is None else node)


def _ranks_in_core(threads: Sequence[HardwareThread]) -> dict[int, int]:
    """For each CPU, the number of usable CPUs before it in its core."""
    seen: dict[int, int] = {}
    ranks = {}
    for thread in threads:
        ranks[thread.cpu] = seen.get(thread.core, 0)
        seen[thread.core] = ranks[thread.cpu] + 1
    return ranks
