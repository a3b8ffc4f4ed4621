"""Ways of placing workers: for each name, the order in which a machine's CPUs are used.

The orders only have CPUs that the process may use. n workers with one thread each get the first n.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.analysis.cores import COMPACT, CORES, NONE, SCATTER, SMT
from streamgage.errors import UsageError
from streamgage.process.launch import LauncherName
from streamgage.results.scale.document import PlacedWorkers, SamePlacement

DOMAINS = "domains"
CLOSE = "omp-close"
SPREAD = "omp-spread"
LAUNCHER = "launcher"
UNRECORDED = "unrecorded"

MEANINGS = {
    COMPACT: "one per core, filling one NUMA node and package after the other",
    SCATTER: "one per core, in turn on each NUMA node",
    CORES: "one per core, spread over NUMA nodes and caches, neighbours on nearby cores",
    SMT: "all hardware threads of a core before the next core",
    NONE: "not bound",
    CLOSE: "the OpenMP runtime binds: OMP_PROC_BIND=close, OMP_PLACES=cores",
    SPREAD: "the OpenMP runtime binds: OMP_PROC_BIND=spread, OMP_PLACES=cores",
    LAUNCHER: "the launcher binds as it does by default",
    UNRECORDED: "the output does not say where the workers ran",
}
NAMES = (*(name for name in MEANINGS if name != UNRECORDED), DOMAINS)
"""Those that a user may give."""
_EXAMPLES = {
    LauncherName.OPENMPI: "--bind-to core --map-by numa",
    LauncherName.MPICH: "-bind-to core",
    LauncherName.SLURM: "--cpu-bind=cores",
}
_OF_EXPRESSION = "in the order of the expression"
OF_OPENMP = {
    CLOSE: {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
    SPREAD: {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"},
}

Kind = Literal["cpus", "cores", "none"]
_BY_LAUNCHER = "the launcher binds by these options"


@dataclass(frozen=True)
class Way:
    """One way of placing workers. ``cpus`` is in the order of use if ``kind`` is ``cpus``."""

    name: str
    kind: Kind
    room: int
    """The number of threads for which it has CPUs."""
    cpus: tuple[int, ...] = ()
    launcher: LauncherName | None = None
    """The launcher that this placement is for; ``None`` means any."""
    options: tuple[str, ...] = ()
    """The launcher's options for this placement."""


def meaning_of(name: str) -> str:
    """Describe a placement in a few words."""
    if _launcher_named(name) is not None:
        return _BY_LAUNCHER
    return MEANINGS.get(name, _OF_EXPRESSION)


def binds_workers(name: str) -> bool:
    """Return whether streamgage itself binds each worker, and not a launcher or a runtime."""
    return name not in (NONE, LAUNCHER, UNRECORDED, *OF_OPENMP) and _launcher_named(name) is None


def launcher_options(name: str) -> tuple[LauncherName, tuple[str, ...]] | None:
    """The launcher and its options in ``openmpi:--bind-to core``; ``None`` for any other name.

    Raises ``UsageError`` if the options cannot be read.
    """
    launcher = _launcher_named(name)
    if launcher is None:
        return None
    text = name.partition(":")[2]
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(
            f"The options of {name!r} cannot be read ({error}): close the quotes."
        ) from error
    if not words or not words[0].startswith("-"):
        raise UsageError(
            f"The placement {name!r} has no options for the launcher: write them after the colon,"
            f" such as '{launcher}:{_EXAMPLES[launcher]}'."
        )
    return launcher, words


def _launcher_named(name: str) -> LauncherName | None:
    head, colon, _ = name.partition(":")
    return LauncherName(head) if colon and head in _EXAMPLES else None


def unbound(placements: Iterable[PlacedWorkers]) -> set[str]:
    """The names of those that leave it to the kernel where workers run."""
    return {each.name for each in placements if each.way == NONE}


def without_doubles(ways: Sequence[Way]) -> tuple[list[Way], list[SamePlacement]]:
    """Remove ways that use the same CPUs in the same order as an earlier one."""
    different: list[Way] = []
    left_out = []
    for way in ways:
        same = next((each for each in different if way.cpus and each.cpus == way.cpus), None)
        if same is None:
            different.append(way)
        else:
            left_out.append(SamePlacement(placement=way.name, same_as=same.name))
    return different, left_out
