"""Reads the text of a file of any length; of a long text only the surroundings of its tables.

Logs may be far longer than the tables in them. A long text is read in pieces, and only the lines
near words that occur in tables are kept. Empty lines replace the others, so lines keep their
numbers.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from streamgage.errors import UsageError
from streamgage.records.foreign import open_foreign
from streamgage.units import GIB, MIB

WHOLE = 4 * MIB
"""The largest text, in bytes, that is read whole."""
LARGEST = 4 * GIB
"""The largest text, in bytes, that is read at all; only an endless stream is longer."""
_MOST_KEPT = 32 * MIB
"""The most bytes around tables that are kept: some 10,000 runs of STREAM."""
_PIECE = 4 * MIB
_BEFORE, _AFTER = 12 * 1024, 12 * 1024
"""What a benchmark prints before and after its table fits into this many bytes each."""
_END = 2048
MARKS = (
    *(b"Min time", b"Min Time", b"Min (sec)", b"_per_sec", b"Bandwidth (G", b"Copy:", b"Triad:"),
    *(b"LIKWID MICRO", b"Memory Bandwidths for", b"Rate (MB/s)", b" MB/s\n", b"transferred ("),
    *(b"Begin of Summary", b"version $", b" bandwidth: ", b" MB/s (", b"random read"),
    *(b"memory rate", b"memory read rate", b"directional copy", b"Memory Throughput"),
    *(b"t/s |", b"model_size", b"Mem Read (MB/s)", b"bandwidth [MB", b"Bandwidth Domain"),
    *(b"Avg BW(GB/s)", b"| Copy", b"| Triad", b"| **Copy", b"| **Triad", b",Triad", b"Triad,"),
)
"""Words that occur in tables; every table has one of them."""
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
"""The byte order marks of UTF-16, which PowerShell's ``>`` writes."""
_MOST_NULS = 0.001
"""The largest share of NUL bytes. A log torn by a crash may hold some; a binary file holds more."""


def read_text(path: Path) -> str:
    """Read the text of ``path``; ``-`` is standard input. Raises ``UsageError``."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        if str(path) != "-":
            with open_foreign(path) as file:
                return _text(file, name)
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return _text(sys.stdin.buffer, name)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}; name a file that holds the saved"
            " output of a benchmark."
        ) from error


def text_of(data: bytes, name: str) -> str:
    """Decode the text in ``data``. Raises ``UsageError``, whose message calls it ``name``."""
    return _decoded(_excerpt(_unified(iter([data]), name), name, whole=len(data) <= WHOLE))


def _text(file: BinaryIO, name: str) -> str:
    first = file.read(WHOLE + 1)
    whole = len(first) <= WHOLE
    return _decoded(_excerpt(_unified(_pieces(first, file, name), name), name, whole=whole))


def _pieces(first: bytes, file: BinaryIO, name: str) -> Iterator[bytes]:
    yield first
    total = len(first)
    while piece := file.read(_PIECE):
        total += len(piece)
        if total > LARGEST:
            raise UsageError(
                f"{name} is longer than {LARGEST // GIB} GiB, too long for a log: cut the tables"
                " out of it (grep, tail), or name another file."
            )
        yield piece


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _unified(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Convert the pieces to UTF-8 with Unix line ends. Raises ``UsageError`` for binary data."""
    first = next(pieces, b"")
    decoder = _decoder(first)
    if decoder is None and first.count(b"\0") > _MOST_NULS * len(first):
        raise UsageError(
            f"{name} holds binary data, not text: name the saved output of a benchmark."
        )
    held = b""
    for piece in _chained(first, pieces):
        text = decoder.decode(piece).encode("utf-8") if decoder is not None else piece
        text = (held + text).replace(b"\0", b"")
        held = b"\r" if text.endswith(b"\r") else b""  # a newline may follow
        yield text[: len(text) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _decoder(first: bytes) -> codecs.IncrementalDecoder | None:
    """Make a decoder for UTF-16, with or without its mark; ``None`` for anything else."""
    for mark, encoding in _WIDE:
        if first.startswith(mark):
            return codecs.getincrementaldecoder("utf-16")("replace")
        head = first[:2000]
        zeros = head[1::2] if encoding.endswith("le") else head[::2]
        if len(zeros) > 20 and zeros.count(0) > 0.9 * len(zeros) and head.count(0) < len(head):
            others = head[::2] if encoding.endswith("le") else head[1::2]
            if others.count(0) == 0:
                return codecs.getincrementaldecoder(encoding)("replace")
    return None


def _excerpt(pieces: Iterator[bytes], name: str, *, whole: bool) -> bytes:
    if whole:
        return b"".join(pieces)
    reader = _Excerpt(name)
    for piece in pieces:
        reader.feed(piece)
    return reader.finish()


@dataclass
class _Excerpt:
    """Keeps the lines near marks, and replaces the others by empty lines."""

    name: str
    kept: list[bytes] = field(default_factory=list)
    total: int = 0
    buffer: bytes = b""
    until: int = 0
    """The position in the buffer up to which an earlier mark keeps lines."""

    def feed(self, piece: bytes) -> None:
        """Add a piece of the text, and settle the part that later marks cannot change."""
        self.buffer += piece
        end = self.buffer.rfind(b"\n", 0, max(len(self.buffer) - _BEFORE, 0)) + 1
        self._settle(end or max(len(self.buffer) - _BEFORE, 0))

    def finish(self) -> bytes:
        """Return the kept lines, with empty lines for the others; the end is always kept."""
        self._settle(len(self.buffer), ends=True)
        return b"".join(self.kept)

    def _settle(self, end: int, *, ends: bool = False) -> None:
        windows = [(0, self.until)] if self.until > 0 else []
        if ends:  # where a failed run gives its reason
            windows.append((max(end - _END, 0), end))
        for place in _marks(self.buffer):
            start = self.buffer.rfind(b"\n", 0, max(place - _BEFORE, 0)) + 1
            windows.append((start, place + _AFTER))
        done, last = 0, self.until
        for start, stop in sorted(windows):
            if start >= end:
                break
            if start > done:
                self._keep(b"\n" * self.buffer.count(b"\n", done, start))
                done = start
            stop_at = min(self.buffer.find(b"\n", stop) + 1 or len(self.buffer), end)
            if stop_at > done:
                self.total += stop_at - done
                self._keep(self.buffer[done:stop_at])
                done = stop_at
            last = max(last, stop)
        self._keep(b"\n" * self.buffer.count(b"\n", done, end))
        if self.total > _MOST_KEPT:
            raise UsageError(
                f"{self.name} has more than {_MOST_KEPT // MIB} MiB of what looks like tables: give"
                " the output of fewer runs at a time."
            )
        self.buffer = self.buffer[end:]
        self.until = max(last - end, 0)

    def _keep(self, data: bytes) -> None:
        if data:
            self.kept.append(data)


def _marks(data: bytes) -> Iterator[int]:
    """Yield the positions of marks; within one window, only the first and the last."""
    for mark in MARKS:
        place = data.find(mark)
        while place >= 0:
            yield place
            last = data.rfind(mark, place, place + _AFTER // 2)
            if last > place:
                yield last
                place = last
            place = data.find(mark, place + 1)
