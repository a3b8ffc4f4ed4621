"""Runs another program in the foreground, as a shell does, and waits for it."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from streamgage.errors import StreamgageError
from streamgage.process.signals import handled

NOT_FOUND = 127
NOT_EXECUTABLE = 126
"""Exit statuses of POSIX shells for a program that cannot run, and for one that does not exist."""

_PASSED_ON = frozenset(
    {
        *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
        *(signal.SIGUSR1, signal.SIGUSR2),
    }
)
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_FROM_THE_KERNEL = 0x80
"""SI_KERNEL of <bits/siginfo-consts.h>: the kernel sent the signal, as for Ctrl-C, which reaches
all programs in the foreground."""
_PATIENCE_SECONDS = 0.1
"""Seconds until the next look at the program, if another thread may be informed of its end."""
_FOREVER_SECONDS = 86_400.0


class NotStartedError(StreamgageError):
    """A program that could not be started; ``exit_status`` is that of a shell."""

    def __init__(self, sentence: str, exit_status: int) -> None:
        """Keep the sentence and the exit status."""
        super().__init__(sentence)
        self.exit_status = exit_status


def run_in_foreground(
    command: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    cpus: Collection[int] | None = None,
    output: int | None = None,
) -> int:
    """Run ``command`` to its end, and return its exit status, which is 128 + n after signal n.

    It shares this process's standard streams, process group and terminal. It may use ``cpus``, or
    the CPUs of this process. ``output`` is a file descriptor for its stdout. Signals that are sent
    to this process alone are passed on; signals from the terminal, such as Ctrl-C, reach it
    anyway. Raises ``NotStartedError``, and ``StreamgageError`` if it cannot be bound to ``cpus``.
    """
    awaited = _PASSED_ON | {signal.SIGCHLD}
    with _end_is_shown():
        return _run(command, environment, cpus, awaited, output)


@contextmanager
def _end_is_shown() -> Iterator[None]:
    """Restore the default of SIGCHLD: if it were ignored, the exit status would be lost."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can set handlers
        return
    with handled({signal.SIGCHLD: signal.SIG_DFL}):
        yield


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    cpus: Collection[int] | None,
    awaited: frozenset[signal.Signals],
    output: int | None,
) -> int:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    try:
        with _allowed(cpus):  # a process starts with its maker's CPUs
            process = _start(command, environment, before, output)
        status = _await(process, awaited)
        while signal.sigtimedwait(awaited, 0) is not None:
            pass  # what came when it had ended is not for anybody else
        return status
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _allowed(cpus: Collection[int] | None) -> Iterator[None]:
    if cpus is None:
        yield
        return
    try:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cpus)
    except OSError as error:
        raise StreamgageError(
            f"The program cannot be bound to its CPUs: {error.strerror}. Permit binding here, or"
            " run it without streamgage."
        ) from error
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _start(
    command: Sequence[str],
    environment: Mapping[str, str],
    mask: set[int] | set[signal.Signals],
    output: int | None,
) -> int:
    moved = [] if output is None else [(os.POSIX_SPAWN_DUP2, output, 1)]
    try:
        return os.posix_spawnp(
            command[0],
            list(command),
            environment,
            file_actions=moved,
            setsigmask=mask,
            setsigdef=_IGNORED_BY_PYTHON,
        )
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise NotStartedError(
                f"{command[0]} was not found: check its name, or give its path.", NOT_FOUND
            ) from error
        raise NotStartedError(
            f"{command[0]} cannot be run: {error.strerror}.", NOT_EXECUTABLE
        ) from error
    except ValueError as error:  # an empty name, or a NUL in an argument
        if not command[0]:
            raise NotStartedError(
                "The program's name is empty: give its name or path.", NOT_FOUND
            ) from error
        raise NotStartedError(f"{command[0]!r} cannot be run: {error}.", NOT_FOUND) from error


def _await(process: int, awaited: frozenset[signal.Signals]) -> int:
    patience = _PATIENCE_SECONDS if _has_other_threads() else _FOREVER_SECONDS
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        try:
            received = signal.sigtimedwait(awaited, patience)
        except KeyboardInterrupt:  # another thread took the signal, and its handler ran in this one
            os.kill(process, signal.SIGINT)
            continue
        if received is None or received.si_signo == signal.SIGCHLD:
            continue
        if received.si_code != _FROM_THE_KERNEL:
            with suppress(ProcessLookupError):
                os.kill(process, received.si_signo)


def _has_other_threads() -> bool:
    """Return whether another thread, such as a notebook's, may take the awaited signal."""
    try:
        return len(list(Path("/proc/self/task").iterdir())) > 1
    except OSError:
        return True
