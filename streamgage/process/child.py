"""A program that runs for this one: what it is given, and what is left of what it says."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO

ENGINE = "streamgage-engine"
"""Name of the program, and what its lines on stderr begin with."""
LAST_LINES = 8
_NOTE = f"{ENGINE}: note: "
"""Begins a line that is shown at once: it is of a run that goes on."""
_WAITING = f"{_NOTE}waiting: "
_STILL_WAITING = f"{ENGINE}: still waiting."
"""A sign of life of an engine that waits for another one; nobody needs to read it."""
_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""


@contextmanager
def in_memory(content: bytes) -> Iterator[int]:
    """A file that needs no folder and, unlike a pipe, no reader that keeps up."""
    descriptor = os.memfd_create("streamgage-plan")
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def ends_with_us() -> Callable[[], None]:
    """What the child calls so that the kernel sends it SIGTERM when this process is killed."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)

    return ask


@contextmanager
def ending_of(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float], object]]:
    """A way to sleep for some seconds or until ``process`` has ended, without looking meanwhile."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:  # before Linux 5.3, or forbidden in a container
        yield time.sleep
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    try:
        yield lambda seconds: poll.poll(1000 * seconds)
    finally:
        os.close(descriptor)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the engine is started with pipes")
    return stream


class LastLines:
    """The last lines of the engine's stderr, read on a thread so that it never blocks.

    Notes are kept apart until they are passed on.
    """

    def __init__(self, process: subprocess.Popen[bytes], most: int = LAST_LINES) -> None:
        """Read the stderr of ``process``, and keep the last ``most`` lines."""
        self.signs_of_life = 0
        """Lines that came from an engine which waits and has nothing to record yet."""
        self.waits = False
        """Whether the engine has said that it waits for another measurement."""
        self._stream = _pipe(process.stderr)
        self._last: deque[bytes] = deque(maxlen=most)
        self._notes: deque[str] = deque(maxlen=most)
        self._thread = threading.Thread(target=self._collect, daemon=True)

    def _collect(self) -> None:
        while line := self._stream.readline(4096):
            text = line.decode("utf-8", "replace").rstrip()
            if text.startswith(_NOTE):
                self._notes.append(text.removeprefix(_NOTE))
                self.waits = self.waits or text.startswith(_WAITING)
                self.signs_of_life += 1
            elif text == _STILL_WAITING:
                self.signs_of_life += 1
            else:
                self._last.append(line)

    def __enter__(self) -> LastLines:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(timeout=1)

    def pass_on(self, note: Callable[[str], None]) -> None:
        """Tell ``note`` what came since the last call."""
        while self._notes:
            note(self._notes.popleft())

    def lines(self) -> tuple[str, ...]:
        """What was read, once the process has ended, without the engine's name."""
        return said(self.raw())

    def raw(self) -> list[bytes]:
        """The same as it came."""
        self._thread.join(timeout=1)  # a grandchild may still hold the pipe open
        return list(self._last)


def said(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Lines of the engine's stderr as text, without its name before them."""
    texts = (line.decode("utf-8", "replace").rstrip() for line in lines)
    return tuple(text.removeprefix(f"{ENGINE}: ") for text in texts if text)


def signal_name(number: int) -> str:
    """The name of a signal that ended the engine, and what may have been its reason."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    hint = {
        "SIGKILL": ", perhaps for want of memory: try a smaller --size",
        "SIGILL": ", an instruction this processor lacks",
    }
    return name + hint.get(name, "")
