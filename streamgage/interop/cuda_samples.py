"""Reads two programs of NVIDIA's CUDA samples: p2pBandwidthLatencyTest and bandwidthTest.

The formats and the counting follow their sources (github.com/NVIDIA/cuda-samples) and saved
outputs. Both count a byte that is copied between two places once, and one that is copied within a
device twice, as read and as written. bandwidthTest's MB are of 1024 x 1000 bytes from CUDA 5 on, as
its formula has it, and its GB of 10^9. Before CUDA 5 they were of 2^20 bytes, 2.4 % more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.units import format_bytes

MATRIX = re.compile(
    r"^[^\n]{0,40}?\b(?P<name>(?:(?P<way>Uni|Bi)directional )?P2P=(?P<peer>Enabled|Disabled)"
    r" (?P<what>Bandwidth|Latency)(?: \(P2P (?P<by>Writes|Reads)\))?)(?: Matrix)?"
    r" \((?P<unit>GB/s|us)\)[ \t]*$",
    re.M,
)
TRANSFERS = re.compile(
    r"^[^\n]{0,40}?\b(?P<start>Host|Device) to (?P<end>Host|Device) Bandwidth, [0-9]{1,3} Device"
    r"\(s\)[^\n]{0,80}$",
    re.M,
)
HEADERS = (MATRIX, TRANSFERS)
OWN = re.compile(
    r"\[?(?:CUDA|P2P)|Device|Running|Quick|Range|Host|PINNED|PAGEABLE|Transfer|Result|NOTE|\*\*\*NOTE"
    r"|So you can|D\\D|GPU|CPU|Unidirectional|Bidirectional|[0-9. \t]+$",
    re.I,
)
_DEVICE = re.compile(
    r"^[^\n]{0,40}?\bDevice[: ] ?(?P<id>[0-9]{1,3})[:,] (?P<name>[^\n,]{1,80})", re.M
)
_COLUMNS = re.compile(r"\W{0,20}(?:D\\D|GPU)((?:[ \t]+[0-9]{1,3}){1,64})[ \t]*")
_ROW = re.compile(r"\W{0,20}\b([0-9]{1,3})((?:[ \t]+(?:[0-9]{1,7}\.[0-9]{1,4}|N/A)){1,64})[ \t]*")
_KIND = re.compile(r"(?P<kind>PINNED|PAGEABLE|WRITE-COMBINED[\w ]{0,20}) Memory Transfers", re.I)
_UNIT = re.compile(r"Bandwidth ?\((?P<unit>[MG])B/s\)")
_SIZE = re.compile(r"\W{0,20}\b(?P<bytes>[0-9]{1,12})[ \t]+(?P<rate>[0-9]{1,9}\.[0-9]{1,4})[ \t]*")
_ENDS = ("host", "device")
_BYTES = {"M": 1.024e6, "G": 1e9}
_MOST_LINES = 70
_MOST_SIZES = 400
_HEAD = 4000
"""The devices stand at most this many characters above the first table of a run."""


@dataclass
class _Run:
    start: int
    end: int
    program: str
    tests: dict[str, LinkTable] = field(default_factory=dict)


def parse(text: str) -> ParsedOutput:
    """Read the tests of every run in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("CUDA samples")
    headers = sorted((e for h in HEADERS for e in h.finditer(text)), key=lambda each: each.start())
    ends = [*(each.start() for each in headers[1:]), *([len(text)] if headers else [])]
    runs: list[_Run] = []
    for header, end in zip(headers, ends, strict=True):
        below = text[header.end() : end]
        of_peers = header.re is MATRIX
        table = _matrix(header, below) if of_peers else _transfer(header, below)
        if table is None:
            line = text.count("\n", 0, header.start()) + 1
            notes.left_table(f"the table at line {line} is cut off.")
            continue
        program = "p2pBandwidthLatencyTest" if of_peers else "bandwidthTest"
        if not runs or runs[-1].program != program or not _into(runs[-1], table):
            runs.append(_Run(header.start(), header.end(), program, {table.test: table}))
        runs[-1].end = header.end()
    if not runs:
        raise UsageError(notes.why("it has no table of CUDA's samples: take the whole output."))
    charts = []
    before = 0
    where = places(text, [(each.start, each.end) for each in runs], OWN)
    for run, place in zip(runs, where, strict=True):
        head = text[max(before, run.start - _HEAD) : run.start]
        before = run.end
        devices = [" ".join(each["name"].split()) for each in _DEVICE.finditer(head)]
        kinds = list(dict.fromkeys(devices))
        charts.append(
            LinkTables(
                about=BenchmarkFacts(run.program, processor=kinds[0] if len(kinds) == 1 else None),
                line=place.line,
                heading=place.heading,
                tests=tuple(run.tests.values()),
                devices=tuple(devices),
            )
        )
    said = "Bytes that are copied within a device count twice there, as read and as written."
    return ParsedOutput((), (*notes.sentences(), said), tuple(charts))


