"""The files of one command: none that it writes is one that it reads, or writes for another option.

Two names are the same file if device and inode are the same, whatever links lead there. A file that
does not exist yet is known by its folder and its name.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO

from streamgage.errors import UsageError
from streamgage.records.files import STORE_SIDES, is_stream, resolved

_Key = tuple[object, ...]


@dataclass(frozen=True)
class _File:
    """A file of the command."""

    option: str
    """The option that named it; empty if it stands without one."""
    named: str
    target: Path
    keys: frozenset[_Key]

    @classmethod
    def of(cls, path: Path, option: str) -> _File:
        try:
            target = resolved(path)
        except OSError:  # whatever opens it says what is wrong
            target = path
        return cls(option, str(path), target, frozenset(_keys(target)))

    @property
    def is_there(self) -> bool:
        """Return whether it is a file or a folder that exists."""
        return any(isinstance(each[-1], int) for each in self.keys)

    @property
    def shown(self) -> str:
        """The file as it stands on the command line."""
        return f"{self.option} {self.named}".strip()

    def same_as(self, other: _File) -> bool:
        return not self.keys.isdisjoint(other.keys)

    def replaces_part_of(self, folder: _File) -> bool:
        """Return whether it exists in that folder."""
        return self.is_there and any(
            not folder.keys.isdisjoint(_keys(each)) for each in self.target.parents
        )


@dataclass
class _Files:
    read: list[_File] = field(default_factory=list)
    written: list[_File] = field(default_factory=list)
    stores: list[_File] = field(default_factory=list)


_FILES: ContextVar[_Files | None] = ContextVar("command_files", default=None)


@contextmanager
def command_files(*, streams: bool = False) -> Iterator[None]:
    """Know the files of one command in this context; a command within another shares its files.

    ``streams``: standard input and output belong to the command. Outside such a context, nothing is
    compared.
    """
    if _FILES.get() is not None:
        yield
        return
    before = _FILES.set(_Files())
    try:
        if streams:
            _add_stream(sys.stdin, read=True)
            _add_stream(sys.stdout, read=False)
        yield
    finally:
        _FILES.reset(before)


def claim_input(path: Path, option: str = "", *, folder: bool = True) -> None:
    """Note that the command reads the file ``path``, or with ``folder`` all files of that folder.

    Raises ``UsageError`` if the command also writes it.
    """
    files = _FILES.get()
    if files is None or str(path) == "-":  # standard input is known as a stream
        return
    found = _File.of(path, option)
    if not found.is_there or not (folder or found.target.is_file()):
        return
    files.read.append(found)
    for each in files.written:
        _require_apart(each, found)


def claim_output(path: Path, option: str = "-o") -> None:
    """Note that the command writes the file ``path``.

    Raises ``UsageError`` if the command also reads it, or writes it for another option.
    """
    files = _FILES.get()
    if files is None or str(path) == "-":
        return
    found = _File.of(path, option)
    if is_stream(found.target) or (found.is_there and found.target.is_dir()):
        return
    for each in files.read:
        _require_apart(found, each)
    for each in files.stores:
        _require_no_store(found, each)
    for each in files.written:
        if found.same_as(each) and (found.option, found.named) != (each.option, each.named):
            raise UsageError(
                f"{each.shown} and {found.shown} name the same file, so one would replace the"
                " other: name different files."
            )
    files.written.append(found)


def claim_store(path: Path) -> None:
    """Note the store of the command. Raises ``UsageError`` if the command also writes it."""
    files = _FILES.get()
    if files is None:
        return
    for end in ("", *STORE_SIDES):
        store = _File.of(Path(f"{path}{end}"), "--store")
        files.stores.append(store)
        for each in files.written:
            _require_no_store(each, store)


def _require_no_store(output: _File, store: _File) -> None:
    if output.same_as(store):
        raise UsageError(
            f"{output.shown} would replace a file of the store that this command uses: name another"
            " file."
        )


def _require_apart(output: _File, read: _File) -> None:
    if output.same_as(read) or (read.target.is_dir() and output.replaces_part_of(read)):
        raise UsageError(
            f"{output.shown} would replace {read.shown}, which this command reads: name another"
            " file."
        )


def _add_stream(stream: TextIO | BinaryIO | None, *, read: bool) -> None:
    """Add a standard stream that leads to a regular file."""
    files = _FILES.get()
    if files is None or stream is None:  # closed
        return
    with suppress(OSError, ValueError, AttributeError):
        found = os.fstat(stream.fileno())
        if stat.S_ISREG(found.st_mode):
            name = "standard input" if read else "standard output"
            keys = frozenset({(found.st_dev, found.st_ino)})
            added = _File("", name, Path(f"/dev/fd/{stream.fileno()}"), keys)
            (files.read if read else files.written).append(added)


def _keys(target: Path) -> Iterator[_Key]:
    """What tells a file from others; nothing for a device or a pipe, which is never replaced."""
    with suppress(OSError, ValueError):
        found = target.stat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            return
        yield found.st_dev, found.st_ino
    with suppress(OSError, ValueError):
        folder = target.parent.stat()
        yield folder.st_dev, folder.st_ino, target.name
