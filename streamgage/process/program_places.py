"""Watches on which CPUs the threads of a program run."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

PROC = Path("/proc")
_FIRST_LOOKS = 0.1
"""Seconds between looks at a program with few threads."""
_COST = 0.005
"""The share of a CPU that looking may take."""
_STATE, _CPU = 0, 36
"""Places in ``/proc/PID/task/TID/stat`` after the name (proc(5))."""

Cpus = tuple[int, ...]
"""The CPU of each running thread, in ascending order."""


@dataclass
class ProgramLooks:
    """The CPUs of a program's threads, counted over all looks at one run of it."""

    layouts: Counter[Cpus] = field(default_factory=Counter)
    """The number of looks with each layout; looks without a running thread are left out."""


@contextmanager
def looks_at(pid: int, looks: ProgramLooks, proc: Path = PROC) -> Iterator[None]:
    """Look at process ``pid`` and all that it started, again and again until the block ends."""
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(pid, looks, proc, ended), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(pid: int, looks: ProgramLooks, proc: Path, ended: threading.Event) -> None:
    pause = _FIRST_LOOKS
    while not ended.wait(pause):
        before = time.thread_time()
        cpus = tuple(sorted(_running_threads(pid, proc)))
        if cpus:
            looks.layouts[cpus] += 1
        pause = max(_FIRST_LOOKS, (time.thread_time() - before) / _COST)


def _running_threads(pid: int, proc: Path) -> Iterator[int]:
    """Yield the CPU of each thread that runs or waits for its CPU."""
    for process in _family(pid, proc):
        for thread in _files(proc / str(process) / "task"):
            try:
                stat = (thread / "stat").read_bytes()
                words = stat.rpartition(b")")[2].split()
                if words[_STATE] == b"R":
                    yield int(words[_CPU])
            except (OSError, ValueError, IndexError):  # it has ended
                continue


def _family(pid: int, proc: Path) -> Iterator[int]:
    """Yield the process, those that it started, those that they started, and so on."""
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        yield process
        for thread in _files(proc / str(process) / "task"):
            try:
                waiting += [int(each) for each in (thread / "children").read_bytes().split()]
            except (OSError, ValueError):
                continue


def _files(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
