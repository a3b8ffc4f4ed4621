"""Checks for variables that restrict OpenMP, in this program or in others started here."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.machine.doctor.checks.narrowing import narrowed_by
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, State
from streamgage.units import count

CODE = "openmp"
_BINDING = ("OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY")
_OF_OTHER_RUNTIMES = (
    *("KMP_AFFINITY", "KMP_HW_SUBSET", "KMP_PLACE_THREADS", "KMP_DEVICE_THREAD_LIMIT"),
    *("KMP_ALL_THREADS", "KMP_TEAMS_THREAD_LIMIT"),
)
_WATCHED = (
    *("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_DYNAMIC", *_BINDING),
    *_OF_OTHER_RUNTIMES,
)
_STATES: tuple[State, ...] = ("passed", "advice", "spoils")

_Remark = tuple[State, str, str]
"""The state, the reason, and the name of the variable."""


def openmp(surroundings: Surroundings) -> Check:
    """Check which OpenMP variables restrict threads; the worst of them decides the state."""
    values = {name: surroundings.variables[name] for name in _WATCHED if _said(surroundings, name)}
    if not values:
        return Check(code=CODE, state="passed", seen="no variable of OpenMP restricts threads")
    seen = " ".join(f"{name}={value[:60]}" for name, value in values.items())
    remarks = list(_remarks(surroundings))
    if not remarks:
        return Check(code=CODE, state="passed", seen=f"{seen}: restricts nothing here")
    return Check(
        code=CODE,
        state=max((state for state, _, _ in remarks), key=_STATES.index),
        seen=seen,
        why="; ".join(why for _, why, _ in remarks),
        remedies=[f"unset {' '.join(dict.fromkeys(name for _, _, name in remarks))}"],
    )


def _said(surroundings: Surroundings, name: str) -> bool:
    return bool(surroundings.variables.get(name, "").strip())


def _remarks(surroundings: Surroundings) -> Iterator[_Remark]:
    cores = surroundings.cores(surroundings.obtainable)
    limit = _number(surroundings, "OMP_THREAD_LIMIT")
    if limit is not None and limit < cores:
        yield (
            "spoils",
            f"no program gets more than {count(limit, 'thread')}, fewer than its"
            f" {count(cores, 'core')}",
            "OMP_THREAD_LIMIT",
        )
    threads = _number(surroundings, "OMP_NUM_THREADS")
    if threads is not None and threads != cores:
        yield (
            "advice",
            f"OpenMP programs run {count(threads, 'thread')} on {count(cores, 'core')} (streamgage"
            " measure takes its number from --threads)",
            "OMP_NUM_THREADS",
        )
    if surroundings.variables.get("OMP_DYNAMIC", "").strip().lower() == "true":
        yield ("advice", "OpenMP may start fewer threads when CPUs are busy", "OMP_DYNAMIC")
    if narrowed_by(surroundings) == "openmp":
        for name in _BINDING:
            if _said(surroundings, name):
                yield ("advice", "threads are restricted to some of the CPUs (see binding)", name)
    for name in _OF_OTHER_RUNTIMES:
        if _said(surroundings, name):
            yield (
                "advice",
                "it only affects programs with the OpenMP runtime of LLVM or Intel, which was"
                " not tested here",
                name,
            )


def _number(surroundings: Surroundings, name: str) -> int | None:
    """The first number of a list by nesting level; ``None`` if it is not a number."""
    text = surroundings.variables.get(name, "").split(",")[0].strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
