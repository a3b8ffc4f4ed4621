"""Starts streamgage-engine and yields its records as they come."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from streamgage.errors import FAILED, USAGE, StreamgageError, UsageError
from streamgage.plan import LatencyPlan, Plan
from streamgage.process.installation import own_version
from streamgage.process.process import (
    ENDS_WITH_US,
    ENGINE,
    LAST_LINES,
    LastLines,
    end_group,
    ending_of,
    ends_with_us,
    in_memory,
    message_lines,
    signal_name,
)
from streamgage.process.program import answer_of
from streamgage.process.signals import EXIT_OF_SIGNAL, signals_passed_on
from streamgage.records import AnyRecord, End, Machine, Record
from streamgage.records.reader import Note, decode_lines
from streamgage.records.spool import Spool

Reply = TypeVar("Reply", bound=Record)
GRACE_SECONDS = 10.0
"""Seconds that the engine has to finish its sample after SIGTERM, before it is killed."""

_SECONDS_BETWEEN_LOOKS = 0.25
_MOST_SECONDS_STOPPED = 10.0
_LONGEST_BETWEEN_LOOKS = 5.0
_LOWEST_PRIORITY = 19
_MOST_SECONDS_TO_SAY_THE_VERSION = 10.0
"""Seconds to wait for the engine's version. An engine may start slowly on a busy machine, but one
that hangs must not delay the error message."""
_NOT_LOADED = 127
"""Exit status of a program that lacks a shared library."""
_GLIBC = re.compile(r"version `GLIBC_([0-9.]+)' not found")
_LIBRARY = re.compile(r"error while loading shared libraries: ([^:]+): ")
_VERSION = re.compile(rb"streamgage-engine ([0-9][0-9A-Za-z.+-]*)\n")


class EngineError(StreamgageError):
    """The engine could not be started, died, or ended without its last record.

    ``last_lines`` are the last lines of its stderr, without those already in the sentence.
    """

    def __init__(
        self, sentence: str, last_lines: tuple[str, ...] = (), exit_status: int = FAILED
    ) -> None:
        """Keep the sentence, the last lines of stderr and the exit status."""
        super().__init__(sentence)
        self.last_lines = last_lines
        self.exit_status = exit_status


class CutOffError(EngineError):
    """The engine's process ended with ``status``, by no signal, and without its last record."""

    def __init__(self, status: int, last_lines: tuple[str, ...]) -> None:
        """Keep the status of the process."""
        how = f"ended without its last record (exit status {status})"
        super().__init__(f"{ENGINE} {how}.", last_lines)
        self.status = status


def find_engine(environment: Mapping[str, str] = os.environ) -> Path:
    """Find the engine: by ``STREAMGAGE_ENGINE``, next to the Python program, or on the PATH.

    Raises ``EngineError`` if there is none.
    """
    named = environment.get("STREAMGAGE_ENGINE")
    if named:
        if _runnable(Path(named)):
            return Path(named)
        raise EngineError(
            f"STREAMGAGE_ENGINE names {named}, which is not a program that can be run"
            f"{_noexec(Path(named))}: correct it, or unset it to use the installed {ENGINE}."
        )
    installed = Path(sys.executable).parent / ENGINE
    if _runnable(installed):
        return installed
    found = shutil.which(ENGINE, path=environment.get("PATH"))
    if found:
        return Path(found)
    raise EngineError(
        f"{ENGINE} was not found next to {sys.executable} nor on the PATH: install both programs"
        " with `make build` or `pip install .` in the source folder, or name it in"
        " STREAMGAGE_ENGINE."
    )


def _noexec(path: Path) -> str:
    """A remark if the program's file system does not allow programs to run; else empty."""
    with suppress(OSError):
        if path.is_file() and os.statvfs(path).f_flag & os.ST_NOEXEC:
            return " (its file system is mounted with noexec)"
    return ""


def _runnable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def describe_machine(engine: Path) -> Machine:
    """Ask the engine to describe the machine, without measuring.

    Raises ``UsageError`` or ``EngineError`` with the engine's sentence.
    """
    return ask(engine, ["--machine"], Machine)


