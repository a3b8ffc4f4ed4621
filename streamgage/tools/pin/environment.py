"""The environment of a program whose threads are to be bound.

OpenMP runtimes bind their threads themselves, by ``OMP_PLACES``: GNU's does so before ``main``, and
LLVM's and Intel's after a thread has started, so that the preloaded library cannot have the last
word. GNU prefers ``OMP_PROC_BIND`` to ``GOMP_CPU_AFFINITY``; LLVM and Intel prefer
``KMP_AFFINITY`` and take away CPUs by ``KMP_HW_SUBSET``: these are left out. Where the library is
to bind, LLVM and Intel must be told to leave masks alone: without binding of their own they give
every thread all CPUs again. ``KMP_AFFINITY=disabled`` says so, as likwid-pin does; with it they
warn of an ``OMP_PROC_BIND``, and GNU does not bind where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LEFT_OUT = (
    *("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "KMP_HW_SUBSET"),
    *("OMP_PLACES", "OMP_PROC_BIND"),
)
MAIN_THREAD = -1
"""Among threads that are counted from 0 in the order in which the program makes them."""


@dataclass(frozen=True)
class Pinning:
    """CPUs in thread order, and what else is asked of the library."""

    cpus: Sequence[int]
    skip: Sequence[int] = ()
    """Threads that are not bound: ``MAIN_THREAD``, or a number from 0 as they are made."""
    repeats: bool = False
    """Threads beyond the list begin again at its start."""


def pinned_environment(
    pinning: Pinning, library: Path, report: Path, environment: Mapping[str, str]
) -> dict[str, str]:
    """``environment`` with what the library and OpenMP runtimes are to know."""
    left_out = {*_LEFT_OUT, "STREAMGAGE_PIN_REPEAT"}
    result = {name: value for name, value in environment.items() if name not in left_out}
    preloaded = [str(library), *environment.get("LD_PRELOAD", "").split()]
    result |= {
        "LD_PRELOAD": ":".join(preloaded),
        "STREAMGAGE_PIN_CPUS": ",".join(map(str, pinning.cpus)),
        "STREAMGAGE_PIN_SKIP": ",".join(map(str, pinning.skip)),
        "STREAMGAGE_PIN_REPORT": str(report),
    }
    if pinning.repeats:
        result["STREAMGAGE_PIN_REPEAT"] = "1"
    return result | _openmp(pinning, environment)


def _openmp(pinning: Pinning, environment: Mapping[str, str]) -> dict[str, str]:
    """A place a CPU; where a CPU is named twice, which places cannot say, the library binds."""
    threads = {"OMP_NUM_THREADS": environment.get("OMP_NUM_THREADS") or str(len(pinning.cpus))}
    if len(set(pinning.cpus)) < len(pinning.cpus) or pinning.skip or pinning.repeats:
        return threads | {"KMP_AFFINITY": "disabled"}
    places = ",".join(f"{{{cpu}}}" for cpu in pinning.cpus)
    return threads | {"OMP_PLACES": places, "OMP_PROC_BIND": "close"}