def _into(run: _Run, table: LinkTable) -> bool:
    """Add the test to the run, or its figure to the same test; ``False`` if it is there already."""
    known = run.tests.get(table.test)
    if known is None:
        run.tests[table.test] = table
        return True
    pairs = list(zip(known.cells, table.cells, strict=True))
    if known.rows != table.rows or known.rows != _ENDS:
        return False
    if any(a and b for one, other in pairs for a, b in zip(one, other, strict=True)):
        return False
    cells = tuple(tuple(a or b for a, b in zip(one, other, strict=True)) for one, other in pairs)
    run.tests[table.test] = replace(known, cells=cells)
    return True


def _matrix(header: re.Match[str], below: str) -> LinkTable | None:
    """The first matrix below a title; ``None`` if it is not complete.

    A second one below latencies is that of the CPU's own calls.
    """
    columns: list[str] = []
    rows: dict[str, tuple[float | None, ...]] = {}
    for line in below.split("\n")[1:_MOST_LINES]:
        names = _COLUMNS.fullmatch(line)
        if names is not None and not columns:
            columns = names[1].split()
            continue
        found = _ROW.fullmatch(line)
        if found is None or found[1] in rows:
            if rows or line.strip():
                break
            continue
        rows[found[1]] = tuple(map(_figure, found[2].split()))
    if not rows or any(len(each) != len(columns) for each in rows.values()):
        return None
    if len(set(columns)) < len(columns) or not any(e for row in rows.values() for e in row):
        return None
    rates = header["unit"] == "GB/s"
    factor = 1.0 if rates else 1e3
    way = {"Uni": "copied one way", "Bi": "copied both ways at once", None: ""}[header["way"]]
    peer = "peer access asked for" if header["peer"] == "Enabled" else "without peer access"
    return LinkTable(
        test=" ".join(header["name"].split()),
        description=", ".join(filter(None, (way, peer))),
        rows=tuple(f"GPU {each}" for each in rows),
        columns=tuple(f"GPU {each}" for each in columns),
        cells=tuple(tuple(e and e * factor for e in row) for row in rows.values()),
        unit="GB/s" if rates else "ns",
        row_axis="from GPU",
        column_axis="to GPU",
    )


def _transfer(header: re.Match[str], below: str) -> LinkTable | None:
    """The rate of the largest copy below a title, as one cell; ``None`` if it has none."""
    unit, kind = _UNIT.search(below), _KIND.search(below)
    sizes = dict(_sizes(below[unit.end() :], _BYTES[unit["unit"]])) if unit is not None else {}
    if not sizes:
        return None
    size = max(sizes)
    pair = (header["start"].lower(), header["end"].lower())
    cells = tuple(tuple(sizes[size] if (a, b) == pair else None for b in _ENDS) for a in _ENDS)
    memory = f"{kind['kind'].lower()} memory of the host" if kind else "memory of the host"
    return LinkTable(
        test=f"copies of {format_bytes(size)}",
        description=f"{memory}; within the device, read and written",
        rows=_ENDS,
        columns=_ENDS,
        cells=cells,
        unit="GB/s",
        row_axis="from",
        column_axis="to",
    )


def _sizes(below: str, unit: float) -> Iterator[tuple[int, float]]:
    """Yield the bytes and the GB/s of each line below the title of the columns."""
    for line in below.split("\n")[1:_MOST_SIZES]:
        found = _SIZE.fullmatch(line)
        if found is None:
            if line.strip():
                return
            continue
        gbps = numbers.number(found["rate"]) * unit / 1e9
        if numbers.LEAST_GBPS <= gbps <= numbers.MOST_GBPS:
            yield int(found["bytes"]), gbps


def _figure(word: str) -> float | None:
    value = numbers.number(word)
    return value if 0 < value <= numbers.MOST_GBPS else None


FORMAT = OutputFormat("CUDA samples", HEADERS, parse, words=("P2P=", "Device(s)"))
