"""Where the answer goes: stdout, or a file that is known to be writable before measuring."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError


class Output:
    """Takes the finished text once; until then an existing file keeps what it holds."""

    def __init__(self, path: Path | None, temporary: Path | None) -> None:
        """Write to ``path`` (null: stdout), by way of ``temporary`` where that is not null."""
        self.path = path
        self._temporary = temporary

    def write(self, text: str) -> None:
        """Write the text. Raises ``StreamgageError`` where the file cannot take it."""
        if self.path is None:
            _print(text)
            return
        try:
            if self._temporary is None:
                self.path.write_text(text, "utf-8")
            else:
                self._temporary.write_text(text, "utf-8")
                self._temporary.replace(self.path)
        except OSError as error:
            raise StreamgageError(
                f"{self.path} could not be written: {error.strerror}; `streamgage show -o FILE`"
                " writes the result elsewhere."
            ) from error


@contextmanager
def open_output(path: Path | None) -> Iterator[Output]:
    """The output of a run. Raises ``UsageError`` at once where ``path`` cannot be written."""
    if path is None:
        yield Output(None, None)
        return
    target = path.resolve()
    temporary = _check(target, path)
    try:
        yield Output(target, temporary)
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _check(target: Path, named: Path) -> Path | None:
    """A temporary file beside ``target``; null where the target itself is to be written."""
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if target.exists():
            with target.open("ab"):
                pass
            if not target.is_file():
                return None  # a device or a pipe
        return _beside(target)
    except OSError as error:
        raise UsageError(
            f"The output file {named} cannot be written: {error.strerror}; name another with -o,"
            " or leave it out to print the result."
        ) from error


def _beside(target: Path) -> Path | None:
    """A new file in the folder of ``target``, with the rights that the target has or would get."""
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except PermissionError:
        if target.exists():
            return None  # a file that may be written in a folder that may not
        raise
    mask = os.umask(0)
    os.umask(mask)
    os.fchmod(number, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~mask)
    os.close(number)
    return Path(name)


def _print(text: str) -> None:
    """Print on stdout; a reader that went away is no error."""
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
