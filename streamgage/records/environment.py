"""What a program finds here before it measures: ``streamgage-engine --binding``, ``--activity``."""

from __future__ import annotations

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import CpuSeconds, Duration, Members, NumberList, Seconds

_LEAST_LOST = 0.1
"""A smaller share of the time is what starting threads and interrupts cost."""
_LEAST_IDLE = 0.5
"""Idle CPUs must account for more than this share of the time that threads did not get."""


class ThreadTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The CPUs where one unbound thread may run, and where it ran."""

    mask: NumberList
    cpus_seen: NumberList


class CpuTimeTrial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What threads got that did nothing but compute, one bound to each CPU that may be used."""

    threads: Members
    seconds: Duration
    """Wall time."""
    cpu_seconds: Duration
    """CPU time of all threads together."""
    idle_seconds: CpuSeconds | None
    """Idle time of those CPUs meanwhile; null where the kernel does not report it."""

    @property
    def granted(self) -> float:
        """CPUs' worth of time that the threads got."""
        return self.cpu_seconds / self.seconds if self.seconds > 0 else 0.0

    @property
    def got_less(self) -> bool:
        """``True`` if the threads got clearly less than their CPUs' time, for whatever reason."""
        return self.cpu_seconds < (1 - _LEAST_LOST) * self.threads * self.seconds

    @property
    def held_back(self) -> bool:
        """Whether CPUs idled although threads bound to them had work: only a quota does that.

        Other programs and a hypervisor that take time leave no CPU idle.
        """
        lost = self.threads * self.seconds - self.cpu_seconds
        return (
            self.got_less
            and self.idle_seconds is not None
            and self.idle_seconds > _LEAST_IDLE * lost
        )


class Binding(Record, frozen=True, kw_only=True, tag="binding"):
    """OpenMP threads run as a launcher and the environment leave them."""

    inherited_cpus: NumberList | None
    """The affinity mask that the engine was started with; null if it is not known."""
    obtainable_cpus: NumberList | None
    """What a thread gets that asks for every CPU, i.e. the cpuset; null where it may not ask."""
    runtime_threads: Members
    """Threads that OpenMP starts by default."""
    asked_threads: Members
    """The number of threads that were started: OMP_NUM_THREADS, otherwise one per usable core, and
    at least two if the machine has two cores."""
    threads: list[ThreadTrace]
    serial_seconds: Seconds
    """Wall time of some work on one thread; ``parallel_seconds``: of as much on each of them, from
    the first start to the last end. The shortest of a few."""
    parallel_seconds: Seconds
    throttled_seconds: Duration | None
    """CPU-seconds that the CPU quota stopped the cgroup in that time; null if it has none."""
    cpu_time: CpuTimeTrial | None = None
    """The trial; null if the machine's record already knows whether there is a quota."""


class Activity(Record, frozen=True, kw_only=True, tag="activity"):
    """What went on while the engine did nothing; CPU-seconds on the CPUs that it may use."""

    cpus: NumberList
    seconds: Duration
    steal_seconds: CpuSeconds | None
    other_seconds: CpuSeconds | None
    """Busy time of those CPUs; it may be slightly below zero, because ticks are coarse."""