def ask(
    engine: Path, arguments: Sequence[str], kind: type[Reply], *, most_seconds: float | None = None
) -> Reply:
    """Run the engine with these arguments, and return the one record of type ``kind`` it prints.

    Raises ``UsageError`` or ``EngineError`` with the engine's sentence, or if it takes longer than
    ``most_seconds``.
    """
    try:
        done = answer_of([engine, *arguments], most_seconds)
    except subprocess.TimeoutExpired as error:
        raise EngineError(
            f"{ENGINE} {arguments[0]} took more than {most_seconds:.0f} s, and was ended."
        ) from error
    except (OSError, subprocess.SubprocessError) as error:
        raise not_started(engine, error) from error
    lines = message_lines(done.stderr.splitlines()[-LAST_LINES:])
    raise_not_loaded(engine, done.status, lines)
    if done.status == USAGE:
        raise UsageError(_sentence(lines) or f"{ENGINE} {arguments[0]} was refused.")
    if done.status < 0 or (done.status == FAILED and lines):
        raise _failure(done.status, lines, [])
    try:
        record = msgspec.json.decode(done.stdout, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise_other_version(engine, _version_of(engine))
        raise EngineError(
            f"{engine} {arguments[0]} printed no record of type {kind.__name__.lower()}: the engine"
            " and streamgage are of different versions; install both again.",
            lines,
        ) from error
    if isinstance(record, Machine):
        raise_other_version(engine, record.engine)
    return record


def stream_records(
    plan: Plan | LatencyPlan,
    *,
    engine: Path,
    spool: Spool,
    note: Note,
    wait: bool = True,
    last: bool = True,
    grace_seconds: float = GRACE_SECONDS,
    variables: Mapping[str, str] | None = None,
    most_silent_seconds: float | None = None,
) -> Iterator[AnyRecord]:
    """Run ``engine`` with ``plan``, let it write to ``spool``, and yield its records.

    While another measurement runs on this machine the engine waits, and ``note`` is called; without
    ``wait`` that raises ``EngineError``. If this run is the ``last`` of this process, the process
    lowers its own priority; otherwise it must not, because the next engine would inherit that.
    ``variables`` are added to the environment. An engine that prints nothing for
    ``most_silent_seconds``, and does not wait for another measurement, is killed, which raises
    ``EngineError``.
    SIGINT and SIGTERM are passed on, and the engine ends by itself after its sample; a second
    signal kills it. Raises ``UsageError`` with the engine's sentence if it refuses the plan, and
    ``EngineError`` if it ends without its ``end`` record.
    """
    options = () if wait else ("--no-wait",)
    environment = {**os.environ, **(variables or {})}
    try:
        arguments = [engine, "--plan", "-", *options]
        process = start_with_plan(arguments, environment, plan, spool.descriptor)
    except (OSError, subprocess.SubprocessError) as error:
        raise not_started(engine, error) from error
    with _ended(process, last=last), ExitStack() as reading:
        with signals_passed_on(process, grace_seconds, group=True) as received:
            stderr = reading.enter_context(LastLines(process))
            end: End | None = None
            known = False
            watch = _Watch(lambda: stderr.pass_on(note), _Silence(stderr, most_silent_seconds))
            lines_of_records = _lines(process, spool, watch)
            for record in decode_lines(lines_of_records, note):
                if isinstance(record, End):
                    end = record
                elif isinstance(record, Machine):
                    known = True
                    raise_other_version(engine, record.engine)
                yield record
            process.wait()
        lines = stderr.lines()
        stderr.pass_on(note)
    raise_not_loaded(engine, process.returncode, lines)
    if process.returncode == USAGE:
        raise_other_version(engine, _version_of(engine))
        raise UsageError(_sentence(lines) or f"{ENGINE} refused the plan without saying why.")
    checked_alone = isinstance(plan, Plan) and plan.check_kernels
    if process.returncode == 0 and not known and end is None:
        raise_other_version(engine, _version_of(engine))
    if end is None or (received and checked_alone):  # such a run ends without a word of signals
        raise _failure(process.returncode, lines, received)
    if end.reason != "error":
        for line in lines:
            if line != end.message:  # the answer says that in its own words
                note(f"{ENGINE} says: {line}")
    else:
        raise EngineError(end.message or _sentence(lines) or "The measurement failed.", lines[:-1])


def start_with_plan(
    arguments: Sequence[str | Path],
    environment: Mapping[str, str],
    plan: Plan | LatencyPlan,
    stdout: int,
) -> subprocess.Popen[bytes]:
    """Start the engine or its launcher in its own process group, with the plan as stdin.

    Raises ``UsageError`` if a name in the plan is not valid text.
    """
    try:
        content = msgspec.json.encode(plan)
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{error.object!r} has bytes that are not UTF-8, which the engine cannot read: rename"
            " the file or the kernel."
        ) from error
    with in_memory(content) as plan_file:
        return subprocess.Popen(
            arguments,
            env={**environment, **ENDS_WITH_US},
            stdin=plan_file,
            stdout=stdout,
            stderr=subprocess.PIPE,
            process_group=0,
            preexec_fn=ends_with_us(),  # noqa: PLW1509 - one system call, and no thread yet
        )


