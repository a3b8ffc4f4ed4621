"""Starts streamgage-engine and yields its records as they come."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

import msgspec

from streamgage.errors import FAILED, USAGE, StreamgageError, UsageError
from streamgage.plan import Plan
from streamgage.recording import Note, decode_lines
from streamgage.records import AnyRecord, End, Machine
from streamgage.signals import EXIT_OF_SIGNAL, signals_passed_on

ENGINE = "streamgage-engine"
GRACE_SECONDS = 10.0
"""Time that the engine has to finish its sample after SIGTERM, before it is killed."""

_LAST_LINES = 8
_SECONDS_BETWEEN_LOOKS = 0.25
_LOWEST_PRIORITY = 19
_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""


class Spool(Protocol):
    """A file that the engine writes to."""

    descriptor: int

    def fetch(self) -> bytes:
        """What was written since the last call."""


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


def describe_machine(engine: Path) -> Machine:
    """The machine as the engine sees it, without measuring.

    Raises ``UsageError`` or ``EngineError`` with the engine's sentence.
    """
    try:
        done = subprocess.run(
            [engine, "--machine"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise _not_started(engine, error) from error
    lines = _said(done.stderr.splitlines()[-_LAST_LINES:])
    if done.returncode == USAGE:
        raise UsageError(_sentence(lines) or f"{ENGINE} --machine was refused.")
    if done.returncode < 0 or (done.returncode == FAILED and lines):
        raise _failure(done.returncode, lines, [])
    try:
        return msgspec.json.decode(done.stdout, type=Machine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EngineError(
            f"{engine} --machine printed no record of the machine: the engine and streamgage are of"
            " different versions; install both anew.",
            lines,
        ) from error


def stream_records(
    plan: Plan,
    *,
    engine: Path,
    spool: Spool,
    note: Note,
    grace_seconds: float = GRACE_SECONDS,
) -> Iterator[AnyRecord]:
    """Run ``engine`` with ``plan``, let it write to ``spool``, and yield its records.

    SIGINT and SIGTERM are passed on and the engine ends by itself after its sample; a second one
    kills it. Raises ``UsageError`` with the engine's sentence when it refuses the plan, and
    ``EngineError`` when it ends without its ``end`` record.
    """
    with _start(engine, plan, spool.descriptor) as process, _Stderr(process) as stderr:
        with signals_passed_on(process, grace_seconds) as received:
            end: End | None = None
            for record in decode_lines(_lines(process, spool), note):
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
def _start(engine: Path, plan: Plan, stdout: int) -> Iterator[subprocess.Popen[bytes]]:
    """The running engine; whatever happens, it does not outlive this context."""
    with _in_memory(msgspec.json.encode(plan)) as plan_file:
        try:
            process = subprocess.Popen(
                [engine, "--plan", "-"],
                stdin=plan_file,
                stdout=stdout,
                stderr=subprocess.PIPE,
                process_group=0,
                preexec_fn=_ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise _not_started(engine, error) from error
    with process:
        try:
            with suppress(OSError):
                os.nice(_LOWEST_PRIORITY)  # the front's own; the engine has started before
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _not_started(engine: Path, error: OSError | subprocess.SubprocessError) -> EngineError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return EngineError(f"{engine} cannot be started: {why}; build it again with `make build`.")


@contextmanager
def _in_memory(content: bytes) -> Iterator[int]:
    """A file that needs no folder and, unlike a pipe, no reader that keeps up."""
    descriptor = os.memfd_create("streamgage-plan")
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


def _ends_with_us() -> Callable[[], None]:
    """What the child calls so that the kernel sends it SIGTERM when this process is killed."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)

    return ask


def _lines(process: subprocess.Popen[bytes], spool: Spool) -> Iterator[bytes]:
    """Each line that the engine prints, a few times a second, and the last ones when it has ended.

    Waking up for each line would take turns from the very threads that are being measured.
    """
    rest = b""
    with _ending(process) as wait:
        ended = False
        while not ended:
            ended = process.poll() is not None  # before the look, so that no last line is missed
            *lines, rest = (rest + spool.fetch()).split(b"\n")
            yield from (line + b"\n" for line in lines)
            if not ended:
                wait(_SECONDS_BETWEEN_LOOKS)
    if rest:
        yield rest


@contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[Callable[[float], object]]:
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
        return _said(list(self._last))


def _said(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Lines of the engine's stderr as text, without its name before them."""
    texts = (line.decode("utf-8", "replace").rstrip() for line in lines)
    return tuple(text.removeprefix(f"{ENGINE}: ") for text in texts if text)


def _sentence(lines: tuple[str, ...]) -> str:
    return lines[-1] if lines else ""


def _failure(status: int, lines: tuple[str, ...], received: list[signal.Signals]) -> EngineError:
    """Why there is no ``end`` record; ``status`` is negative after a signal."""
    if received:
        how = "was stopped at once by the second signal" if len(received) > 1 else "was stopped"
        if status == -signal.SIGKILL and len(received) == 1:
            how = "did not end when asked to, and was killed"
        return EngineError(f"{ENGINE} {how}.", lines, EXIT_OF_SIGNAL[received[0]])
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
