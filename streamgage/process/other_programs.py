"""Watches the other programs on this system, and the CPU time that each of them uses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from streamgage.process.engine import ask
from streamgage.records import Activity

PROC = Path("/proc")
LOOK_SECONDS = 1
"""Seconds of a look, in which each CPU has a hundred ticks of the kernel."""
_LONGEST_LOOK = LOOK_SECONDS + 4.0
"""The most seconds of a look, with an engine that starts slowly on a busy machine."""
_LEAST = 0.05
"""The least share of a CPU of a program that counts as busy."""
_ENGINE = "streamgage-engi"
"""The kernel's shortened name of the engine, also of the engine for ranks."""
_MOST_OF_A_NAME = 15
"""The most characters of a program's name; the kernel cuts off the rest."""
_UTIME, _STIME, _START = 11, 12, 19
"""Places in ``/proc/PID/stat``, counted after the name, which may contain anything (proc(5))."""

_BENCHMARKS = re.compile(
    r"""stream([._-].*|[0-9].*|c|f)?    # STREAM as people name it; not streamlit or streamgage
    |babelstream.*|(acc|cuda|futhark|hc|hip|kokkos|ocl|omp|raja|serial|std-(data|indices|ranges)
    |sycl|sycl2020-(acc|usm)|tbb|thrust)-stream  # BabelStream's, by programming model
    |likwid-bench|mlc|mlc_avx512|bw_?bench.*|sysbench|stress|stress-ng.*|streamgage-engine
    |mbw|pmbw|tinymembench|bw_mem|lat_mem_rd|membw|multichase|multiload|xhpcg|memtester""",
    re.VERBOSE | re.IGNORECASE,
)
"""A pattern for the whole names of programs that fill the memory bus."""


@dataclass(frozen=True)
class RunningProgram:
    """A program that runs on this system, with its number and the base name of its file."""

    pid: int
    name: str

    @property
    def fills_memory_bus(self) -> bool:
        """``True`` if it is a known benchmark of memory."""
        return _BENCHMARKS.fullmatch(self.name) is not None


@dataclass(frozen=True)
class BusyProgram(RunningProgram):
    """A program that used the CPUs during a look."""

    cpu_seconds: float


@dataclass(frozen=True)
class SystemActivity:
    """What used the CPUs of this system during one second."""

    activity: Activity
    programs: tuple[BusyProgram, ...]
    """The busy programs that can be seen from here, the busiest first."""
    engines: tuple[BusyProgram, ...] = ()
    """Other measurements of streamgage; they are not among the programs."""


def running_programs(proc: Path = PROC) -> Iterator[RunningProgram]:
    """Yield every other program under ``proc``, without those that end meanwhile."""
    for folder in proc.glob("[0-9]*"):
        if folder.name == str(os.getpid()):
            continue
        first = _command(folder)
        if first:  # threads of the kernel, and what has ended, have none
            yield RunningProgram(int(folder.name), first)


def watch_programs(engine: Path, proc: Path = PROC) -> SystemActivity:
    """Watch for a second what uses the CPUs that this process may use.

    Raises ``StreamgageError`` if the engine fails, or is too old for this.
    """
    before = dict(_processes(proc))
    activity = ask(engine, ["--activity", str(LOOK_SECONDS)], Activity, most_seconds=_LONGEST_LOOK)
    busy = sorted(
        _busy_programs(before, dict(_processes(proc)), proc),
        key=lambda each: (-each.cpu_seconds, each.pid),
    )
    return SystemActivity(
        activity,
        tuple(each for each in busy if not each.name.startswith(_ENGINE)),
        tuple(each for each in busy if each.name.startswith(_ENGINE)),
    )


_Process = tuple[int, int]
"""A process's number and its start time, because numbers are used again."""


def _busy_programs(
    before: Mapping[_Process, tuple[str, int]],
    after: Mapping[_Process, tuple[str, int]],
    proc: Path,
) -> Iterator[BusyProgram]:
    ticks_a_second = os.sysconf("SC_CLK_TCK")
    for process, (name, ticks) in after.items():
        # All that one has used which was not there before, it has used since.
        seconds = (ticks - before.get(process, ("", 0))[1]) / ticks_a_second
        if seconds >= _LEAST * LOOK_SECONDS and process[0] != os.getpid():
            yield BusyProgram(process[0], _whole_name(name, proc / str(process[0])), seconds)


def _processes(proc: Path) -> Iterator[tuple[_Process, tuple[str, int]]]:
    """Yield the name and the ticks of CPU time of each process that is not hidden."""
    for folder in proc.glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_bytes().decode("utf-8", "replace")
            name, _, rest = stat.partition("(")[2].rpartition(")")
            words = rest.split()
            ticks = int(words[_UTIME]) + int(words[_STIME])
            yield (int(folder.name), int(words[_START])), (name, ticks)
        except (OSError, ValueError, IndexError):
            continue


def _whole_name(name: str, folder: Path) -> str:
    """Restore a shortened name from the process's command line, if that was not overwritten."""
    command = _command(folder) if len(name.encode()) >= _MOST_OF_A_NAME else ""
    return command if command.startswith(name) else _printable(name)


def _command(folder: Path) -> str:
    """The base name of the program's file; empty if it cannot be read."""
    try:
        first, _, _ = (folder / "cmdline").read_bytes().partition(b"\0")
    except OSError:
        return ""
    return _printable(first.decode("utf-8", "replace").rpartition("/")[2])


def _printable(name: str) -> str:
    """Remove terminal control characters from a name, because a process chooses its own name."""
    return "".join(each if each.isprintable() else "?" for each in name)
