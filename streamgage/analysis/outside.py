"""The share of a run's CPUs that went to others while it measured."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.cpu_list import count_cpus
from streamgage.records.run import Run
from streamgage.units import format_share

MUCH = 0.02
"""Share of the CPUs' time that others may have before it tells something."""


def share_of_cpus(run: Run, cpu_seconds: float) -> float | None:
    """Share of the time of the CPUs in use; null where that time is not known."""
    wall = sum(each.seconds for each in run.disturbances)
    cpus = _cpus_in_use(run)
    return cpu_seconds / (wall * cpus) if wall > 0 and cpus else None


def taken_by_others(run: Run) -> float | None:
    """Share that other processes and the hypervisor took; null where that is unknown."""
    told = [
        each
        for record in run.disturbances
        for each in (record.other_seconds, record.steal_seconds)
        if each is not None
    ]
    return share_of_cpus(run, max(0.0, sum(told))) if told else None  # one may be below zero


def taken_finding(share: float, what: str) -> Finding | None:
    """The finding on ``what``, from whose CPUs others took that share; null where it is little."""
    if share <= MUCH:
        return None
    return Finding(
        code="other-load",
        severity="warning",
        text=f"Other programs or the hypervisor took {format_share(share)} of the CPUs' time from"
        f" {what}: figures scatter and are too low, latencies too high. Stop what else runs (see"
        " top), or measure again at a quieter time.",
    )


def _cpus_in_use(run: Run) -> int:
    if run.placement is None:
        return 0
    if run.placement.kind == "none" and run.machine is not None:
        return count_cpus(run.machine.allowed_cpus)
    return run.placement.cpus_in_use
