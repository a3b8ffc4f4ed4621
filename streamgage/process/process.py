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

from streamgage.process.signals import signal_group

ENGINE = "streamgage-engine"
"""Name of the program, and what its lines on stderr begin with."""
ENDS_WITH_US = {"STREAMGAGE_FRONT": "stderr"}
"""Lets the engine end when its stderr, a pipe to this process, is read no more.

That also holds where something stands between the two: a wrapper, a launcher, or capabilities,
which take the kernel's signal of a parent's death away."""
LAST_LINES = 8
_CHUNK = 1 << 16
"""The capacity of a pipe (pipe(7))."""
_MOST_LEFT = 16
"""Chunks that are read after the end, where another process goes on writing."""
_LONGEST_LINE = 4096
_NOTE = f"{ENGINE}: note: "
"""Begins a line that is shown at once, because the run goes on."""
_WAITING = f"{_NOTE}waiting: "
_STILL_WAITING = f"{ENGINE}: still waiting."
"""A sign of life of an engine that waits for another one; no user needs to read it."""
_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""


@contextmanager
def in_memory(content: bytes) -> Iterator[int]:
    """Makes a file that needs no folder and, unlike a pipe, no reader that keeps up."""
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
    front = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != front:  # it was killed before the kernel was asked
            os.kill(os.getpid(), signal.SIGTERM)

    return ask


@contextmanager
def ending_of(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float], object]]:
    """A way to sleep for some seconds or until ``process`` has ended, with no look in between."""
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


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program that leads a process group, with all that it started there.

    Harmless where all have ended.
    """
    signal_group(process, signal.SIGKILL)
    process.wait()


class LastLines:
    """The last lines of the engine's stderr, read on a thread so that it never blocks.

    Notes are kept apart until they are passed on. Something that the engine started may keep its
    stderr open for ever: once the engine has ended, only what is there is read.
    """

    def __init__(self, process: subprocess.Popen[bytes], most: int = LAST_LINES) -> None:
        """Read the stderr of ``process``, and keep the last ``most`` lines."""
        assert process.stderr is not None, "it is started with a pipe"
        self.signs_of_life = 0
        """Lines that came from an engine which waits and has nothing to record yet."""
        self.waits = False
        """Whether the engine has said that it waits for another measurement."""
        self._stream = process.stderr.fileno()
        self._ended = os.eventfd(0)
        """Can be read once the process has ended."""
        self._left = _MOST_LEFT
        self._last: deque[bytes] = deque(maxlen=most)
        self._notes: deque[str] = deque(maxlen=most)
        self._thread = threading.Thread(target=self._collect, daemon=True)

    def _collect(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._take(line)
            if len(rest) > _LONGEST_LINE:
                self._take(rest)
                rest = b""
        if rest:
            self._take(rest)

    def _chunk(self) -> bytes:
        """Read the next chunk.

        It is empty at the end, and once the process has ended and nothing is left.
        """
        poll = select.poll()
        for each in (self._stream, self._ended):
            poll.register(each, select.POLLIN)
        ready = [descriptor for descriptor, _ in poll.poll()]
        if self._ended in ready:
            self._left -= 1
        return os.read(self._stream, _CHUNK) if self._stream in ready and self._left else b""

    def _take(self, line: bytes) -> None:
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
        self._finish()
        os.close(self._ended)

    def _finish(self) -> None:
        if self._thread.is_alive():
            os.eventfd_write(self._ended, 1)
            self._thread.join()

    def pass_on(self, note: Callable[[str], None]) -> None:
        """Pass what came since the last call to ``note``."""
        while self._notes:
            note(self._notes.popleft())

    def lines(self) -> tuple[str, ...]:
        """The lines, once the process has ended, without the engine's name."""
        return message_lines(self.raw())

    def raw(self) -> list[bytes]:
        """The lines as they came."""
        self._finish()
        return list(self._last)


def message_lines(lines: Iterable[bytes]) -> tuple[str, ...]:
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
        "SIGKILL": ", perhaps because memory ran out: try a smaller --size",
        "SIGILL": ", an instruction that this processor does not have",
    }
    return name + hint.get(name, "")
