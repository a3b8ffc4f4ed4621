"""Decodes lines of JSON to typed records, from a running engine or from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from streamgage.advice import advice, command_name
from streamgage.errors import UsageError
from streamgage.records import SCHEMA_VERSION, AnyRecord, Kernel, Variant
from streamgage.records.foreign import UnreadableError, check, decoded, read_file
from streamgage.records.plain_text import without_controls
from streamgage.units import some_of

Note = Callable[[str], None]
"""A function that takes one sentence for the user."""

_MOST_NOTES = 3
_MOST_NAMED = 4


class _Version(msgspec.Struct):
    """The part that is read of a line that is not a record of this version."""

    record: str = ""
    schema: int = 0


def decode_lines(lines: Iterable[bytes], note: Note) -> Iterator[AnyRecord]:
    """Decode ``lines`` to records; other lines are left out, and ``note`` is called.

    If the last line has no newline and cannot be read, it was cut off when the writer was killed.
    Raises ``UsageError`` if the records are of a newer version than this program reads.
    """
    decoder = msgspec.json.Decoder[AnyRecord](AnyRecord)
    left_out = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(without_controls(line))
            check(record)
        except (ValueError, RecursionError) as error:
            _refuse_newer(line)
            if not line.endswith(b"\n"):
                note(f"The last line of the records (line {number}) is cut off and was left out.")
                return
            left_out += 1
            if left_out <= _MOST_NOTES:
                note(f"Line {number} of the records is not a record and was left out: {error}.")
            continue
        yield record
    if left_out > _MOST_NOTES:
        note(f"{left_out} lines of the records were left out in all.")


def decode_whole(content: bytes, note: Note) -> list[AnyRecord]:
    """Decode complete records in ``content``, with the same results as ``decode_lines``.

    This is faster, because all lines are decoded at once if each of them is a record.
    """
    content = without_controls(content)
    lines = content.splitlines(keepends=True)
    try:
        found = msgspec.json.Decoder[AnyRecord](AnyRecord).decode_lines(content)
        for record in found:
            check(record)
    except (ValueError, RecursionError):
        found = []
    # A record is one line. An object over several lines is not a record here either.
    if found and len(found) == len(lines) - sum(map(bytes.isspace, lines)):
        return _with_kernels(found, note)
    return _with_kernels(list(decode_lines(lines, note)), note)


def _with_kernels(records: list[AnyRecord], note: Note) -> list[AnyRecord]:
    """Leave out variants of kernels without a record: it is unknown what those kernels move."""
    kernels = {each.name for each in records if isinstance(each, Kernel)}
    unknown = {
        each.kernel: None
        for each in records
        if isinstance(each, Variant) and each.kernel not in kernels
    }
    if not unknown:
        return records
    names = some_of(list(unknown), _MOST_NAMED, "kernel")
    note(f"Left out, because no record describes the kernel: {names}.")
    return [each for each in records if not (isinstance(each, Variant) and each.kernel in unknown)]


def _refuse_newer(line: bytes) -> None:
    try:
        head = decoded(line, _Version)
    except UnreadableError:
        return
    if head.record == "machine" and head.schema > SCHEMA_VERSION:
        raise UsageError(
            f"These records are of version {head.schema}, and this streamgage reads up to version"
            f" {SCHEMA_VERSION}: update streamgage."
        )


def read_records(path: Path, note: Note) -> list[AnyRecord]:
    """Read all records of a file. Raises ``UsageError`` if it cannot be read or holds none."""
    notes: list[str] = []
    try:
        records = decode_whole(read_file(path), notes.append)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}; name a records file."
        ) from error
    if not records:
        raise UsageError(
            f"{path} has no records of streamgage: name a file that {command_name('measure')} wrote"
            " (with --records FILE, or a spooled one). For the output of other benchmarks use"
            f" {advice('interpret', path)}."
        )
    for sentence in notes:
        note(sentence)
    return records
