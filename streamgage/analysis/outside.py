"""The share of a run's CPUs that other programs and the hypervisor took while it measured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from streamgage.analysis.finding import Finding, Severity
from streamgage.analysis.thread_places import cpus_in
from streamgage.cpu_list import count_cpus
from streamgage.records.warnings import MUCH_LOAD
from streamgage.units import format_share

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run

SPOILING = 0.10
"""The share from which on figures no longer describe the memory."""
HALF_A_CPU = 0.5
"""The load in CPUs that spoils a run of any size: all threads wait for the one that shares its
CPU."""
_TICKS_SECONDS = 0.03
"""The possible error of the kernel's count of a CPU's time, in seconds. It counts in ticks of 10 ms
for each kind of work."""


def severity_of(share: float, in_cpus: float, *, quiet: bool = False) -> Severity | None:
    """How severe it is if others take that share of the CPUs; ``None`` if it does not matter.

    ``in_cpus``: the same load as a number of CPUs. ``quiet``: whether the figures count only the
    time in which all threads had their CPUs. Then others can still use the memory meanwhile.
    """
    if share <= MUCH_LOAD:
        return None
    spoils = share > SPOILING or in_cpus >= HALF_A_CPU
    return "spoiled" if spoils and not quiet else "warning"


def quiet_share(run: Run) -> float | None:
    """The share of the measured time in which every thread had its CPU, which alone counts.

    ``None`` where the threads were not watched in each sample, so that figures may include the time
    of others.
    """
    samples = [
        sample
        for group in (run.samples, run.disturbed)
        for samples in group.values()
        for sample in samples
    ]
    if not samples or any(sample.quiet is None for sample in samples):
        return None
    quiet = sum(
        sum(sample.quiet.nanoseconds) * 1e-9
        if sample.pass_seconds is None or sample.pass_seconds * sample.passes != sample.seconds
        else sample.seconds
        for sample in samples
        if sample.quiet is not None
    )
    return min(1.0, quiet / sum(sample.seconds for sample in samples))


def felt(run: Run) -> float | None:
    """The share that others took of the time that figures count; ``None`` if it is unknown."""
    return taken_by_others(run) if quiet_share(run) is None else 0.0


def share_of_cpus(run: Run, cpu_seconds: float) -> float | None:
    """The CPU-seconds as a share of the time of the CPUs in use.

    ``None`` if that time is unknown.
    """
    of_run = _cpu_seconds(run)
    return cpu_seconds / of_run if of_run > 0 else None


def _cpu_seconds(run: Run) -> float:
    """The CPU-seconds of the CPUs in use while the run was watched."""
    return sum(each.seconds for each in run.disturbances) * _cpus_in_use(run)


def taken_by_others(run: Run) -> float | None:
    """The share that other processes and the hypervisor took; ``None`` if it is unknown."""
    seconds = _seconds_of_others(run)
    return None if seconds is None else share_of_cpus(run, max(0.0, seconds))


def surely_taken(run: Run) -> float:
    """The least share that others certainly took. In a short run the kernel's ticks hide much."""
    seconds = (_seconds_of_others(run) or 0.0) - _TICKS_SECONDS * _cpus_in_use(run)
    return share_of_cpus(run, max(0.0, seconds)) or 0.0


def taken_from(runs: Iterable[Run]) -> float | None:
    """The share that others took in all runs together; ``None`` if it is unknown for all of them.

    In short runs the errors of the kernel's ticks give others too much or too little time. In the
    sum they cancel.
    """
    others = of_all = 0.0
    for run in runs:
        seconds, of_run = _seconds_of_others(run), _cpu_seconds(run)
        if seconds is not None and of_run:
            others += seconds
            of_all += of_run
    return max(0.0, others) / of_all if of_all else None


def _seconds_of_others(run: Run) -> float | None:
    """The CPU-seconds that others took; for a short run they may be below zero."""
    seconds = [
        each
        for record in run.disturbances
        for each in (record.other_seconds, record.steal_seconds)
        if each is not None
    ]
    return sum(seconds) if seconds else None


def taken_finding(share: float, what: str) -> Finding | None:
    """Make the finding that others took this share from ``what``; ``None`` if it is too little."""
    severity = severity_of(share, 0.0)
    if severity is None:
        return None
    return Finding(
        code="other-load",
        severity=severity,
        reason=f"other programs or the hypervisor took {format_share(share)} of the CPUs",
        text=f"Other programs or the hypervisor took {format_share(share)} of the CPUs' time from"
        f" {what}: figures scatter and are too low, latencies too high. Stop other programs (see"
        " top), or measure again at a quieter time.",
    )


def _cpus_in_use(run: Run) -> int:
    """Count the CPUs in use as the engine does.

    Unbound threads may use all that the process may.
    """
    if run.placement is None:
        return 0
    if run.placement.kind == "none" and run.machine is not None:
        return count_cpus(run.machine.allowed_cpus)
    return cpus_in(run.placement.threads)
