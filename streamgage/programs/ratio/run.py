"""Runs a benchmark and short probes of the memory in turn."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from types import FrameType

from streamgage.advice import advice
from streamgage.errors import BROKEN, TERMINATED, StreamgageError
from streamgage.process.engine import find_engine
from streamgage.process.node_check import measure_node
from streamgage.process.process import end_group, ending_of, ends_with_us
from streamgage.process.signals import handled
from streamgage.process.terminal import NOT_EXECUTABLE, NOT_FOUND, NotStartedError
from streamgage.programs.ratio.against import OtherRuns, decision_of
from streamgage.programs.ratio.document import RatioPair
from streamgage.programs.ratio.judge import KERNEL, ProbedRuns
from streamgage.records.node import NodeLine

_LAST_LINES = 8
_SHORTEST = 1e-6
"""CPU time is counted in whole microseconds."""
_SERIAL = 1.2
"""A program that computes for at most this many times its duration uses one CPU at a time."""
_TIMED_OUT = 124
"""The exit status of GNU's ``timeout`` for a program that took too long."""


class BenchmarkFailedError(StreamgageError):
    """The benchmark failed; ``exit_status`` is its own, as a shell gives it."""

    def __init__(self, sentence: str, exit_status: int, last_lines: Sequence[str] = ()) -> None:
        """Add the last lines that it printed."""
        output = f" It last printed: {' / '.join(last_lines)}" if last_lines else ""
        super().__init__(f"{sentence}{output}")
        self.exit_status = exit_status


@dataclass(frozen=True)
class RatioRequest:
    """The program to run, and how often."""

    command: Sequence[str]
    name: str
    rounds: int
    warmups: int
    probe_seconds: float
    array_bytes: int
    threads: int | None
    cpus: str | None
    most_seconds: float
    """The longest time that a run may take."""
    against: AgainstRequest | None = None
    """Another program, if the first is compared with it."""


@dataclass(frozen=True)
class AgainstRequest:
    """The other program of a comparison, and when that ends undecided."""

    command: Sequence[str]
    name: str
    margin: float
    """Smaller differences count as equal."""
    within_seconds: float
    """The longest time in which a difference is sought."""


Progress = Callable[[int, str], None]
"""A function that gets the number of finished runs, and a text about what comes next."""


def run_ratio(request: RatioRequest, progress: Progress) -> ProbedRuns:
    """Run the program between probes: probe, run, probe, run, ..., probe.

    With another program to compare with, both run between two probes, in random order, until the
    comparison is decided. Raises ``NotStartedError`` and ``BenchmarkFailedError`` for a program,
    and ``StreamgageError`` if the engine cannot probe.
    """
    other = request.against
    commands = [request.command, *([] if other is None else [other.command])]
    with _sigterm_as_exit():
        warm = []
        for number in range(request.warmups):
            progress(0, f"warm-up {number + 1} of {request.warmups}")
            for command in commands:
                warm += _run(request, [(command, None)], f"warm-up {number + 1}")
        progress(0, "probing the memory")
        probes = [_probe(request)]
        runs = ProbedRuns(request.name, request.command, probes, [], request.probe_seconds)
        if other is not None:
            together = bool(warm) and all(each.is_serial for each in warm) and all(_halves())
            of_other = OtherRuns(other.name, other.command, other.margin, together, [])
            return _in_pairs(request, other, replace(runs, other=of_other), together, progress)
        for number in range(1, request.rounds + 1):
            which = f"run {number} of {request.rounds}"
            progress(number - 1, which)
            runs.seconds.append(_run(request, [(request.command, None)], which)[0].seconds)
            probes.append(_probe(request))
    return runs


def _in_pairs(
    request: RatioRequest,
    other: AgainstRequest,
    runs: ProbedRuns,
    together: bool,
    progress: Progress,
) -> ProbedRuns:
    """Run both programs until it is decided which is faster, or the time is over."""
    assert runs.other is not None
    end = time.monotonic() + other.within_seconds
    halves = _halves()
    drawn = random.SystemRandom()
    for number in range(1, request.rounds + 1):
        which = f"pair {number}"
        progress(number - 1, which)
        first = drawn.random() < 0.5
        order = (request.command, other.command) if first else (other.command, request.command)
        if together:
            found = _run(request, list(zip(order, halves, strict=True)), which)
        else:
            found = [_run(request, [(command, None)], which)[0] for command in order]
        own, others = found if first else reversed(found)
        runs.seconds.append(own.seconds)
        runs.other.pairs.append(
            RatioPair(
                first=first,
                seconds=own.seconds,
                cpu_seconds=own.cpu_seconds,
                other_seconds=others.seconds,
                other_cpu_seconds=others.cpu_seconds,
            )
        )
        runs.probes.append(_probe(request))
        if decision_of(runs.other)[0] != "undecided" or time.monotonic() >= end:
            break
    return runs


