"""Runs other programs, which may hang or start further ones; none outlives this process."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from streamgage.errors import TERMINATED
from streamgage.process.process import end_group, ends_with_us
from streamgage.process.program_places import ProgramLooks, looks_at
from streamgage.process.signals import handled

_SECONDS_TO_CLEAN_UP = 5.0


@dataclass(frozen=True)
class ProgramEnd:
    """How a program ended, and what it printed on stdout and stderr."""

    status: int
    """The exit status; after a signal, its negative number."""
    output: str
    seconds: float
    """Seconds from its start to its end."""
    cpu_seconds: float
    """Seconds of CPU time that it and the processes that it waited for had."""


def run_for(
    command: Sequence[str],
    most_seconds: float,
    *,
    variables: Mapping[str, str] | None = None,
    kept: Path | None = None,
    folder: Path | None = None,
    looks: ProgramLooks | None = None,
) -> ProgramEnd | None:
    """Run ``command`` to its end; ``None`` if it took too long and was ended.

    ``variables`` are added to the environment. The command runs in ``folder``, or in that of this
    process. ``kept`` is a file to which its output goes at once, so that it is there however the
    program ends. ``looks`` collects the CPUs of its threads. SIGTERM ends it and this program, as
    Ctrl-C does. Raises ``OSError`` if it cannot be started.
    """
    with _sigterm_as_exit(), _opened(kept) as file:
        used = _cpu_seconds_of_ended()
        start = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            process_group=0,
            cwd=folder,
            env={**os.environ, **(variables or {})},
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
        )
        watched = nullcontext() if looks is None else looks_at(process.pid, looks)
        try:
            with watched:
                process.wait(most_seconds)
                seconds = time.monotonic() - start
                used = _cpu_seconds_of_ended() - used
        except subprocess.TimeoutExpired:
            return None
        finally:
            stop_group(process)
        output = _content(file).decode("utf-8", "replace")
        return ProgramEnd(process.returncode, output, seconds, used)


def _cpu_seconds_of_ended() -> float:
    """The CPU time of this process's children that have ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _opened(file: Path | None) -> IO[bytes]:
    """Open a file for a program's output, which can be read even if other programs keep it open."""
    if file is None:
        return os.fdopen(os.memfd_create("streamgage-output"), "w+b", buffering=0)
    return file.open("w+b", buffering=0)


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@dataclass(frozen=True)
class ProgramAnswer:
    """How a program ended (negative after a signal), and what it printed."""

    status: int
    stdout: bytes
    stderr: bytes


def answer_of(command: Sequence[str | Path], most_seconds: float | None = None) -> ProgramAnswer:
    """Run a program that answers at once, and end everything that it started.

    Raises ``OSError`` if it cannot be started, and ``subprocess.TimeoutExpired``.
    """
    with _sigterm_as_exit(), _opened(None) as stdout, _opened(None) as stderr:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            process_group=0,
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
        )
        try:
            process.wait(most_seconds)
        finally:
            end_group(process)
        return ProgramAnswer(process.returncode, _content(stdout), _content(stderr))


def stop_group(process: subprocess.Popen[bytes]) -> None:
    """Ask the launcher to end its ranks, then end its process group; may be called again."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_CLEAN_UP)
    end_group(process)


@contextmanager
def _sigterm_as_exit() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that programs and files are cleaned up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(TERMINATED)

    with handled({signal.SIGTERM: leave}):
        yield
