"""Reads and checks foreign content once: files, stores, and outputs of programs.

Values that pass have the types that their fields declare, and lie within the ranges of
``quantities``. No other code checks them again. Content that does not pass raises
``UnreadableError`` with one sentence.
"""

from __future__ import annotations

import errno
import os
import stat
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec import inspect

from streamgage.records.plain_text import one_line

MOST_BYTES = 1 << 30
"""The greatest size of a file that is read; no result is longer."""
_PIECE = 1 << 20
_NULL = os.makedev(1, 3)
"""The number of ``/dev/null`` (Linux's devices.txt)."""
_Value = Any
"""A value that passes; its type is not known here."""
T = TypeVar("T")
_Check = Callable[[_Value], None]


class UnreadableError(ValueError):
    """Foreign content is wrong; the message is a part of a sentence that says why."""


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read a file. Raises ``OSError``, also if it holds more than ``most`` bytes."""
    with open_foreign(path) as file:
        return read_stream(file, most)


def open_foreign(path: Path) -> BinaryIO:
    """Open a file that the user named, to read it. Raises ``OSError``, also for a device.

    A device such as ``/dev/zero`` has no end. A terminal and ``/dev/null`` are no such devices.
    """
    file = path.open("rb")
    found = os.fstat(file.fileno())
    if stat.S_ISCHR(found.st_mode) and not file.isatty() and found.st_rdev != _NULL:
        file.close()
        raise OSError(errno.EINVAL, "it is a device")
    return file


def read_stream(file: BinaryIO, most: int = MOST_BYTES) -> bytes:
    """Read the rest of ``file``.

    Raises ``OSError`` as ``read_file`` does. Memory is taken as the content arrives, not in
    advance.
    """
    content = bytearray()
    while piece := file.read(_PIECE):
        content += piece
        if len(content) > most:
            raise OSError(27, f"it is longer than {most >> 20} MiB")
    return bytes(content)


def unpacked(content: bytes, length: int) -> bytes:
    """Unpack ``content`` with zlib.

    Raises ``UnreadableError`` unless it holds exactly ``length`` bytes.
    """
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(content, length + 1)
    except zlib.error as error:
        raise UnreadableError(f"it cannot be unpacked: {error}") from error
    if len(found) != length or not unpacker.eof:
        raise UnreadableError(f"it does not hold the {length} bytes that it claims to hold")
    return found


def decoded(content: bytes, kind: type[T]) -> T:
    """Decode JSON as a value of the type ``kind``. Raises ``UnreadableError``."""
    return _passed(lambda: msgspec.json.decode(content, type=kind))


def converted(value: object, kind: _Value) -> _Value:
    """Convert plain values, as from JSON or a row, to the type ``kind``.

    Raises ``UnreadableError``.
    """
    return _passed(lambda: msgspec.convert(value, kind))


def _passed(read: Callable[[], T]) -> T:
    try:
        found = read()
        check(found)
    except RecursionError as error:
        raise UnreadableError("it is nested too deeply") from error
    except ValueError as error:  # errors of msgspec and of wrong UTF-8 are such
        raise UnreadableError(one_line(str(error))) from error  # it quotes foreign names
    return found


def check(value: object) -> None:
    """Apply the checks of ``checked_by``, and the method ``consistent`` of structures.

    ``msgspec`` has already decoded the value by its types. Raises ``ValueError``.
    """
    if isinstance(value, list):
        for each in value:
            check(each)
    elif isinstance(value, msgspec.Struct):
        found = _check_of(type(value))
        if found is not None:
            found(value)


@cache
def _check_of(kind: type[msgspec.Struct]) -> _Check | None:
    return _compiled(inspect.type_info(kind))


def _compiled(info: inspect.Type) -> _Check | None:
    """Build the check for values of that type; ``None`` if there is nothing to check."""
    match info:
        case inspect.Metadata():
            return _all_of([_compiled(info.type), (info.extra or {}).get("check")])
        case inspect.StructType():
            return _of_struct(info)
        case inspect.UnionType():
            return _of_union(info)
        case inspect.ListType() | inspect.VarTupleType():
            check = _compiled(info.item_type)
            return None if check is None else _of_items(check)
        case inspect.DictType():
            check = _compiled(info.value_type)
            return None if check is None else _of_values(check)
    return None


def _all_of(checks: list[_Check | None]) -> _Check | None:
    known = [each for each in checks if each is not None]
    if len(known) < 2:
        return known[0] if known else None

    def every(value: _Value) -> None:
        for each in known:
            each(value)

    return every


def _of_struct(info: inspect.StructType) -> _Check | None:
    fields = [(each.name, found) for each in info.fields if (found := _compiled(each.type))]
    whole: _Check | None = getattr(info.cls, "consistent", None)
    if not fields and whole is None:
        return None

    def struct(value: _Value) -> None:
        for name, found in fields:
            try:
                found(getattr(value, name))
            except ValueError as error:
                raise _at(error, f".{name}") from error
        if whole is not None:
            whole(value)

    return struct


def _of_items(check: _Check) -> _Check:
    def items(values: _Value) -> None:
        for place, value in enumerate(values):
            try:
                check(value)
            except ValueError as error:
                raise _at(error, f"[{place}]") from error

    return items


def _of_values(check: _Check) -> _Check:
    def values(value: _Value) -> None:
        for item in value.values():
            try:
                check(item)
            except ValueError as error:
                raise _at(error, "[...]") from error

    return values


def _of_union(info: inspect.UnionType) -> _Check | None:
    known = [found for one in info.types if (found := _by_type(one))]

    def union(value: _Value) -> None:
        for kind, found in known:
            if isinstance(value, kind):
                found(value)

    return union if known else None


def _by_type(info: inspect.Type) -> tuple[type, _Check] | None:
    """The check, with the type of the values that it applies to."""
    found = _compiled(info)
    if found is None:
        return None
    bare = info.type if isinstance(info, inspect.Metadata) else info
    if isinstance(bare, inspect.StructType):
        return bare.cls, found
    kinds = {inspect.StrType: str, inspect.DictType: dict, inspect.ListType: list}
    return kinds.get(type(bare), object), found


class _PlacedError(ValueError):
    """What is wrong with a value, and where it is, in the words of msgspec."""

    def __init__(self, what: str, path: str) -> None:
        super().__init__(f"{what} - at `${path}`")
        self.what, self.path = what, path


def _at(error: ValueError, step: str) -> _PlacedError:
    if isinstance(error, _PlacedError):
        return _PlacedError(error.what, step + error.path)
    return _PlacedError(str(error), step)
