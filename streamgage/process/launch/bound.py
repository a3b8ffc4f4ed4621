"""Finds out whether a launcher has bound this rank, and whether ranks have separate CPUs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from streamgage.cpu_list import HIGHEST_CPU


def obtainable_cpus() -> set[int]:
    """The CPUs that this thread gets if it asks for all, which are those of its cpuset."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, range(HIGHEST_CPU + 1))
    except OSError:  # forbidden here
        return before
    try:
        return os.sched_getaffinity(0)
    finally:
        os.sched_setaffinity(0, before)


def is_bound_by_its_launcher(variable: str) -> bool:
    """Return whether this rank may use fewer CPUs than the process that started the ranks.

    ``variable`` is one that the launcher set for each rank. Without binding, ranks have the CPUs of
    the launcher, even if those are restricted, as by ``taskset`` in front of the launcher.
    """
    mine = os.sched_getaffinity(0)
    return mine < obtainable_cpus() and mine != _cpus_of_the_launcher(variable)


def _cpus_of_the_launcher(variable: str) -> set[int] | None:
    """The CPUs of the nearest ancestor whose ``variable`` differs; ``None`` if not known."""
    mark = f"{variable}={os.environ.get(variable, '')}".encode()
    process = os.getppid()
    try:
        while process > 0 and mark in _environment(process):
            process = _parent(process)
        return os.sched_getaffinity(process) if process > 0 else None
    except OSError:
        return None


def _environment(process: int) -> list[bytes]:
    """The environment of a process; empty for a process of another user."""
    try:
        return Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except PermissionError:
        return []


def _parent(process: int) -> int:
    """The parent of a process, which stands behind the name in its ``stat``."""
    stat = Path(f"/proc/{process}/stat").read_bytes()
    return int(stat.rpartition(b")")[2].split()[1])


def slurm_gave_each_task_its_own(variables: Mapping[str, str], tasks: int | None) -> bool:
    """Return whether Slurm bound the tasks of this node to CPUs that no two of them share."""
    if not variables.get("SLURM_CPU_BIND_TYPE", "").startswith("mask_cpu"):
        return False
    try:
        masks = [int(each, 16) for each in variables.get("SLURM_CPU_BIND_LIST", "").split(",")]
    except ValueError:
        return False
    union = 0
    for mask in masks:
        union |= mask
    return len(masks) == tasks and union.bit_count() == sum(mask.bit_count() for mask in masks)
