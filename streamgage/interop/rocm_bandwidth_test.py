"""Reads rocm_bandwidth_test: copies between the host and GPUs, and within GPUs.

The format follows its source (github.com/ROCm/rocm_bandwidth_test: rocm_bandwidth_test_print.cpp)
and saved outputs. A matrix has the devices in its rows and columns; ``N/A`` was not measured. With
``-s``, ``-d`` or ``-b`` it prints a table over the sizes of copies between two devices. A copy
within a device counts the bytes read and the bytes written (rocm_bandwidth_test.cpp:
ComputeCopyTime).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

HEADER = re.compile(
    r"^[ \t]{0,40}(?P<way>Unidirectional|Bi?directional) copy (?:peak )?bandwidth(?: in)? GB/s"
    r"[ \t]*$",
    re.M | re.I,
)
"""Matches the heading of a matrix; version 2.0 prints ``Bdirectional``."""
COPIES = re.compile(
    r"^[^\n]{0,20}Data Size[ \t]{1,20}Avg Time\(us\)[ \t]{1,20}Avg BW\(GB/s\)[^\n]{1,80}$", re.M
)
"""Matches the header of a table over the sizes of copies."""
BEGINNING = re.compile(r"RocmBandwidthTest Version: {0,3}(?P<version>[0-9][0-9.]{0,10})")
OWN = re.compile(
    r"RocmBandwidth|Launch Command|Device:|={6}|Data Size|Inter-Device|D/D|[0-9]+ "
    r"|Unidirectional|Bi?directional|\.{3}",
    re.I,
)
_DEVICE = re.compile(r"^[ \t]{0,40}Device: {0,4}([0-9]{1,3}),[ \t]{0,8}(\S[^\n,]{0,80})", re.M)
_COLUMNS = re.compile(r"[ \t]{0,40}D/D((?:[ \t]{1,40}[0-9]{1,3}){1,64})[ \t]*")
_ROW = re.compile(r"[ \t]{0,40}([0-9]{1,3})((?:[ \t]{1,40}(?:N/A|[0-9.]{1,16})){1,64})[ \t]*")
_PLACE = re.compile(
    r"(?P<end>Src|Dst) (?:Device|Pool) Id: {0,4}(?P<id>[0-9]{1,3})"
    r"(?: {1,4}[^\n=]{0,20}Type: {0,4}(?P<kind>\w{1,10}))?"
)
_SIZE_ROW = re.compile(
    r"[ \t]{0,20}(?P<size>[0-9]{1,6}(?:\.[0-9]{1,3})? ?[KMG]?i?B)"
    r"(?P<figures>(?:[ \t]{1,20}[0-9][0-9.eE+-]{0,20}){4})[ \t]*"
)
_MOST_LINES = 400
_TESTS = {
    "unidirectional": (
        "copies one way",
        "copied from the device of the row to that of the column; within a device, read and"
        " written",
    ),
    "bidirectional": ("copies both ways", "copied both ways at once between two devices"),
}


@dataclass
class _Run:
    start: int
    end: int
    head: str
    tests: dict[str, LinkTable] = field(default_factory=dict)


def parse(text: str) -> ParsedOutput:
    """Read the matrices of every run in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("rocm_bandwidth_test")
    runs: list[_Run] = []
    headers = list(HEADER.finditer(text))
    for number, header in enumerate(headers):
        way = "unidirectional" if header["way"][0] in "Uu" else "bidirectional"
        if not runs or way in runs[-1].tests:
            before = runs[-1].end if runs else 0
            runs.append(_Run(header.start(), header.end(), text[before : header.start()]))
        end = headers[number + 1].start() if number + 1 < len(headers) else len(text)
        names = {int(e[1]): " ".join(e[2].split()) for e in _DEVICE.finditer(runs[-1].head)}
        table = _table(way, text[header.end() : end], names)
        if table is None:
            line = text.count("\n", 0, header.start()) + 1
            notes.left_table(f"the matrix at line {line} is cut off.")
            continue
        runs[-1].tests[way] = table
        runs[-1].end = header.end()
    runs = [each for each in runs if each.tests]
    copies = list(_copies(text, notes))
    if not runs and not copies:
        raise UsageError(
            notes.why("it has no matrix of rocm_bandwidth_test: take its whole output.")
        )
    spans = [(each.start, each.end) for each in runs]
    charts = []
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        version = BEGINNING.search(run.head)
        devices = [" ".join(each[2].split()) for each in _DEVICE.finditer(run.head)]
        charts.append(
            LinkTables(
                about=BenchmarkFacts(
                    "rocm_bandwidth_test", version=version["version"] if version else None
                ),
                line=place.line,
                heading=place.heading,
                tests=tuple(run.tests.values()),
                devices=tuple(devices),
            )
        )
    charts = sorted((*charts, *copies), key=lambda each: each.line)
    return ParsedOutput((), notes.sentences(), tuple(charts))


