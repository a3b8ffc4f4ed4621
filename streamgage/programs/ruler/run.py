"""Runs a benchmark and short probes of the memory in turn."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import FrameType

from streamgage.advice import advice
from streamgage.errors import TERMINATED, StreamgageError
from streamgage.process.engine import find_engine
from streamgage.process.node_check import measure_node
from streamgage.process.process import end_group, ending_of, ends_with_us
from streamgage.process.signals import handled
from streamgage.process.terminal import NOT_EXECUTABLE, NOT_FOUND, NotStartedError
from streamgage.programs.ruler.judge import KERNEL, ProbedRuns
from streamgage.records.node import NodeLine

_LAST_LINES = 8
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
class RulerRequest:
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


Progress = Callable[[int, str], None]
"""A function that gets the number of finished runs, and a text about what comes next."""


def run_ruler(request: RulerRequest, progress: Progress) -> ProbedRuns:
    """Run the program between probes: probe, run, probe, run, ..., probe.

    Raises ``NotStartedError`` and ``BenchmarkFailedError`` for the benchmark, and
    ``StreamgageError`` if the engine cannot probe.
    """
    with _sigterm_as_exit():
        for number in range(request.warmups):
            progress(0, f"warm-up {number + 1} of {request.warmups}")
            _seconds_of(request, f"warm-up {number + 1}")
        progress(0, "probing the memory")
        probes = [_probe(request)]
        seconds = []
        for number in range(1, request.rounds + 1):
            progress(number - 1, f"run {number} of {request.rounds}")
            seconds.append(_seconds_of(request, f"run {number} of {request.rounds}"))
            probes.append(_probe(request))
    return ProbedRuns(request.name, request.command, probes, seconds, request.probe_seconds)


def _probe(request: RulerRequest) -> NodeLine:
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


def _seconds_of(request: RulerRequest, which: str) -> float:
    """Run the program once, and return its wall time; its output is kept in memory."""
    output = os.memfd_create("streamgage-output")
    with ExitStack() as ending:
        ending.callback(os.close, output)
        start = time.monotonic()
        process = _start(request.command, output)
        ending.callback(end_group, process)
        with ending_of(process) as wait:
            while process.poll() is None:
                left = request.most_seconds - (time.monotonic() - start)
                if left <= 0:
                    raise BenchmarkFailedError(
                        f"{request.command[0]} did not end within {request.most_seconds:g} s in"
                        f" {which}: give a longer --timeout.",
                        _TIMED_OUT,
                    )
                wait(left)
        seconds = time.monotonic() - start
        status = process.returncode
        if status:
            how = f"status {status}" if status > 0 else f"signal {-status}"
            raise BenchmarkFailedError(
                f"{request.command[0]} ended with {how} in {which}, and the time of a failed run"
                " does not count: make it succeed first.",
                status if status > 0 else 128 - status,
                _last_lines(output),
            )
        return seconds


def _start(command: Sequence[str], output: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
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