@contextmanager
def _ended(process: subprocess.Popen[bytes], *, last: bool) -> Iterator[None]:
    """End the engine and all that it started with this context, whatever happens."""
    with process:
        try:
            with suppress(OSError):
                if last:  # the front's own; the engine has started before
                    os.nice(_LOWEST_PRIORITY)
            yield
        finally:
            end_group(process)


def not_started(engine: Path, error: OSError | subprocess.SubprocessError) -> EngineError:
    """Make the error for an ``engine`` that could not be started."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return EngineError(f"{engine} cannot be started: {why}; build it again with `make build`.")


def raise_not_loaded(
    engine: Path, status: int | None, lines: Sequence[str], *, on_hosts: bool = False
) -> None:
    """Raise ``EngineError`` if the system could not load the engine; ``lines``: its stderr.

    ``on_hosts``: it was also started on other hosts, and the error may come from one of them.
    """
    system = "one of the hosts" if on_hosts else "this system"
    needed = [_GLIBC.search(line) for line in lines] if status == FAILED else []
    versions = [match[1] for match in needed if match is not None]
    if versions:
        newest = max(versions, key=lambda each: [int(part) for part in each.split(".")])
        own = os.confstr("CS_GNU_LIBC_VERSION") or "another C library"
        found = "an older one" if on_hosts else own
        raise EngineError(
            f"{engine} was built for glibc {newest} or newer, and {system} has {found}: install"
            f" streamgage from its portable wheel, or build it on {system}."
        )
    absent = [_LIBRARY.search(line) for line in lines] if status == _NOT_LOADED else []
    library = next((match[1] for match in absent if match is not None), None)
    if library is not None:
        raise EngineError(
            f"{engine} needs the library {library}, which {system} does not have: install it,"
            " or install streamgage from its portable wheel."
        )


def how_it_starts(engine: Path) -> tuple[int | None, tuple[str, ...]]:
    """The engine's exit status and stderr for a request of its version; empty if it fails."""
    try:
        done = answer_of([engine, "--version"], _MOST_SECONDS_TO_SAY_THE_VERSION)
    except (OSError, subprocess.SubprocessError):
        return None, ()
    return done.status, tuple(done.stderr.decode("utf-8", "replace").splitlines())


def raise_other_version(engine: Path, version: str | None) -> None:
    """Raise ``EngineError`` if the engine's version is known and not that of streamgage."""
    own = own_version()
    if version is not None and own is not None and version != own:
        raise EngineError(
            f"{engine} is of version {version}, and this streamgage of version {own}: install both"
            " again, or unset STREAMGAGE_ENGINE if that names the engine."
        )


