"""The environment before a measurement: ``streamgage-engine --binding`` and ``--activity``."""

from __future__ import annotations

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import CpuSeconds, Duration, Members, NumberList, Seconds

_LEAST_LOST = 0.1
"""A smaller share of lost time is the usual cost of interrupts and of starting threads."""
_LEAST_IDLE = 0.5
"""Idle CPUs must explain more than this share of the time that the threads did not get."""


class ThreadTrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The CPUs on which one unbound thread may run, and those on which it ran."""

    mask: NumberList
    cpus_seen: NumberList


class CpuTimeTrial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The CPU time that computing threads got, with one thread bound to each usable CPU."""

    threads: Members
    seconds: Duration
    """The wall time of the trial."""
    cpu_seconds: Duration
    """The CPU time of all threads together."""
    idle_seconds: CpuSeconds | None
    """The idle time of those CPUs during the trial; null if the kernel does not report it."""

    @property
    def granted(self) -> float:
        """The number of CPUs whose full time the threads got."""
        return self.cpu_seconds / self.seconds if self.seconds > 0 else 0.0

    @property
    def got_less(self) -> bool:
        """``True`` if the threads clearly got less than their CPUs' time, for whatever reason."""
        return self.cpu_seconds < (1 - _LEAST_LOST) * self.threads * self.seconds

    @property
    def held_back(self) -> bool:
        """Return whether CPUs were idle although the threads bound to them had work.

        Only a quota does that. Other programs and a hypervisor that take time leave no CPU idle.
        """
        lost = self.threads * self.seconds - self.cpu_seconds
        return (
            self.got_less
            and self.idle_seconds is not None
            and self.idle_seconds > _LEAST_IDLE * lost
        )


class Binding(Record, frozen=True, kw_only=True, tag="binding"):
    """The result of running OpenMP threads with the launcher's and the environment's settings."""

    inherited_cpus: NumberList | None
    """The affinity mask that the engine was started with; null if it is unknown."""
    obtainable_cpus: NumberList | None
    """The CPUs that a thread gets if it requests all of them, that is, the cpuset. Null if the
    request is not allowed."""
    runtime_threads: Members
    """The number of threads that OpenMP starts by default."""
    asked_threads: Members
    """The number of threads that were started: OMP_NUM_THREADS, otherwise one per usable core, and
    at least two if the machine has two cores."""
    threads: list[ThreadTrace]
    serial_seconds: Seconds
    """The wall time of some work on one thread. ``parallel_seconds`` is the time for the same work
    on every thread at once, from the first start to the last end. Both are the shortest of a few
    trials."""
    parallel_seconds: Seconds
    throttled_seconds: Duration | None
    """The CPU-seconds for which the CPU quota stopped the cgroup in that time; null without a
    quota."""
    cpu_time: CpuTimeTrial | None = None
    """The trial; null if the machine's record already shows whether there is a quota."""


class Activity(Record, frozen=True, kw_only=True, tag="activity"):
    """What other programs did while the engine was idle, in CPU-seconds.

    Only the CPUs that the engine may use are counted.
    """

    cpus: NumberList
    seconds: Duration
    steal_seconds: CpuSeconds | None
    other_seconds: CpuSeconds | None
    """The time for which others used those CPUs. It may be slightly below zero, because ticks are
    coarse."""
