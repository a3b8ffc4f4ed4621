"""What a program finds here before it measures: ``streamgage-engine --binding``, ``--activity``."""

from __future__ import annotations

import msgspec

from streamgage.records.base import NumberList, Record


class ThreadTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where one thread that nobody bound may run, and where it ran."""

    mask: NumberList
    cpus_seen: NumberList


class Binding(Record, frozen=True, kw_only=True, tag="binding"):
    """OpenMP threads run as a launcher and the environment leave them."""

    inherited_cpus: NumberList | None
    """The affinity mask that the engine was started with; null where it is not known."""
    obtainable_cpus: NumberList | None
    """What a thread gets that asks for every CPU, i.e. the cpuset; null where it may not ask."""
    runtime_threads: int
    """That OpenMP starts by itself."""
    asked_threads: int
    """That were asked of it: what OMP_NUM_THREADS says, otherwise one a core that may be used; two
    at least, where the machine has two cores."""
    threads: list[ThreadTrace]
    serial_seconds: float
    """Wall time of some work on one thread; ``parallel_seconds``: of as much on each of them, from
    the first start to the last end. The shortest of a few."""
    parallel_seconds: float
    throttled_seconds: float | None
    """CPU-seconds that the CPU quota stopped the cgroup meanwhile; null where there is none."""


class Activity(Record, frozen=True, kw_only=True, tag="activity"):
    """What went on while the engine did nothing; CPU-seconds on the CPUs that it may use."""

    cpus: NumberList
    seconds: float
    steal_seconds: float | None
    other_seconds: float | None
    """Busy time of those CPUs; it may be slightly below zero, because ticks are coarse."""
