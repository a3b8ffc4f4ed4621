"""Reads rocm_bandwidth_test: copies between the host and GPUs, and within GPUs.

The format follows its source (github.com/ROCm/rocm_bandwidth_test: rocm_bandwidth_test_print.cpp)
and saved outputs. A matrix has the devices in its rows and columns; ``N/A`` was not measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

HEADER = re.compile(
    r"^[ \t]{0,40}(?P<way>Unidirectional|Bidirectional) copy (?:peak )?bandwidth(?: in)? GB/s"
    r"[ \t]*$",
    re.M | re.I,
)
BEGINNING = re.compile(r"RocmBandwidthTest Version: {0,3}(?P<version>[0-9][0-9.]{0,10})")
OWN = re.compile(
    r"RocmBandwidth|Launch Command|Device:|Inter-Device|D/D|[0-9]+ |Unidirectional|Bidirectional"
    r"|\.{3}",
    re.I,
)
_DEVICE = re.compile(r"^[ \t]{0,40}Device: {0,4}([0-9]{1,3}),[ \t]{0,8}(\S[^\n,]{0,80})", re.M)
_COLUMNS = re.compile(r"[ \t]{0,40}D/D((?:[ \t]{1,40}[0-9]{1,3}){1,64})[ \t]*")
_ROW = re.compile(r"[ \t]{0,40}([0-9]{1,3})((?:[ \t]{1,40}(?:N/A|[0-9.]{1,16})){1,64})[ \t]*")
_MOST_LINES = 400
_TESTS = {
    "unidirectional": ("copies one way", "copied from the device of the row to that of the column"),
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
        way = header["way"].lower()
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
    if not runs:
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
    return ParsedOutput((), notes.sentences(), tuple(charts))


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
