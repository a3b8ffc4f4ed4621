"""Ways of placing workers: for each name the order in which a machine's CPUs are used.

Orders are of the CPUs that the process may use; n workers with one thread each have the first n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.analysis.cores import COMPACT, SCATTER, SMT
from streamgage.results.scale.document import SameBinding

CORES = "cores"
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
