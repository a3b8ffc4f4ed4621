"""The program ``streamgage``, and what ``python -m streamgage`` runs.

Its first imports take longer than many of its commands. During them, and after the command has
ended, Ctrl-C ends it at once. In between, Ctrl-C raises ``KeyboardInterrupt``, so that files and
programs can be cleaned up.
"""

from __future__ import annotations

import os
import signal
import sys

from streamgage.errors import BROKEN, INTERRUPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

_SOON_SECONDS = 0.01
_AS_SIGTERM = (signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2)
"""Signals that end a program without a word, such as that of a terminal that is closed."""


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _handle_interrupt(handler: signal._HANDLER) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, handler)


class _Ends:
    """Ends the program on signals, and keeps the exit status.

    A signal may come while a module is loaded, and what it raises may become another error there.
    """

    def __init__(self) -> None:
        self.status: int | None = None
        """``None`` before the first such signal."""

    def handle(self) -> None:
        """Handle the signals from now on."""
        _handle_interrupt(self._interrupt)
        for number in _AS_SIGTERM:
            if signal.getsignal(number) is signal.SIG_DFL:  # not if it is ignored, as by nohup
                signal.signal(number, self._end)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.status = INTERRUPTED
        signal.default_int_handler(number, frame)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """End as SIGTERM ends what runs now, so that files and programs are cleaned up."""
        handler = signal.getsignal(signal.SIGTERM)
        if callable(handler):
            handler(signal.SIGTERM, frame)
        else:
            self.status = 128 + number
            sys.exit(self.status)


def _again(lost: sys.UnraisableHookArgs) -> None:
    """Send the signal again if it came during code that cannot raise, such as a finalizer."""
    number = int(signal.SIGINT)
    if isinstance(lost.exc_value, SystemExit) and isinstance(lost.exc_value.code, int):
        number = lost.exc_value.code - 128
    elif not issubclass(lost.exc_type, KeyboardInterrupt):
        number = 0
    if number not in (signal.SIGINT, signal.SIGTERM, *_AS_SIGTERM):
        sys.__unraisablehook__(lost)
        return
    from threading import Timer

    Timer(_SOON_SECONDS, os.kill, (os.getpid(), number)).start()


def _fail(error: Exception, ended: int | None) -> NoReturn:
    """Leave after an error that no command expects, or with the status ``ended`` of a signal."""
    if ended is not None:
        sys.exit(ended)
    if isinstance(error, ImportError):
        text = f"a Python package is damaged ({error}): install streamgage and its packages again"
        print(f"streamgage: {text}.", file=sys.stderr)
        sys.exit(BROKEN)
    if not {"check", "fleet"} & set(sys.argv[1:4]):
        raise error
    # Python's own status of a defect is that of a slow node.
    sys.excepthook(*sys.exc_info())
    sys.exit(BROKEN)


def main() -> None:
    """Run the program and leave with its exit status."""
    _handle_interrupt(_leave)  # for a caller of this function
    sys.unraisablehook = _again
    ends = _Ends()
    try:
        from streamgage.cli import main as run

        ends.handle()
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        _fail(error, ends.status)
    finally:
        _handle_interrupt(_leave)


_handle_interrupt(_leave)

if __name__ == "__main__":
    main()
