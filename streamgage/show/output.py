"""The destination of a command's output: stdout, or a file that was checked before measuring."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from streamgage.advice import advice
from streamgage.errors import StreamgageError, UsageError
from streamgage.records.command_files import claim_output
from streamgage.records.files import is_of_database, open_next_to, resolved
from streamgage.records.plain_text import plain_but_coloured
from streamgage.show.written import record_written

_STDOUT = (Path("-"), Path("/dev/stdout"))
_CLOSED = "Standard output is closed: open it, or write the result to a file with -o FILE."


def _later() -> str:
    return f" ({advice('show', '-o', 'FILE')} after a measurement)"


class Output:
    """Takes the finished text once. Until then an existing file keeps its content."""

    def __init__(
        self,
        path: Path | None,
        option: str = "-o",
        called: Path | None = None,
        *,
        at_once: bool = False,
    ) -> None:
        """Write to ``path`` (``None`` is stdout).

        ``called``: the name that the user gave the file, if the command shall list it at its end.
        ``at_once``: replace the file at once when it is written, so that it is whole or unchanged.
        """
        self.path = path
        self._called = called
        self._option = option
        self._at_once = at_once

    def write(self, text: str) -> None:
        """Write the text.

        Control sequences other than colours are removed. Raises ``StreamgageError`` if it cannot be
        written.
        """
        text = plain_but_coloured(text)
        if self.path is None:
            _print(text)
        else:
            self._fill(self.path, text.encode("utf-8"))

    def write_bytes(self, content: bytes) -> None:
        """Write binary content. Raises ``StreamgageError`` if it cannot be written."""
        if self.path is None:
            _print_bytes(content)
        else:
            self._fill(self.path, content)

    def _fill(self, path: Path, content: bytes) -> None:
        try:
            if self._at_once:
                _replace(path, content)
            else:
                path.write_bytes(content)
        except OSError as error:
            raise StreamgageError(
                f"{path} could not be written: {error.strerror}; name another file with"
                f" {self._option}{_later() if self._option == '-o' else ''}."
            ) from error
        if self._called is not None:
            record_written(self._called)


@contextmanager
def open_output(path: Path | None, option: str = "-o", *, quiet: bool = False) -> Iterator[Output]:
    """Open the output that ``option`` named; ``-`` is stdout.

    ``quiet``: do not list the file at the end, because another program writes to stderr. Raises
    ``UsageError`` at once if ``path`` cannot be written.
    """
    if path is None or is_stdout(path):
        if sys.stdout is None:
            raise UsageError(_CLOSED)
        yield Output(None)
        return
    claim_output(path, option)
    target, at_once = _check(path, option)
    yield Output(target, option, None if quiet else path, at_once=at_once)


def is_stdout(path: Path | None) -> bool:
    """Return whether the user's name of a file stands for standard output."""
    return path in _STDOUT


def require_writable(path: Path | None, option: str) -> None:
    """Raise ``UsageError`` if the file ``path``, which is written later, cannot be written."""
    if path is not None:
        with open_output(path, option):
            pass


def _check(named: Path, option: str) -> tuple[Path, bool]:
    """The file, and whether a new one can replace it."""
    try:
        target = resolved(named)
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if target.exists():
            with target.open("ab"):
                pass
            if not target.is_file():
                return target, False  # it is a device or a pipe
        if is_of_database(target):
            raise OSError(17, "it is a database")
        return target, _can_be_replaced(target)
    except OSError as error:
        of_command = f" with {option}, or leave it out to print the result"
        raise UsageError(
            f"The output file {named} cannot be written: {error.strerror}; name another"
            f"{of_command if option.startswith('-') else ''}."
        ) from error


def _can_be_replaced(target: Path) -> bool:
    """Return whether a file can be made next to ``target``. Raises ``OSError``.

    The file is removed at once: what ends this process during a measurement leaves nothing behind.
    """
    try:
        number, path = open_next_to(target)
    except PermissionError:
        if target.exists():
            return False  # the file may be writable although its folder is not
        raise
    os.close(number)
    path.unlink()
    return True


def _replace(target: Path, content: bytes) -> None:
    """Replace the file by a new one with that content. Raises ``OSError``."""
    number, path = open_next_to(target)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        path.replace(target)
    except BaseException:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def _print(text: str) -> None:
    if sys.stdout is None:
        raise StreamgageError(_CLOSED)
    encoding = sys.stdout.encoding or "utf-8"
    with _stdout() as stdout:
        stdout.write(text.encode(encoding, "replace").decode(encoding))


def _print_bytes(content: bytes) -> None:
    with _stdout() as stdout:
        stdout.flush()
        stdout.buffer.write(content)


@contextmanager
def _stdout() -> Iterator[TextIO]:
    """Yield stdout for printing. It is no error if the reader has gone away."""
    if sys.stdout is None:
        raise StreamgageError(_CLOSED)
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()
    except OSError as error:
        abandon_stdout()
        raise StreamgageError(
            f"Standard output could not be written: {error.strerror}; name a file with"
            f" -o{_later()}."
        ) from error


def abandon_stdout() -> None:
    """Discard what stdout has not yet written, so that it cannot fail a second time at exit."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
