"""Checks what else runs: other programs, other guests, other benchmarks."""

from __future__ import annotations

from streamgage.analysis.activity import cpu_loss
from streamgage.cpu_list import count_cpus
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, State, unknown_check
from streamgage.units import count, format_share

_MOST_NAMED, _MOST_BUSY = 5, 4


def load(surroundings: Surroundings) -> Check:
    """Check the CPU time that other programs take."""
    seconds = surroundings.activity.other_seconds
    if seconds is None:
        return unknown_check("load", "the kernel does not report busy CPUs (/proc/stat)")
    ends = "end them" if surroundings.busy else "end them (top shows them)"
    return _taken(
        surroundings,
        seconds,
        "load",
        by="other programs used",
        who=_who(surroundings),
        why="a thread that shares its CPU makes all others wait",
        remedy=f"{ends}, or measure on other CPUs: streamgage --cpus LIST",
    )


def _who(surroundings: Surroundings) -> str:
    """``: python (pid 26620) 68 %, cc1plus (pid 3582) 31 % and 2 more``; empty if unknown."""
    busy, seconds = surroundings.busy, surroundings.activity.seconds
    named = [
        f"{each.name} (pid {each.pid}) {format_share(each.cpu_seconds / seconds)}"
        for each in busy[:_MOST_BUSY]
    ]
    more = f" and {len(busy) - _MOST_BUSY} more" if len(busy) > _MOST_BUSY else ""
    return f": {', '.join(named)}{more}" if named else ""


def steal(surroundings: Surroundings) -> Check:
    """Check the CPU time that the hypervisor gave to others."""
    seconds = surroundings.activity.steal_seconds
    if seconds is None:
        return unknown_check("steal", "the kernel does not report steal time (/proc/stat)")
    return _taken(
        surroundings,
        seconds,
        "steal",
        by="the hypervisor took",
        why="other guests share these CPUs, and perhaps the memory: figures are a lower bound",
        remedy="measure at a quieter time, or on an instance with CPUs of its own",
    )


def benchmarks(surroundings: Surroundings) -> Check:
    """Look for programs that fill the memory bus on purpose, by their names."""
    if not surroundings.programs:
        return unknown_check(
            "benchmarks", "no other process can be seen from here (a container, or a hidden /proc)"
        )
    found = [each for each in surroundings.programs if each.fills_memory_bus]
    seen = count(len(surroundings.programs), "process", "processes")
    if not found:
        return Check(
            code="benchmarks",
            state="passed",
            seen=f"none of the {seen} that can be seen is a memory benchmark",
        )
    named = ", ".join(f"{each.name} (process {each.pid})" for each in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    return Check(
        code="benchmarks",
        state="spoils",
        seen=f"running now: {named}{more}",
        why="they use the memory bandwidth that is measured, on any CPU",
        remedies=["wait for them to end, or: kill " + " ".join(str(each.pid) for each in found)],
    )


def _taken(
    surroundings: Surroundings,
    cpu_seconds: float,
    code: str,
    *,
    by: str,
    why: str,
    remedy: str,
    who: str = "",
) -> Check:
    """Judge how bad it is that CPUs were taken for so long."""
    activity = surroundings.activity
    found = cpu_loss(activity, cpu_seconds)
    which = "CPU" if count_cpus(activity.cpus) == 1 else "CPUs"
    seen = (
        f"{by} {format_share(found.share)} of {which} {activity.cpus} in"
        f" {activity.seconds:.1f} s ({max(0.0, cpu_seconds):.2f} CPU-seconds)"
    )
    if found.little:
        return Check(code=code, state="passed", seen=seen)
    state: State = "spoils" if found.much else "advice"
    return Check(code=code, state=state, seen=f"{seen}{who}", why=why, remedies=[remedy])
