"""Passes signals on to a program that this process started."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType, MappingProxyType

from streamgage.errors import INTERRUPTED, TERMINATED

EXIT_OF_SIGNAL = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
"""The signals that are passed on, and the exit status after each."""
Handler = Callable[[int, FrameType | None], None] | signal.Handlers


@contextmanager
def signals_passed_on(
    process: subprocess.Popen[bytes],
    grace_seconds: float,
    *,
    translated: Mapping[int, signal.Signals] = MappingProxyType({}),
    group: bool = False,
) -> Iterator[list[signal.Signals]]:
    """Pass SIGINT and SIGTERM on to ``process``, and yield the list of received signals.

    The engine has a process group of its own, so that it gets a signal once, whether it came from
    the terminal or was sent to this process alone. Ctrl-Z and its end are passed on as well.
    ``translated`` maps a signal to the one that ``process`` gets instead. With ``group`` the whole
    process group gets it, so that it reaches an engine that a wrapper started.
    """
    received: list[signal.Signals] = []

    def send(number: int) -> None:
        if group:
            signal_group(process, number)
        else:
            process.send_signal(number)

    timer = threading.Timer(grace_seconds, send, [signal.SIGKILL])
    timer.daemon = True

    def handle(number: int, _frame: FrameType | None) -> None:
        received.append(signal.Signals(number))
        if len(received) > 1:
            send(signal.SIGKILL)
            return
        send(translated.get(number, number))
        if number == signal.SIGTERM:
            timer.start()

    def suspend(_number: int, _frame: FrameType | None) -> None:
        # SIGTSTP where it can be: the engine may have to stop a process that measures for it.
        send(translated.get(signal.SIGTSTP, signal.SIGTSTP))
        os.kill(os.getpid(), signal.SIGSTOP)  # returns when this process is continued
        send(signal.SIGCONT)

    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread can set handlers
        return
    with handled(dict.fromkeys(EXIT_OF_SIGNAL, handle) | {signal.SIGTSTP: suspend}):
        try:
            yield received
        finally:
            timer.cancel()


def signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to a program that leads a process group, and to what it started there."""
    with suppress(PermissionError):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:  # all have ended, or it has left its group
            process.send_signal(number)


@contextmanager
def handled(handlers: Mapping[signal.Signals, Handler]) -> Iterator[None]:
    """Handle signals by ``handlers`` within this context; only in the main thread.

    Python cannot restore a handler that is not its own, such as that of a program that embeds
    Python. Such a signal has Python's usual handler afterwards.
    """
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, _usual(number) if handler is None else handler)


def _usual(number: signal.Signals) -> Handler:
    """The handler that a signal has when Python starts."""
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