def _version_of(engine: Path) -> str | None:
    """The version that the engine reports; ``None`` if it reports none."""
    try:
        done = answer_of([engine, "--version"], _MOST_SECONDS_TO_SAY_THE_VERSION)
    except (OSError, subprocess.SubprocessError):
        return None
    match = _VERSION.match(done.stdout)
    return None if match is None else match[1].decode("ascii")


class _Silence:
    """Measures how long the engine has been silent, without times of waiting."""

    def __init__(self, stderr: LastLines, most_seconds: float | None) -> None:
        """``most_seconds``: how long the engine may be silent; ``None``: forever."""
        self._stderr = stderr
        self._most = most_seconds
        self._heard = self._looked = time.monotonic()
        self._spoke = False

    def look(self, fetched: bytes) -> float | None:
        """Return the allowed seconds if the engine has been silent for longer; else ``None``."""
        now = time.monotonic()
        # It waits only before its first record. If the last look was long ago, all were suspended.
        waits = self._stderr.waits and not self._spoke
        if fetched or waits or now - self._looked > _LONGEST_BETWEEN_LOOKS:
            self._heard = now
        self._spoke = self._spoke or bool(fetched)
        self._looked = now
        return self._most if self._most is not None and now - self._heard > self._most else None


class _Stop:
    """Measures how long the engine has been stopped by a signal while this process runs.

    A kernel can stop the process that watches it, which then holds no time limit.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._looks = 0

    def look(self) -> bool:
        """Return whether it has been stopped at so many looks in a row that it stays stopped."""
        try:
            event = os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # it has ended
            event = None
        self._looks = 0 if event is None else self._looks + 1
        return self._looks * _SECONDS_BETWEEN_LOOKS > _MOST_SECONDS_STOPPED


@dataclass(frozen=True)
class _Watch:
    """The work of each look at the engine, and the detection of one that hangs."""

    look: Callable[[], None]
    silence: _Silence


def _lines(process: subprocess.Popen[bytes], spool: Spool, watch: _Watch) -> Iterator[bytes]:
    """Yield the lines that the engine prints, a few times a second, and the last ones at its end.

    Waking up for each line would take CPU time from the threads that are being measured.
    """
    rest, stop = b"", _Stop(process)
    with ending_of(process) as wait:
        ended = False
        while not ended:
            ended = process.poll() is not None  # before the look, so that no last line is missed
            fetched = spool.fetch()
            *lines, rest = (rest + fetched).split(b"\n")
            yield from (line + b"\n" for line in lines)
            watch.look()
            most = watch.silence.look(fetched)
            if not ended and most is not None:
                process.kill()
                raise EngineError(f"{ENGINE} printed nothing for {most:.0f} s, and was ended.")
            if not ended and stop.look():
                process.kill()
                raise EngineError(
                    f"{ENGINE} was stopped by a signal, as a kernel of your own may send one, and"
                    " was ended."
                )
            if not ended:
                wait(_SECONDS_BETWEEN_LOOKS)
    if rest:
        yield rest


def _sentence(lines: tuple[str, ...]) -> str:
    return lines[-1] if lines else ""


def _failure(status: int, lines: tuple[str, ...], received: list[signal.Signals]) -> EngineError:
    """Make the error for a missing ``end`` record; ``status`` is negative after a signal."""
    if received:
        how = "was stopped at once by the second signal" if len(received) > 1 else "was stopped"
        if status == -signal.SIGKILL and len(received) == 1:
            how = "did not end when asked to, and was killed"
        return EngineError(f"{ENGINE} {how}.", lines, EXIT_OF_SIGNAL[received[0]])
    if status in EXIT_OF_SIGNAL.values():  # somebody sent the signal to it alone
        return EngineError(f"{ENGINE} was stopped.", lines, status)
    if status == FAILED and lines:
        return EngineError(_sentence(lines), lines[:-1])
    if status < 0:
        return EngineError(f"{ENGINE} died: it was ended by {signal_name(-status)}.", lines)
    return CutOffError(status, lines)
