"""Ways of placing workers: for each name the order in which a machine's CPUs are used.

Orders are of the CPUs that the process may use; n workers with one thread each have the first n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.cpu_list import list_cpus
from streamgage.records import HardwareThread, Machine
from streamgage.results.scale.document import SameBinding

COMPACT = "compact"
SCATTER = "scatter"
CORES = "cores"
SMT = "smt"
DOMAINS = "domains"
NONE = "none"
CLOSE = "omp-close"
SPREAD = "omp-spread"
LAUNCHER = "launcher"

MEANINGS = {
    COMPACT: "one a core, a NUMA node and a package after the other",
    SCATTER: "one a core, the NUMA nodes in turn",
    CORES: "one a core, spread over NUMA nodes and caches, neighbours side by side",
    SMT: "all hardware threads of a core before the next core",
    NONE: "not bound",
    CLOSE: "the OpenMP runtime binds: OMP_PROC_BIND=close, OMP_PLACES=cores",
    SPREAD: "the OpenMP runtime binds: OMP_PROC_BIND=spread, OMP_PLACES=cores",
    LAUNCHER: "the launcher binds as it does by default",
}
_OF_EXPRESSION = "in the order of the expression"
ORDERED = (COMPACT, SCATTER, SMT)
"""Those that are an order of CPUs, drawn up here."""
OF_OPENMP = {
    CLOSE: {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
    SPREAD: {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"},
}

Kind = Literal["cpus", "cores", "none"]


@dataclass(frozen=True)
class Way:
    """One way of placing workers; ``cpus`` in the order of use where ``kind`` is ``cpus``."""

    name: str
    kind: Kind
    room: int
    """Threads that it has CPUs for."""
    cpus: tuple[int, ...] = ()


def meaning_of(name: str) -> str:
    """What a binding is, in a few words."""
    return MEANINGS.get(name, _OF_EXPRESSION)


def usable_threads(machine: Machine) -> list[HardwareThread]:
    """Hardware threads that the process may use: by package, core, and rank within the core."""
    allowed = set(list_cpus(machine.allowed_cpus))
    return [thread for thread in machine.threads if thread.cpu in allowed]


def usable_cores(machine: Machine) -> int:
    """Cores of which the process may use a hardware thread."""
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
        domain = (ranks[thread.cpu], (thread.package, thread.node))
        turns[thread.cpu] = (ranks[thread.cpu], places.setdefault(domain, 0))
        places[domain] += 1
    ordered = sorted(threads, key=lambda each: (turns[each.cpu], each.package, each.node))
    return tuple(thread.cpu for thread in ordered)


def _ranks_in_core(threads: Sequence[HardwareThread]) -> dict[int, int]:
    """Of each CPU: how many before it are usable in its core."""
    seen: dict[int, int] = {}
    ranks = {}
    for thread in threads:
        ranks[thread.cpu] = seen.get(thread.core, 0)
        seen[thread.core] = ranks[thread.cpu] + 1
    return ranks


def without_doubles(ways: Sequence[Way]) -> tuple[list[Way], list[SameBinding]]:
    """``ways`` without those that are the same CPUs in the same order."""
    kept: list[Way] = []
    left_out = []
    for way in ways:
        same = next((each for each in kept if way.cpus and each.cpus == way.cpus), None)
        if same is None:
            kept.append(way)
        else:
            left_out.append(SameBinding(binding=way.name, same_as=same.name))
    return kept, left_out
