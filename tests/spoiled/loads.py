"""Programs that get in the way of a measurement, and ways to start one.

``python loads.py burn CPU DUTY SECONDS`` keeps one CPU busy for that share of the time, ``hog BYTES
CPU NICE SECONDS`` copies memory, on any CPU if that is below 0, and
``no-huge-pages COMMAND ...`` becomes a program that gets no transparent huge pages. A load ends
after its seconds, and with the program that started it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

_PR_SET_PDEATHSIG = 1
_PR_SET_THP_DISABLE = 41
"""See prctl(2); children inherit the setting, and exec keeps it."""
_LONGEST_SECONDS = 300.0
_PERIOD_SECONDS = 0.02
"""A program that works a part of the time works once in so long."""


@contextmanager
def burners(cpus: Sequence[int]) -> Iterator[None]:
    """A program that computes on each of these CPUs."""
    with part_time_burners(cpus, 1.0):
        yield


@contextmanager
def part_time_burners(cpus: Sequence[int], duty: float) -> Iterator[None]:
    """A program on each of these CPUs that computes for that share of the time."""
    with ExitStack() as stack:
        for cpu in cpus:
            stack.enter_context(_load("burn", str(cpu), str(duty)))
        yield


@contextmanager
def memory_hog(size: int) -> Iterator[None]:
    """A program that copies half of ``size`` bytes to the other half, again and again."""
    with _load("hog", str(size), "-1", "0"):
        yield


@contextmanager
def hog_on(cpu: int, nice: int) -> Iterator[None]:
    """The same on one CPU, with that nice value."""
    with _load("hog", str(512 << 20), str(cpu), str(nice)):
        yield


def without_huge_pages() -> list[str]:
    """What to put in front of a command so that it gets no transparent huge pages."""
    return [sys.executable, __file__, "no-huge-pages"]


@contextmanager
def _load(*arguments: str) -> Iterator[None]:
    command = [sys.executable, __file__, *arguments, str(_LONGEST_SECONDS)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            raise RuntimeError(f"The load {' '.join(arguments)} did not start.")
        yield
        if process.poll() is not None:
            raise RuntimeError(f"The load {' '.join(arguments)} ended before the measurement.")
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


def _end_with_parent() -> None:
    """Be killed when the program that started this one ends, however it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _burn(cpu: int, duty: float, seconds: float) -> None:
    os.sched_setaffinity(0, {cpu})
    print("ready", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rest = time.monotonic() + _PERIOD_SECONDS * duty
        while time.monotonic() < rest:
            pass
        if duty < 1.0:
            time.sleep(_PERIOD_SECONDS * (1.0 - duty))


def _hog(size: int, cpu: int, nice: int, seconds: float) -> None:
    if cpu >= 0:
        os.sched_setaffinity(0, {cpu})
    os.nice(nice)
    half = size // 2
    source, target = memoryview(bytearray(half)), memoryview(bytearray(half))
    source[::4096] = bytes([1]) * len(source[::4096])  # pages of its own, not the one zero page
    target[:] = source
    print("ready", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        target[:] = source


def _main(arguments: Sequence[str]) -> None:
    match list(arguments):
        case ["burn", cpu, duty, seconds]:
            _end_with_parent()
            _burn(int(cpu), float(duty), float(seconds))
        case ["hog", size, cpu, nice, seconds]:
            _end_with_parent()
            _hog(int(size), int(cpu), int(nice), float(seconds))
        case ["no-huge-pages", program, *rest]:
            _prctl(_PR_SET_THP_DISABLE, 1)
            os.execvp(program, [program, *rest])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    _main(sys.argv[1:])
