"""Reads the CPU time of this system, of this process and of its children from the kernel."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

_LEAST_BUSY = 0.5
"""The average number of CPUs below which a program seems to wait for others that do its work."""
_MOST_UNCOUNTED = 0.5
"""Share of a program's CPU time below which the kernel's account of the CPUs misses it."""
_BUSY = (1, 2, 3, 6, 7)
"""Places of user, nice, system, irq and softirq in a ``cpuN`` line of ``/proc/stat`` (proc(5))."""
_STEAL = 8


@dataclass(frozen=True)
class _CpuTime:
    seconds: float
    """CPU-seconds."""
    given_up: int
    """How often a CPU was given up voluntarily, to wait for something."""
    lost: int
    """How often a CPU was lost to another process that wanted it, too."""


@dataclass(frozen=True)
class _Reading:
    at: float
    cpus: float | None
    """Seconds for which the CPUs were busy or ran other guests; ``None`` if not known."""
    front: _CpuTime
    """CPU time used by this process."""
    children: _CpuTime
    """CPU time used by processes that it started and that have ended."""


class OthersWatch:
    """Measures the CPU time that other programs take while this process waits for its own ones."""

    def __init__(self, cpus: Collection[int], proc: Path = Path("/proc")) -> None:
        """Begin to watch these CPUs; ``proc`` is the folder of the kernel's accounts."""
        self._cpus, self._proc = frozenset(cpus), proc
        self._before = self._read()

    def taken(self) -> tuple[float, float] | None:
        """CPU-seconds that other programs used since the beginning, and all that were available.

        The first may be slightly below zero, because ticks are coarse. ``None`` if it is not
        known: the kernel may hide the accounts of the CPUs. Or the own programs may hardly have
        run here, without being held up by others, as clients of a batch system or of a container.
        """
        before, after = self._before, self._read()
        seconds = after.at - before.at
        if before.cpus is None or after.cpus is None or seconds <= 0:
            return None
        busy, own = after.cpus - before.cpus, _between(before.children, after.children)
        waited = own.seconds < _LEAST_BUSY * seconds and own.lost < own.given_up
        if waited or busy < _MOST_UNCOUNTED * own.seconds:
            return None
        front = _between(before.front, after.front).seconds
        return busy - own.seconds - front, seconds * len(self._cpus)

    def _read(self) -> _Reading:
        return _Reading(
            time.monotonic(),
            _busy_seconds(self._cpus, self._proc),
            _used(resource.RUSAGE_SELF),
            _used(resource.RUSAGE_CHILDREN),
        )


def _used(who: int) -> _CpuTime:
    usage = resource.getrusage(who)
    return _CpuTime(usage.ru_utime + usage.ru_stime, usage.ru_nvcsw, usage.ru_nivcsw)


def _between(before: _CpuTime, after: _CpuTime) -> _CpuTime:
    return _CpuTime(
        after.seconds - before.seconds,
        after.given_up - before.given_up,
        after.lost - before.lost,
    )


def _busy_seconds(cpus: Collection[int], proc: Path) -> float | None:
    try:
        found = dict(_cpu_lines((proc / "stat").read_text("ascii", "replace")))
        ticks = [int(found[cpu][word]) for cpu in cpus for word in (*_BUSY, _STEAL)]
    except (OSError, KeyError, IndexError, ValueError):
        return None
    return sum(ticks) / os.sysconf("SC_CLK_TCK") if cpus else None


def _cpu_lines(stat: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each CPU, and the words of its line."""
    for line in stat.splitlines():
        words = line.split()
        number = words[0].removeprefix("cpu") if words else ""
        if number.isdigit() and words[0] != number:
            yield int(number), words
