"""What a program finds here before it measures: ``streamgage-engine --binding``, ``--activity``."""

from __future__ import annotations

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import CpuSeconds, Duration, Members, NumberList, Seconds


class ThreadTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where one unbound thread may run, and where it ran."""

    mask: NumberList
    cpus_seen: NumberList


class Binding(Record, frozen=True, kw_only=True, tag="binding"):
    """OpenMP threads run as a launcher and the environment leave them."""

    inherited_cpus: NumberList | None
    """The affinity mask that the engine was started with; null where it is not known."""
    obtainable_cpus: NumberList | None
    """What a thread gets that asks for every CPU, i.e. the cpuset; null where it may not ask."""
    runtime_threads: Members
    """That OpenMP starts by itself."""
    asked_threads: Members
    """That were asked of it: what OMP_NUM_THREADS says, otherwise one per core that may be used,
    and at least two where the machine has two cores."""
    threads: list[ThreadTrace]
    serial_seconds: Seconds
    """Wall time of some work on one thread; ``parallel_seconds``: of as much on each of them, from
    the first start to the last end. The shortest of a few."""
    parallel_seconds: Seconds
    throttled_seconds: Duration | None
    """CPU-seconds that the CPU quota stopped the cgroup in that time; null where it has none."""


class Activity(Record, frozen=True, kw_only=True, tag="activity"):
    """What went on while the engine did nothing; CPU-seconds on the CPUs that it may use."""

    cpus: NumberList
    seconds: Duration
    steal_seconds: CpuSeconds | None
    other_seconds: CpuSeconds | None
    """Busy time of those CPUs; it may be slightly below zero, because ticks are coarse."""
