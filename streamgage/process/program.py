"""Runs other programs, which may hang or start more of them; none outlives this one."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from streamgage.errors import TERMINATED
from streamgage.process.child import ends_with_us
from streamgage.process.signals import handled

_SECONDS_TO_CLEAN_UP = 5.0


@dataclass(frozen=True)
class Done:
    """How a program ended, and what it said on stdout and stderr."""

    status: int
    """Negative after a signal."""
    said: str
    seconds: float
    """From its start to its end."""


def run_for(
    command: Sequence[str],
    most_seconds: float,
    *,
    variables: Mapping[str, str] | None = None,
    kept: Path | None = None,
    folder: Path | None = None,
) -> Done | None:
    """Run ``command`` to its end; null where it did not come to that in time, and was ended.

    ``variables`` are added to those of this process; ``folder`` is what it runs in, if not
    that of this one. ``kept``: a file for what it says, as
    it says it, so that it is there however the program ends. SIGTERM ends it and this program, as
    Ctrl-C does. Raises ``OSError`` where it cannot be started.
    """
    with _sigterm_as_exit(), _opened(kept) as file:
        start = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if file is None else file,
            stderr=subprocess.STDOUT,
            process_group=0,
            cwd=folder,
            env={**os.environ, **(variables or {})},
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
        seconds = time.monotonic() - start
    if kept is not None:
        said = kept.read_bytes()
    return Done(process.returncode, said.decode("utf-8", "replace"), seconds)


@contextmanager
def _opened(file: Path | None) -> Iterator[IO[bytes] | None]:
    if file is None:
        yield None
        return
    with file.open("wb") as opened:
        yield opened


def stop_group(process: subprocess.Popen[bytes]) -> None:
    """Ask the launcher to end its ranks, then end it and its process group. Harmless afterwards."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_CLEAN_UP)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


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

    with handled({signal.SIGTERM: leave}):
        yield
