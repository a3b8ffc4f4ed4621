"""Reads what the preloaded library wrote about threads: see ``engine/pin/pin_report.c``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

SKIPPED = -1
BEYOND = -2
OWN = -3
_FIELDS = 8


@dataclass(frozen=True)
class ObservedPlace:
    """The CPU on which a thread was, and those on which it might run, as the kernel reported."""

    cpu: int
    mask: str


@dataclass(frozen=True)
class PinnedThread:
    """One thread of the program, or of a program that it started."""

    process: int
    thread: int
    number: int
    """Number of the thread in the order of creation; the main thread is 0."""
    wanted: int
    """The CPU on which it should run; ``SKIPPED``, ``BEYOND`` the list, or its ``OWN`` choice."""
    name: str
    begin: ObservedPlace
    end: ObservedPlace | None
    """Where it was at its end; ``None`` if the program ended before that was known."""


def read_report(path: Path) -> list[PinnedThread]:
    """Read the threads, in the order in which they began."""
    threads: dict[tuple[int, int, int], PinnedThread] = {}
    for line in path.read_text("utf-8", "replace").splitlines():
        fields = line.split(" ", _FIELDS - 1)
        if len(fields) < _FIELDS:
            continue  # the disk was full
        process, thread, number, wanted, cpu = map(int, fields[1:6])
        key = (process, thread, number)
        seen = ObservedPlace(cpu, fields[6])
        if fields[0] == "begin":
            threads[key] = PinnedThread(process, thread, number, wanted, fields[7], seen, None)
        elif key in threads:
            threads[key] = replace(threads[key], end=seen, name=fields[7])
    return list(threads.values())
