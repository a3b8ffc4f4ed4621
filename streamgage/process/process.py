"""Helpers for child processes: their input, their end, and the last lines that they print."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from streamgage.process.signals import signal_group

ENGINE = "streamgage-engine"
"""The name of the program, which also begins each of its lines on stderr."""
ENDS_WITH_US = {"STREAMGAGE_FRONT": "stderr"}
"""A variable that makes the engine end when its stderr, a pipe to this process, is closed.

This works even with a wrapper, a launcher or capabilities in between, with which the kernel does
not signal the death of the parent."""
LAST_LINES = 8
_CHUNK = 1 << 16
"""The capacity of a pipe (pipe(7))."""
_MOST_LEFT = 16
"""The most chunks to read after the end, in case another process goes on writing."""
_LONGEST_LINE = 4096
_NOTE = f"{ENGINE}: note: "
"""The prefix of a line that is shown at once, because the run goes on."""
_WAITING = f"{_NOTE}waiting: "
_STILL_WAITING = f"{ENGINE}: still waiting."
"""The line by which an engine that waits for another one shows that it lives; it is not shown."""
_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""


@contextmanager
def in_memory(content: bytes) -> Iterator[int]:
    """Make a file in memory: it needs no folder and, unlike a pipe, no reader that keeps up."""
    descriptor = os.memfd_create("streamgage-plan")
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def ends_with_us() -> Callable[[], None]:
    """Return a function for the child, after which the kernel ends it if this process is killed."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    front = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != front:  # it was killed before the kernel was asked
            os.kill(os.getpid(), signal.SIGTERM)

    return ask


_LOOK_SECONDS = 0.02
"""So often a process is looked at whose end cannot be waited for."""


@contextmanager
def ending_of(*processes: subprocess.Popen[bytes]) -> Iterator[Callable[[float], object]]:
    """Yield a function that sleeps for some seconds, but wakes up while one of them has ended."""
    with ExitStack() as opened:
        poll = select.poll()
        for process in processes:
            try:
                descriptor = os.pidfd_open(process.pid)
            except OSError:  # before Linux 5.3, or forbidden in a container
                yield lambda seconds: time.sleep(min(seconds, _LOOK_SECONDS))
                return
            opened.callback(os.close, descriptor)
            poll.register(descriptor, select.POLLIN)
        yield lambda seconds: poll.poll(1000 * seconds)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program that leads a process group, and everything that it started there.

    This does no harm if all have ended.
    """
    signal_group(process, signal.SIGKILL)
    process.wait()


class LastLines:
    """The last lines of the engine's stderr, read on a thread so that it never blocks.

    Notes are kept apart until they are passed on. A process that the engine started may keep stderr
    open for ever, so after the engine's end only the lines already there are read.
    """

    def __init__(self, process: subprocess.Popen[bytes], most: int = LAST_LINES) -> None:
        """Read the stderr of ``process``, and keep the last ``most`` lines."""
        assert process.stderr is not None, "it is started with a pipe"
        self.signs_of_life = 0
        """The number of lines from an engine that waits and has nothing to record yet."""
        self.waits = False
        """``True`` once the engine has said that it waits for another measurement."""
        self._stream = process.stderr.fileno()
        self._ended = os.eventfd(0)
        """An event descriptor that becomes readable when the process has ended."""
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

        It is empty at the end of stderr, or if the process has ended and nothing is left.
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
        """Pass the notes that came since the last call to ``note``."""
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
    """The lines of the engine's stderr as text, without the engine's name in front."""
    texts = (line.decode("utf-8", "replace").rstrip() for line in lines)
    return tuple(text.removeprefix(f"{ENGINE}: ") for text in texts if text)


def signal_name(number: int) -> str:
    """The name of a signal that ended the engine, and the likely reason."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    hint = {
        "SIGKILL": ", perhaps because memory ran out: try a smaller --size",
        "SIGILL": ", an instruction that this processor does not have",
    }
    return name + hint.get(name, "")
