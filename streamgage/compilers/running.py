"""Runs a compiler, which may hang, start others, or be interrupted; none outlives this program."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from streamgage.child import ends_with_us
from streamgage.errors import TERMINATED
from streamgage.ranks.stopping import stop_group


@dataclass(frozen=True)
class Done:
    """How a program ended, and what it said on stdout and stderr."""

    status: int
    """Negative after a signal."""
    said: str


def run_for(command: Sequence[str], most_seconds: float) -> Done | None:
    """Run ``command`` to its end; null where it did not come to that in time, and was ended.

    Raises ``OSError`` where it cannot be started. SIGTERM ends it and this program, as Ctrl-C does.
    """
    with _sigterm_as_exit():
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
        )
        try:
            said, _ = process.communicate(timeout=most_seconds)
        except subprocess.TimeoutExpired:
            _stop(process)
            return None
        except BaseException:
            _stop(process)
            raise
    return Done(process.returncode, said.decode("utf-8", "replace"))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End it and what it started, of which a pipe may still be open."""
    stop_group(process)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=1)


@contextmanager
def _sigterm_as_exit() -> Iterator[None]:
    """SIGTERM as an exception, so that what was started and made is cleaned up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
