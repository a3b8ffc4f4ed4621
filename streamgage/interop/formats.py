"""The text of a file or of standard input, which benchmark wrote it, and its records."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.interop import babelstream, likwid_bench, stream, the_bandwidth_benchmark
from streamgage.interop.babelstream_csv import CSV_HEADER
from streamgage.interop.tables import Parsed
from streamgage.units import MIB

Parser = Callable[[str], Parsed]
LARGEST = 4 * MIB
"""Bytes: some 2000 runs of STREAM."""
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
"""What PowerShell writes by ``>``."""


@dataclass(frozen=True)
class OutputFormat:
    """The output of one benchmark."""

    name: str
    headers: tuple[re.Pattern[str], ...]
    """Of its tables: a text that holds one of them is of this benchmark."""
    parse: Parser
    beginning: re.Pattern[str] | None = None
    """What it prints before its table: a run that was stopped has nothing else."""


FORMATS = (
    OutputFormat(
        "STREAM",
        (stream.HEADER,),
        stream.parse,
        re.compile(r"STREAM\w{0,3} version \$ ?Revision", re.I),
    ),
    OutputFormat(
        "TheBandwidthBenchmark",
        (the_bandwidth_benchmark.HEADER,),
        the_bandwidth_benchmark.parse,
        re.compile(r"Total allocated datasize:"),
    ),
    OutputFormat(
        "BabelStream",
        (babelstream.HEADER, CSV_HEADER, babelstream.TRIAD_ONLY),
        babelstream.parse,
        re.compile(r"^BabelStream *\nVersion:", re.M),
    ),
    OutputFormat("likwid-bench", (likwid_bench.BANNER,), likwid_bench.parse),
)
"""Every benchmark whose output is read; a text of several is refused."""

KNOWN = f"{', '.join(each.name for each in FORMATS[:-1])} or {FORMATS[-1].name}"

_OURS = re.compile(r'\s{0,20}\{"record":')
_MARKS = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
"""Colours of a terminal."""


def parse_output(text: str) -> Parsed:
    """The records of what a benchmark printed.

    Raises ``UsageError`` where the text is of none that is known, of several, or cut off.
    """
    text = _MARKS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UsageError(f"it is empty: name the saved output of {KNOWN}.")
    if _OURS.match(text):
        raise UsageError("it holds records of streamgage: `streamgage show FILE` shows them.")
    found = [each for each in FORMATS if any(header.search(text) for header in each.headers)]
    if not found:
        raise UsageError(_unknown(text))
    if len(found) > 1:
        names = " and ".join(each.name for each in found)
        raise UsageError(
            f"it holds tables of {names}: write one file for each benchmark, and interpret them one"
            " at a time."
        )
    return found[0].parse(text)


def _unknown(text: str) -> str:
    for each in FORMATS:
        if each.beginning is not None and each.beginning.search(text):
            return (
                f"it is cut off before the table of {each.name}: take the whole output of the run,"
                " or run it again."
            )
    return f"it holds no table that is known: name the saved output of {KNOWN}."


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
