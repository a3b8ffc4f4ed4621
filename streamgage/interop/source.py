"""Reads the text of a file or of standard input, of a size that the output of a benchmark has."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.units import MIB

LARGEST = 4 * MIB
"""Bytes: some 2000 runs of STREAM."""
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
"""What PowerShell writes by ``>``."""


def read_text(path: Path) -> str:
    """The text of ``path``, ``-`` being standard input. Raises ``UsageError``."""
    try:
        data = _bytes(path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}; name a file that holds the saved"
            " output of a benchmark."
        ) from error
    return text_of(data, "standard input" if str(path) == "-" else str(path))


def text_of(data: bytes, name: str) -> str:
    """The text that ``data`` holds. Raises ``UsageError``, which calls it ``name``."""
    if len(data) > LARGEST:
        raise UsageError(
            f"{name} is longer than {LARGEST // MIB} MiB, which no output of a benchmark is: cut"
            " the tables out of it (grep, tail), or name another file."
        )
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data:
        raise UsageError(
            f"{name} holds binary data, not text: name the saved output of a benchmark."
        )
    return data.decode("utf-8-sig", "replace")


def _bytes(path: Path) -> bytes:
    """At most one byte more than is taken, so that no file however long costs time."""
    if str(path) != "-":
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read(LARGEST + 1)
