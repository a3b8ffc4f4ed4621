"""Starts ``streamgage-engine --traffic``, and reads its records until it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import FAILED, USAGE, UsageError
from streamgage.process.engine import EngineError, not_started, raise_not_loaded
from streamgage.process.process import ENGINE, end_group, ends_with_us, message_lines
from streamgage.records import AnyRecord, Counters, Interval
from streamgage.records.reader import Note, decode_lines
from streamgage.records.spool import Spool, spool_in_memory

_SECONDS_BETWEEN_LOOKS = 0.01
"""Seconds between looks for the first record, which comes at once."""
_GRACE_SECONDS = 10.0
_LAST_BYTES = 4096


@dataclass(frozen=True)
class WatchPlan:
    """What to count: domains, in intervals of this many seconds."""

    interval: float
    root: Path | None = None
    """A folder whose proc and sys are read instead of this system's."""
    recording: Path | None = None
    """A recording from which counters are played back."""

    def arguments(self) -> list[str]:
        """The engine's command line."""
        options = ["--traffic", f"--interval={self.interval!r}"]
        if self.root is not None:
            options.append(f"--root={self.root}")
        if self.recording is not None:
            options.append(f"--replay={self.recording}")
        return options


class TrafficEngine:
    """A running engine that has taken its first reading; ``counters`` says what it counts."""

    def __init__(
        self,
        engine: Path,
        process: subprocess.Popen[bytes],
        spool: Spool,
        stderr: int,
        note: Note,
    ) -> None:
        """Wait for the first record. Raises ``UsageError`` or ``EngineError``."""
        self._engine = engine
        self._process = process
        self._spool = spool
        self._stderr = stderr
        self._note = note
        self._rest = b""
        self._stopping = False
        first = self._first()
        if first is None or not isinstance(first[0], Counters):
            raise self._failed()
        self.counters = first[0]
        self._waiting = first[1:]

    def fetch(self) -> list[Interval]:
        """Return the intervals since the last call."""
        records, self._waiting = [*self._waiting, *self._records()], []
        return [record for record in records if isinstance(record, Interval)]

    def has_ended(self) -> bool:
        """Return whether the engine has ended; its last intervals may still have to be fetched."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """Ask the engine for a last interval, and wait until it has ended."""
        self._stopping = True
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        self.wait()

    def wait(self) -> None:
        """Wait until the engine has ended; after ``stop``, only for a limited time."""
        try:
            self._process.wait(_GRACE_SECONDS if self._stopping else None)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def failure(self) -> str | None:
        """A sentence that says why the engine failed; ``None`` if it did not."""
        return None if self._process.returncode == 0 else str(self._failed())

    def _first(self) -> list[AnyRecord] | None:
        while True:
            ended = self.has_ended()  # before the look, so that no last line is missed
            if records := self._records():
                return records
            if ended:
                return None
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_SECONDS_BETWEEN_LOOKS)

    def _records(self) -> list[AnyRecord]:
        *lines, self._rest = (self._rest + self._spool.fetch()).split(b"\n")
        return list(decode_lines((line + b"\n" for line in lines), self._note))

    def _failed(self) -> EngineError | UsageError:
        """Make the error for an engine that ended early."""
        lines = message_lines(os.pread(self._stderr, _LAST_BYTES, 0).splitlines())
        status = self._process.returncode
        raise_not_loaded(self._engine, status, lines)
        if status == USAGE and lines:
            return UsageError(lines[-1])
        if status == FAILED and lines:
            return EngineError(lines[-1], lines[:-1])
        if status is not None and status < 0:
            return EngineError(f"{ENGINE} --traffic was ended by signal {-status}.", lines)
        return EngineError(
            f"{ENGINE} --traffic ended without its records: the engine and"
            " streamgage are of different versions; install both again.",
            lines,
        )


@contextmanager
def watching_traffic(engine: Path, plan: WatchPlan, note: Note) -> Iterator[TrafficEngine]:
    """Start the engine that watches the traffic; it is ended with this context.

    It has a process group of its own, so that Ctrl-C does not reach it, and ends when this process
    is killed. Raises ``UsageError`` if it refuses the plan and ``EngineError`` if it fails.
    """
    spool = spool_in_memory()
    stderr = os.memfd_create("streamgage-stderr")
    try:
        process = _start([str(engine), *plan.arguments()], spool.descriptor, stderr)
        try:
            yield TrafficEngine(engine, process, spool, stderr, note)
        finally:
            end_group(process)
    finally:
        os.close(stderr)
        spool.close(worth_keeping=False)


def _start(command: Sequence[str], stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            process_group=0,
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise not_started(Path(command[0]), error) from error