def _halves() -> tuple[set[int], set[int]]:
    """Two halves of the CPUs; cores are as a rule numbered one by one."""
    cpus = sorted(os.sched_getaffinity(0))
    return set(cpus[: len(cpus) // 2]), set(cpus[len(cpus) // 2 : 2 * (len(cpus) // 2)])


def _probe(request: RatioRequest) -> NodeLine:
    arguments = ["--glance", "--kernels", KERNEL, "--stores", "plain"]
    arguments += ["--seconds", f"{request.probe_seconds:g}", "--size", str(request.array_bytes)]
    if request.threads is not None:
        arguments += ["--threads", str(request.threads)]
    if request.cpus is not None:
        arguments += ["--cpus", request.cpus]
    found = measure_node(find_engine(), arguments)
    figure = next((each for each in found.figures if each.kernel == KERNEL), None)
    if figure is None:
        raise StreamgageError(
            "The probe of the memory was too short for a figure: give a longer --probe, such as"
            " --probe 1."
        )
    if figure.valid is False:
        raise StreamgageError(
            f"The probe of the memory computed wrong results: {advice('measure')} shows which."
        )
    return found


@dataclass(frozen=True)
class _ProgramTime:
    """The times of one run of a program."""

    seconds: float
    cpu_seconds: float

    @property
    def is_serial(self) -> bool:
        """Whether it computed on one CPU at a time, as far as its CPU time shows."""
        return self.cpu_seconds <= _SERIAL * self.seconds


_Started = tuple[Sequence[str], set[int] | None]
"""A command, and the CPUs that it may use; ``None``: those of this process."""


def _run(request: RatioRequest, commands: Sequence[_Started], which: str) -> list[_ProgramTime]:
    """Run programs at the same time, each once; their output is kept in memory.

    Returns how long each took.
    """
    found: dict[int, _ProgramTime] = {}
    with ExitStack() as ending:
        running: dict[int, tuple[int, subprocess.Popen[bytes], int]] = {}
        start = time.monotonic()
        for number, (command, cpus) in enumerate(commands):
            output = os.memfd_create("streamgage-output")
            ending.callback(os.close, output)
            process = _start(command, output, cpus)
            ending.callback(end_group, process)
            running[process.pid] = number, process, output
        while running:
            for pid, (number, process, output) in list(running.items()):
                ended, status, used = os.wait4(pid, os.WNOHANG)
                if not ended:
                    continue
                seconds = time.monotonic() - start
                process.returncode = os.waitstatus_to_exitcode(status)
                del running[pid]
                if process.returncode:
                    raise _failed(request, commands[number][0], process.returncode, which, output)
                cpu = max(used.ru_utime + used.ru_stime, _SHORTEST)
                found[number] = _ProgramTime(seconds, cpu)
            left = request.most_seconds - (time.monotonic() - start)
            if running and left <= 0:
                number = next(iter(running.values()))[0]
                raise BenchmarkFailedError(
                    f"{commands[number][0][0]} did not end within {request.most_seconds:g} s in"
                    f" {which}: give a longer --timeout.",
                    _TIMED_OUT if request.against is None else BROKEN,
                )
            with ending_of(*(process for _, process, _ in running.values())) as wait:
                if running:
                    wait(left)
    return [found[number] for number in range(len(commands))]


def _failed(
    request: RatioRequest, command: Sequence[str], status: int, which: str, output: int
) -> BenchmarkFailedError:
    how = f"status {status}" if status > 0 else f"signal {-status}"
    own = status if status > 0 else 128 - status
    return BenchmarkFailedError(
        f"{command[0]} ended with {how} in {which}, and the time of a failed run does not count:"
        " make it succeed first.",
        own if request.against is None else BROKEN,
        _last_lines(output),
    )


def _start(command: Sequence[str], output: int, cpus: set[int] | None) -> subprocess.Popen[bytes]:
    end_with_us = ends_with_us()

    def before() -> None:
        end_with_us()
        if cpus is not None:
            os.sched_setaffinity(0, cpus)

    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=before,  # noqa: PLW1509 - system calls alone, and no thread yet
        )
    except FileNotFoundError as error:
        raise NotStartedError(
            f"{command[0]} was not found: check its name, or give its path.", NOT_FOUND
        ) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise NotStartedError(f"{command[0]} cannot be run: {why}.", NOT_EXECUTABLE) from error


def _last_lines(output: int) -> list[str]:
    size = os.fstat(output).st_size
    most = 4096
    text = os.pread(output, most, max(0, size - most)).decode("utf-8", "replace")
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()][-_LAST_LINES:]


def _sigterm_as_exit() -> ExitStack:
    """Turn SIGTERM into an exception, so that the benchmark is ended, too."""
    stack = ExitStack()
    if threading.current_thread() is threading.main_thread():

        def leave(_number: int, _frame: FrameType | None) -> None:
            raise SystemExit(TERMINATED)

        stack.enter_context(handled({signal.SIGTERM: leave}))
    return stack
