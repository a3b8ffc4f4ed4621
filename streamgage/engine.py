"""Starts streamgage-engine and yields its records as they come."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO

import msgspec

from streamgage.errors import FAILED, INTERRUPTED, TERMINATED, USAGE, StreamgageError, UsageError
from streamgage.plan import Plan
from streamgage.recording import Note, decode_lines
from streamgage.records import AnyRecord, End

ENGINE = "streamgage-engine"
GRACE_SECONDS = 10.0
"""Time that the engine has to finish its sample after SIGTERM, before it is killed."""

_LAST_LINES = 8
_EXIT_OF_SIGNAL = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class EngineError(StreamgageError):
    """The engine could not be started, died, or ended without its last record.

    ``last_lines`` are the last lines of its stderr, without those already in the sentence.
    """

    def __init__(
        self, sentence: str, last_lines: tuple[str, ...] = (), exit_status: int = FAILED
    ) -> None:
        """Keep the sentence, the last lines of stderr and the exit status for the program."""
        super().__init__(sentence)
        self.last_lines = last_lines
        self.exit_status = exit_status


def find_engine(environment: Mapping[str, str] = os.environ) -> Path:
    """The engine: ``STREAMGAGE_ENGINE``, beside the Python program, or on the PATH.

    Raises ``EngineError`` where there is none.
    """
    asked = environment.get("STREAMGAGE_ENGINE")
    if asked:
        if _runnable(Path(asked)):
            return Path(asked)
        raise EngineError(
            f"STREAMGAGE_ENGINE names {asked}, which is not a program that can be run:"
            f" correct it, or unset it to use the installed {ENGINE}."
        )
    beside = Path(sys.executable).parent / ENGINE
    if _runnable(beside):
        return beside
    found = shutil.which(ENGINE, path=environment.get("PATH"))
    if found:
        return Path(found)
    raise EngineError(
        f"{ENGINE} was not found beside {sys.executable} nor on the PATH: install both programs"
        " with `make build` or `pip install .` in the source folder, or name it in"
        " STREAMGAGE_ENGINE."
    )


def _runnable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def stream_records(
    plan: Plan,
    *,
    engine: Path,
    keep: Callable[[bytes], None],
    note: Note,
    grace_seconds: float = GRACE_SECONDS,
) -> Iterator[AnyRecord]:
    """Run ``engine`` with ``plan`` and yield its records; ``keep`` gets every raw line first.

    SIGINT and SIGTERM are passed on and the engine ends by itself after its sample; a second one
    kills it. Raises ``UsageError`` with the engine's sentence when it refuses the plan, and
    ``EngineError`` when it ends without its ``end`` record.
    """
    with _start(engine, plan) as process, _Stderr(process) as stderr:
        with _signals_passed_on(process, grace_seconds) as received:
            end: End | None = None
            for record in decode_lines(_kept(process, keep), note):
                if isinstance(record, End):
                    end = record
                yield record
            process.wait()
        lines = stderr.lines()
    if process.returncode == USAGE:
        raise UsageError(_sentence(lines) or f"{ENGINE} refused the plan without saying why.")
    if end is None:
        raise _failure(process.returncode, lines, received)
    if end.reason != "error":
        for line in lines:
            if line != end.message:  # the answer says that in its own words
                note(f"{ENGINE} says: {line}")
    else:
        raise EngineError(end.message or _sentence(lines) or "The measurement failed.", lines[:-1])


@contextmanager
def _start(engine: Path, plan: Plan) -> Iterator[subprocess.Popen[bytes]]:
    """The running engine; whatever happens, it does not outlive this context."""
    with (
        tempfile.TemporaryFile() as plan_file
    ):  # a file, not a pipe: nobody has to wait for a reader
        plan_file.write(msgspec.json.encode(plan))
        plan_file.seek(0)
        try:
            process = subprocess.Popen(
                [engine, "--plan", "-"],
                stdin=plan_file,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        except OSError as error:
            raise EngineError(
                f"{engine} cannot be started: {error.strerror}; build it again with `make build`."
            ) from error
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _kept(process: subprocess.Popen[bytes], keep: Callable[[bytes], None]) -> Iterator[bytes]:
    for line in _pipe(process.stdout):
        keep(line)
        yield line


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the engine is started with pipes")
    return stream


class _Stderr:
    """The last lines of the engine's stderr, read on a thread so that it never blocks."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._stream = _pipe(process.stderr)
        self._last: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._thread = threading.Thread(target=self._collect, daemon=True)

    def _collect(self) -> None:
        while line := self._stream.readline(4096):
            self._last.append(line)

    def __enter__(self) -> _Stderr:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(timeout=1)

    def lines(self) -> tuple[str, ...]:
        """What was read, once the process has ended."""
        self._thread.join(timeout=1)  # a grandchild may still hold the pipe open
        texts = (line.decode("utf-8", "replace").rstrip() for line in list(self._last))
        return tuple(text.removeprefix(f"{ENGINE}: ") for text in texts if text)


@contextmanager
def _signals_passed_on(
    process: subprocess.Popen[bytes], grace_seconds: float
) -> Iterator[list[signal.Signals]]:
    """Pass SIGINT and SIGTERM on to ``process``; yields the list of those received.

    The engine has a process group of its own, so that it gets a signal once, whether it came from
    the terminal or was sent to this process alone. Ctrl-Z and its end are passed on as well.
    """
    received: list[signal.Signals] = []
    timer = threading.Timer(grace_seconds, process.kill)
    timer.daemon = True

    def handle(number: int, _frame: FrameType | None) -> None:
        received.append(signal.Signals(number))
        if len(received) > 1:
            process.kill()
            return
        process.send_signal(number)
        if number == signal.SIGTERM:
            timer.start()

    def suspend(_number: int, _frame: FrameType | None) -> None:
        process.send_signal(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)  # returns when this process is continued
        process.send_signal(signal.SIGCONT)

    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread can set handlers
        return
    before = {number: signal.signal(number, handle) for number in _EXIT_OF_SIGNAL}
    before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield received
    finally:
        timer.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _sentence(lines: tuple[str, ...]) -> str:
    return lines[-1] if lines else ""


def _failure(status: int, lines: tuple[str, ...], received: list[signal.Signals]) -> EngineError:
    """Why there is no ``end`` record; ``status`` is negative after a signal."""
    if received:
        how = "was stopped at once by the second signal" if len(received) > 1 else "was stopped"
        if status == -signal.SIGKILL and len(received) == 1:
            how = "did not end when asked to, and was killed"
        return EngineError(f"{ENGINE} {how}.", lines, _EXIT_OF_SIGNAL[received[0]])
    if status == FAILED and lines:
        return EngineError(_sentence(lines), lines[:-1])
    if status < 0:
        return EngineError(f"{ENGINE} died: it was ended by {_signal_name(-status)}.", lines)
    return EngineError(f"{ENGINE} ended without its last record (exit status {status}).", lines)


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    hint = {
        "SIGKILL": ", perhaps for want of memory: try a smaller --size",
        "SIGILL": ", an instruction this processor lacks",
    }
    return name + hint.get(name, "")