def _copies(text: str, notes: Notes) -> Iterator[LinkTables]:
    """Yield the tables over the sizes of copies between two devices."""
    headers = list(COPIES.finditer(text))
    before = 0
    for header, place in zip(
        headers, places(text, [each.span() for each in headers], OWN), strict=True
    ):
        head = text[max(before, header.start() - 2000) : header.start()]
        before = header.end()
        rows: dict[str, tuple[float | None, ...]] = {}
        for line in text[header.end() :].split("\n")[1:_MOST_LINES]:
            found = _SIZE_ROW.fullmatch(line)
            if found is None:
                break
            figures = found["figures"].split()
            rows[" ".join(found["size"].split())] = (_rate(figures[1]), _rate(figures[3]))
        if not any(each for row in rows.values() for each in row):
            notes.left_table(f"the copies at line {place.line} have no complete row.")
            continue
        ends = {each["end"]: each for each in _PLACE.finditer(head)}
        both = "Bidirectional" in head[head.rfind("Benchmark Result") - 60 :]
        test, description = _TESTS["bidirectional" if both else "unidirectional"]
        named = [_device(ends[end]) for end in ("Src", "Dst") if end in ends]
        version = BEGINNING.search(head)
        yield LinkTables(
            about=BenchmarkFacts(
                "rocm_bandwidth_test", version=version["version"] if version else None
            ),
            line=place.line,
            heading=" to ".join(named) or place.heading,
            tests=(
                LinkTable(
                    test=test,
                    description=description if not named else f"copied from {' to '.join(named)}",
                    rows=tuple(rows),
                    columns=("mean", "best"),
                    cells=tuple(rows.values()),
                    unit="GB/s",
                    row_axis="copies of",
                    column_axis="GB/s",
                ),
            ),
        )


def _device(found: re.Match[str]) -> str:
    kind = (found["kind"] or "device").upper()
    return f"{kind if kind in ('CPU', 'GPU') else 'device'} {int(found['id'])}"


def _table(way: str, text: str, names: dict[int, str]) -> LinkTable | None:
    """The matrix below a heading; ``None`` if it is not complete."""
    columns: list[int] = []
    rows: dict[int, tuple[float | None, ...]] = {}
    for line in text.split("\n")[:_MOST_LINES]:
        header = _COLUMNS.fullmatch(line)
        if header is not None and not columns:
            columns = [int(each) for each in header[1].split()]
            continue
        found = _ROW.fullmatch(line)
        if found is None:
            if line.strip():
                break
            continue
        rows[int(found[1])] = tuple(map(_rate, found[2].split()))
    whole = columns and rows and all(len(each) == len(columns) for each in rows.values())
    if not whole or len(set(columns)) < len(columns):
        return None
    if all(each is None for row in rows.values() for each in row):
        return None
    test, description = _TESTS[way]

    def named(number: int) -> str:
        return f"{number} {names[number]}" if number in names else str(number)

    return LinkTable(
        test=test,
        description=description,
        rows=tuple(map(named, rows)),
        columns=tuple(map(named, columns)),
        cells=tuple(rows.values()),
        unit="GB/s",
        row_axis="from device",
        column_axis="to device",
    )


def _rate(word: str) -> float | None:
    value = numbers.number(word)
    return value if numbers.LEAST_GBPS <= value <= numbers.MOST_GBPS else None


FORMAT = OutputFormat(
    "rocm_bandwidth_test",
    (HEADER, COPIES),
    parse,
    BEGINNING,
    ("irectional copy", "Avg BW(GB/s)", "RocmBandwidthTest Version"),
)
