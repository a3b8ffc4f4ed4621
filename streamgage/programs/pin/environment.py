"""Makes the environment of a program whose threads are to be bound.

OpenMP runtimes bind their threads themselves, by ``OMP_PLACES``. GNU's runtime does so before
``main``, LLVM's and Intel's after a thread has started. So the preloaded library cannot override
them. GNU prefers ``OMP_PROC_BIND`` to ``GOMP_CPU_AFFINITY``. LLVM and Intel prefer
``KMP_AFFINITY``, and take away CPUs by ``KMP_HW_SUBSET``. These variables are left out. If the
library is to bind, LLVM and Intel must leave masks alone: without their own binding they give
every thread all CPUs again. ``KMP_AFFINITY=disabled`` prevents this, as in likwid-pin. With it
they warn of an ``OMP_PROC_BIND``, and GNU does not bind without that variable.
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
"""The main thread. The program's other threads are counted from 0 as they are made."""


@dataclass(frozen=True)
class Pinning:
    """The CPUs in the order of threads, and the other instructions for the library."""

    cpus: Sequence[int]
    skip: Sequence[int] = ()
    """Threads that are not bound: ``MAIN_THREAD``, or a number from 0 as they are made."""
    repeats: bool = False
    """``True`` if further threads begin again at the start of the list."""


def pinned_environment(
    pinning: Pinning, library: Path, report: Path, environment: Mapping[str, str]
) -> dict[str, str]:
    """``environment`` with the variables for the library and the OpenMP runtimes."""
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
    """OpenMP's variables, with a place per CPU; if a CPU is listed twice, the library binds."""
    threads = {"OMP_NUM_THREADS": environment.get("OMP_NUM_THREADS") or str(len(pinning.cpus))}
    if len(set(pinning.cpus)) < len(pinning.cpus) or pinning.skip or pinning.repeats:
        return threads | {"KMP_AFFINITY": "disabled"}
    places = ",".join(f"{{{cpu}}}" for cpu in pinning.cpus)
    return threads | {"OMP_PLACES": places, "OMP_PROC_BIND": "close"}
