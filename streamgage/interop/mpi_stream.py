"""Reads CEA's MPI_STREAM: the rate of triad on each node, to find slow nodes.

The format follows its printf statements (github.com/cea-hpc/mpi_stream). The figure of a node is
that of this node alone, not a sum.
"""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table
from streamgage.interop.weak_nodes import weak_nodes
from streamgage.records import ElementType

HEADER = re.compile(r"^[^\n]{0,40}?(?P<kernel>Copy|Scale|Add|Triad) Rate \(MB/s\):[ \t]*$", re.M)
BEGINNING = re.compile(r"MPI_STREAM[^\n]{0,60}version", re.I)
_NODE = re.compile(
    r"[ \t]*(?P<name>[A-Za-z0-9][\w.-]{0,62})[ \t]+(?P<rate>[-+.0-9eEnaif]{1,24})[ \t]*"
)
_VERSION = re.compile(r"MPI_STREAM[^\n]{0,60}version \$?Revision: ?([0-9][0-9.]{0,10})", re.I)
_ELEMENTS = re.compile(r"Array size *= *([0-9]{1,18})")
_WIDTH = re.compile(r"uses ([48]) bytes per")
_THREADS = re.compile(r"Number of Threads requested *= *([0-9]{1,7})", re.I)
OWN = re.compile(
    r"MPI_STREAM|This system|Array size|Total memory|Each test|the \*best|Number of|Your clock"
    r"|\(= *[0-9]|TRIAD_|COPY_|SCALE_|ADD_|=+\w* ?SUMMARY|=+END",
    re.I,
)


def parse(text: str) -> ParsedOutput:
    """Read a table for each node. Raises ``UsageError`` if there is none."""
    headers = list(HEADER.finditer(text))
    if not headers:
        raise UsageError("it holds no list of nodes of MPI_STREAM: name its saved output.")
    notes = Notes("MPI_STREAM")
    nodes: dict[tuple[int, str], list[Row]] = {}
    lines: dict[tuple[int, str], int] = {}
    run, before, preamble = -1, 0, ""
    seen: set[str] = set()
    where = places(text, [header.span() for header in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        if run < 0 or header["kernel"] in seen:
            run += 1
            seen = set()
            preamble = text[before : header.start()]
        seen.add(header["kernel"])
        rates = {}
        for number, (name, rate) in enumerate(_rows(text, header.end()), place.line + 1):
            try:
                gbps = numbers.rate(rate, 1e6, f"line {number} ({name})")
            except UsageError as error:
                notes.texts.append(f"A row was left out: {error}")
                continue
            rates[name] = gbps
            nodes.setdefault((run, name), []).append(Row(header["kernel"].lower(), gbps))
            lines.setdefault((run, name), number)
        before = header.end()
        notes.texts += weak_nodes(header["kernel"], rates)
    if not nodes:
        raise UsageError("its list of nodes is empty: take the whole output of MPI_STREAM.")
    facts = _facts(preamble)
    tables = [
        Table(
            about=facts[0],
            rows=tuple(rows),
            threads=facts[1],
            array_bytes=facts[2],
            element_type=facts[3],
            line=lines[key],
            heading=key[1],
        )
        for key, rows in nodes.items()
    ]
    return ParsedOutput(tuple(tables), notes.sentences())


def _rows(text: str, start: int) -> list[tuple[str, str]]:
    found = []
    while start < len(text) and text[start] == "\n":
        start += 1
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        match = _NODE.fullmatch(text, start, end)
        if match is None:
            break
        found.append((match["name"], match["rate"]))
        start = end + 1
    return found


def _facts(preamble: str) -> tuple[BenchmarkFacts, int | None, int | None, ElementType]:
    version, elements = _VERSION.search(preamble), _ELEMENTS.search(preamble)
    threads, width = _THREADS.search(preamble), _WIDTH.search(preamble)
    size = int(width[1]) if width else 8
    return (
        BenchmarkFacts("MPI_STREAM", version=version[1] if version else None),
        numbers.threads(threads[1]) if threads else None,
        numbers.size(int(elements[1]) * size, "arrays") if elements else None,
        "float" if size == 4 else "double",
    )


FORMAT = OutputFormat(
    "MPI_STREAM",
    (HEADER,),
    parse,
    BEGINNING,
    (" Rate (MB/s):",),
)
