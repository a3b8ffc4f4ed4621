"""What the engine says on stderr: notes, which are shown at once, and its last words."""

from __future__ import annotations

import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import IO

ENGINE = "streamgage-engine"
"""Name of the program, and what its lines on stderr begin with."""

_LAST_LINES = 8
_NOTE = f"{ENGINE}: note: "
"""Begins a line that is told at once: it is of a run that goes on."""


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the engine is started with pipes")
    return stream


class Stderr:
    """The last lines of the engine's stderr, read on a thread so that it never blocks.

    Notes are kept apart until they are passed on.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Read the stderr of ``process``, from the start of the context on."""
        self._stream = _pipe(process.stderr)
        self._last: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._notes: deque[str] = deque(maxlen=_LAST_LINES)
        self._thread = threading.Thread(target=self._collect, daemon=True)

    def _collect(self) -> None:
        while line := self._stream.readline(4096):
            text = line.decode("utf-8", "replace").rstrip()
            if text.startswith(_NOTE):
                self._notes.append(text.removeprefix(_NOTE))
            else:
                self._last.append(line)

    def __enter__(self) -> Stderr:
        """Begin to read."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for a moment for the end of what is said."""
        self._thread.join(timeout=1)

    def pass_on(self, note: Callable[[str], None]) -> None:
        """Tell ``note`` what came since the last call."""
        while self._notes:
            note(self._notes.popleft())

    def lines(self) -> tuple[str, ...]:
        """What was read, once the process has ended."""
        self._thread.join(timeout=1)  # a grandchild may still hold the pipe open
        return said(list(self._last))


def said(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Lines of the engine's stderr as text, without its name before them; the last ones."""
    texts = (line.decode("utf-8", "replace").rstrip() for line in list(lines)[-_LAST_LINES:])
    return tuple(text.removeprefix(f"{ENGINE}: ") for text in texts if text)
