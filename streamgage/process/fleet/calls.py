"""Makes a launcher's calls, several at a time, and yields the lines that they print."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from streamgage.process.fleet.launcher import Call, search_path
from streamgage.process.process import end_group, ends_with_us
from streamgage.process.signals import signal_group

_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_TO_CLEAN_UP = 8.0
_CHUNK = 1 << 16
_LONGEST_LINE = 1 << 20
_LAST_CHUNKS = 256
"""The most chunks to read after a program's end, in case another one goes on writing."""


@dataclass(frozen=True)
class CallLine:
    """A line that a call printed: on standard output or, if ``words`` is true, on stderr."""

    call: Call
    text: bytes
    words: bool


@dataclass(frozen=True)
class CallEnd:
    """The end of a call, with its status (negative after a signal), or its failure to start."""

    call: Call
    status: int
    problem: str = ""


@dataclass
class _RunningCall:
    call: Call
    commands: deque[tuple[str, ...]]
    process: subprocess.Popen[bytes] | None = None
    rests: dict[int, bytes] = field(default_factory=dict)
    """The incomplete last line of each pipe, by the pipe's descriptor."""

    @property
    def at_last(self) -> bool:
        """``True`` if the call itself runs; before it, other commands may prepare it."""
        return not self.commands


class Calls:
    """Runs calls, at most ``most_at_once`` at a time."""

    def __init__(self, calls: Iterable[Call], most_at_once: int) -> None:
        """Begin with these calls; ``add`` adds more."""
        self._waiting = deque(calls)
        self._most = most_at_once
        self._running: list[_RunningCall] = []
        self._selector = selectors.DefaultSelector()
        self._stopping: float | None = None

    def add(self, calls: Iterable[Call]) -> None:
        """Add calls to those that wait for their turn."""
        self._waiting += calls

    @property
    def done(self) -> bool:
        """``True`` if no call waits or runs."""
        return not self._waiting and not self._running

    def stop(self) -> None:
        """Start no more calls, and ask the running ones to end; a second time, kill them."""
        self._waiting.clear()
        if self._stopping is not None:
            self._stopping = 0.0
            return
        self._stopping = time.monotonic() + _SECONDS_TO_CLEAN_UP
        for each in self._running:
            each.commands.clear()
            if each.process is not None:
                signal_group(each.process, signal.SIGTERM)

    def look(self) -> Iterator[CallLine | CallEnd]:
        """Yield what has come since the last look; wait a short time at most."""
        while self._waiting and len(self._running) < self._most:
            call = self._waiting.popleft()
            running = _RunningCall(call, deque([*call.before, call.command]))
            self._running.append(running)
            yield from self._start(running)
        if self._stopping is not None and time.monotonic() > self._stopping:
            for each in self._running:
                if each.process is not None:
                    signal_group(each.process, signal.SIGKILL)
        for key, _ in self._selector.select(_SECONDS_BETWEEN_LOOKS):
            yield from self._read(key.data, key.fd)
        for each in list(self._running):
            if each.process is not None and each.process.poll() is not None:
                yield from self._finish(each, each.process)

    def _start(self, running: _RunningCall) -> Iterator[CallEnd]:
        command = running.commands.popleft()
        call = running.call
        try:
            with _stdin(call.stdin) as stdin:
                process = subprocess.Popen(
                    command,
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={**os.environ, "PATH": search_path(), **call.variables},
                    process_group=0,
                    preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
                )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._running.remove(running)
            why = error.strerror if isinstance(error, OSError) else str(error)
            yield CallEnd(call, 127, f"{Path(command[0]).name} cannot be started: {why}")
            return
        running.process = process
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None, "it is started with pipes"
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, running)
            running.rests[pipe.fileno()] = b""

    def _read(self, running: _RunningCall, descriptor: int) -> Iterator[CallLine]:
        """Read up to a chunk from a pipe, and yield its whole lines."""
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        process = running.process
        assert process is not None and process.stderr is not None, "it is read"
        words = descriptor == process.stderr.fileno()
        *lines, rest = (running.rests[descriptor] + chunk).split(b"\n")
        if not chunk and descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)
        if not chunk or len(rest) > _LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        running.rests[descriptor] = rest
        if running.at_last or words:
            yield from (CallLine(running.call, line, words) for line in lines if line)

    def _finish(
        self, running: _RunningCall, process: subprocess.Popen[bytes]
    ) -> Iterator[CallLine | CallEnd]:
        """Read the rest of a program's output, and start what comes after it."""
        open_pipes = {key.fd for key in self._selector.get_map().values() if key.data is running}
        for descriptor in open_pipes:
            for _ in range(_LAST_CHUNKS):
                before = running.rests[descriptor]
                lines = list(self._read(running, descriptor))
                yield from lines
                nothing = not lines and running.rests[descriptor] == before
                if nothing or descriptor not in self._selector.get_map():
                    break
            if descriptor in self._selector.get_map():
                self._selector.unregister(descriptor)
                if rest := running.rests[descriptor]:
                    words = process.stderr is not None and descriptor == process.stderr.fileno()
                    yield CallLine(running.call, rest, words)
        end_group(process)
        _close(process.stdout, process.stderr)
        running.rests.clear()
        if running.commands:
            yield from self._start(running)
        else:
            self._running.remove(running)
            yield CallEnd(running.call, process.returncode)

    def close(self) -> None:
        """End all running calls."""
        for each in self._running:
            if each.process is not None:
                end_group(each.process)
                _close(each.process.stdout, each.process.stderr)
        self._running.clear()
        self._waiting.clear()
        self._selector.close()


@contextmanager
def _stdin(path: Path | None) -> Iterator[int | IO[bytes]]:
    if path is None:
        yield subprocess.DEVNULL
        return
    with path.open("rb") as file:
        yield file


def _close(*pipes: IO[bytes] | None) -> None:
    for each in pipes:
        if each is not None:
            with suppress(OSError):
                each.close()
