"""The text of a file or of standard input, which benchmark wrote it, and its records."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.interop import babelstream, likwid_bench, mlc, stream, the_bandwidth_benchmark
from streamgage.interop.babelstream_csv import CSV_HEADER
from streamgage.interop.tables import Parsed, Table
from streamgage.units import MIB

Parser = Callable[[str], Parsed]
LARGEST = 4 * MIB
"""Bytes: some 2000 runs of STREAM."""
_MOST_PARTS = 50
"""So often the benchmark may change in one text."""
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

    def starts(self, text: str) -> list[int]:
        """Where the headers of its tables stand, ascending."""
        return sorted({each.start() for h in self.headers for each in h.finditer(text)})


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
    OutputFormat("Intel MLC", (mlc.HEADER,), mlc.parse),
)
"""Every benchmark whose output is read."""

KNOWN = f"{', '.join(each.name for each in FORMATS[:-1])} or {FORMATS[-1].name}"

_OURS = re.compile(r'\s{0,20}\{"record":')
_MARKS = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
"""Colours of a terminal."""


def parse_output(text: str) -> Parsed:
    """The tables that benchmarks printed, in the order of the text.

    Raises ``UsageError`` where the text has none that is known, or one that is cut off.
    """
    text = _MARKS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise UsageError(f"it is empty: name the saved output of {KNOWN}.")
    if _OURS.match(text):
        raise UsageError("it holds records of streamgage: `streamgage show FILE` shows them.")
    parts = _parts(text)
    if not parts:
        raise UsageError(_unknown(text))
    tables: list[Table] = []
    notes: list[str] = []
    for each, start, end in parts:
        # Empty lines stand for what is before a part, so that lines keep their numbers.
        parsed = each.parse("\n" * text.count("\n", 0, start) + text[start:end])
        tables += parsed.tables
        notes += [f"{each.name}: {e}" if len(parts) > 1 else e for e in parsed.notes]
    return Parsed(tuple(tables), tuple(notes))


def _parts(text: str) -> list[tuple[OutputFormat, int, int]]:
    """Where the text has the output of which benchmark, one after the other."""
    starts = sorted(
        (start, number) for number, each in enumerate(FORMATS) for start in each.starts(text)
    )
    stretches = [(n, [start for start, _ in each]) for n, each in groupby(starts, lambda e: e[1])]
    if len(stretches) > _MOST_PARTS:
        raise UsageError(
            f"the benchmarks in it change more than {_MOST_PARTS} times: write one file for each."
        )
    parts, cut = [], 0
    for (number, headers), after in zip_longest(stretches, stretches[1:]):
        end = len(text)
        if after is not None:
            end = _beginning(FORMATS[after[0]], text, headers[-1], after[1][0])
        parts.append((FORMATS[number], cut, end))
        cut = end
    return parts


def _beginning(each: OutputFormat, text: str, after: int, header: int) -> int:
    """Where the output begins whose first header is there: at the line that it prints first."""
    found = each.beginning.search(text, after, header) if each.beginning is not None else None
    place = header if found is None else found.start()
    return text.rfind("\n", after, place) + 1 or place


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
