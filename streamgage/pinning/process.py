"""Runs a program in the foreground as a shell does: its signals and its status are passed on."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence

from streamgage.errors import StreamgageError

NOT_EXECUTABLE = 126
NOT_FOUND = 127
_OF_SIGNAL = 128
_FROM_KERNEL = 0x80
"""``si_code`` of a signal that no process sent; from <asm-generic/siginfo.h>."""
_PASSED_ON = {
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
    *(signal.SIGUSR1, signal.SIGUSR2),
}


class NotStartedError(StreamgageError):
    """The program could not be started; ``exit_status`` is what a shell ends with then."""

    def __init__(self, sentence: str, exit_status: int) -> None:
        """Keep the sentence and the exit status."""
        super().__init__(sentence)
        self.exit_status = exit_status


def run(command: Sequence[str], environment: Mapping[str, str], cpus: Sequence[int]) -> int:
    """Run ``command``, which may use ``cpus``; its exit status, or 128 and the signal's number.

    Raises ``NotStartedError`` where there is no such program (127) or it cannot be run (126).
    """
    watched = _PASSED_ON | {signal.SIGCHLD}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, watched)

    def prepare() -> None:
        os.sched_setaffinity(0, cpus)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    try:
        process = _start(command, environment, prepare)
        while process.poll() is None:
            _pass_on(signal.sigwaitinfo(watched), process)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    status = process.returncode
    return status if status >= 0 else _OF_SIGNAL - status


def _start(
    command: Sequence[str], environment: Mapping[str, str], prepare: Callable[[], None]
) -> subprocess.Popen[bytes]:
    name = command[0]
    try:
        return subprocess.Popen(
            command,
            env=environment,
            preexec_fn=prepare,  # noqa: PLW1509 - there is no other thread yet
        )
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotStartedError(
            f"{name} was not found: check its name, or give its path.", NOT_FOUND
        ) from error
    except OSError as error:
        raise NotStartedError(
            f"{name} cannot be run: {error.strerror}; check that it is a program of this system"
            " that you may execute.",
            NOT_EXECUTABLE,
        ) from error
    except subprocess.SubprocessError as error:
        raise StreamgageError(
            f"{name} could not be given its CPUs: have binding permitted here, or run it without"
            " streamgage."
        ) from error


def _pass_on(received: signal.struct_siginfo, process: subprocess.Popen[bytes]) -> None:
    """What the terminal sends, the program has got itself."""
    if received.si_signo != signal.SIGCHLD and received.si_code != _FROM_KERNEL:
        process.send_signal(received.si_signo)
