"""Where the answer goes: stdout, or a file that is known to be writable before measuring."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.files import is_database, open_next_to

_LATER = " (`streamgage show -o FILE` after a measurement)"
_CLOSED = "Standard output is closed: open it, or write the result to a file with -o FILE."


class Output:
    """Takes the finished text once; until then an existing file keeps what it holds."""

    def __init__(self, path: Path | None, temporary: Path | None, option: str = "-o") -> None:
        """Write to ``path`` (``None``: stdout), by way of ``temporary`` where there is one."""
        self.path = path
        self._option = option
        self._temporary = temporary

    def write(self, text: str) -> None:
        """Write the text. Raises ``StreamgageError`` where the file cannot take it."""
        if self.path is None:
            _print(text)
        else:
            self._fill(self.path, text.encode("utf-8"))

    def write_bytes(self, content: bytes) -> None:
        """Write a picture. Raises ``StreamgageError`` where the file cannot take it."""
        if self.path is None:
            raise AssertionError("a picture goes to a file")
        self._fill(self.path, content)

    def _fill(self, path: Path, content: bytes) -> None:
        try:
            if self._temporary is None:
                path.write_bytes(content)
            else:
                self._temporary.write_bytes(content)
                self._temporary.replace(path)
        except OSError as error:
            raise StreamgageError(
                f"{path} could not be written: {error.strerror}; name another file with"
                f" {self._option}{_LATER if self._option == '-o' else ''}."
            ) from error


@contextmanager
def open_output(path: Path | None, option: str = "-o") -> Iterator[Output]:
    """The output of a run, which ``option`` named.

    Raises ``UsageError`` at once where ``path`` cannot be written.
    """
    if path is None:
        if sys.stdout is None:
            raise UsageError(_CLOSED)
        yield Output(None, None)
        return
    target, temporary = _check(path, option)
    try:
        yield Output(target, temporary, option)
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _check(named: Path, option: str) -> tuple[Path, Path | None]:
    """The file and a temporary one next to it; ``None`` where the file itself is to be written."""
    try:
        target = named.resolve()
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if target.exists():
            with target.open("ab"):
                pass
            if not target.is_file():
                return target, None  # a device or a pipe
            if is_database(target):
                raise OSError(17, "it is a database")
        return target, _beside(target)
    except OSError as error:
        of_command = f" with {option}, or leave it out to print the result"
        raise UsageError(
            f"The output file {named} cannot be written: {error.strerror}; name another"
            f"{of_command if option.startswith('-') else ''}."
        ) from error


def _beside(target: Path) -> Path | None:
    """A new file in the folder of ``target``; ``None`` where only the target may be written."""
    try:
        number, path = open_next_to(target)
    except PermissionError:
        if target.exists():
            return None  # a file that may be written in a folder that may not
        raise
    os.close(number)
    return path


def _print(text: str) -> None:
    """Print on stdout; a reader that went away is no error."""
    if sys.stdout is None:
        raise StreamgageError(_CLOSED)
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_stdout()
    except OSError as error:
        abandon_stdout()
        raise StreamgageError(
            f"Standard output could not be written: {error.strerror}; name a file with -o"
            " (`streamgage show -o FILE` after a measurement)."
        ) from error


def abandon_stdout() -> None:
    """Let what is still to be flushed to stdout go nowhere, so that it fails no second time."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
