"""Reads sc-membench of Spare Cores: bandwidth and idle latency over the working set, as CSV.

The format follows its source (github.com/SpareCores/sc-membench: membench.c, report.h). Its MB are
MiB. Versions count differently: the size may be that of each thread or of all, and a copied byte
may count once or twice. The size, threads, iterations and seconds of a row show which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import (
    AnyChart,
    SizeCurve,
    SizeCurves,
    SizeLatencies,
    SizeLatency,
    SizePoint,
)
from streamgage.interop.kernels import KERNELS
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.units import KIB, MIB

HEADER = re.compile(
    r"^[ \t]{0,8}size_(?:kb|bytes),operation,bandwidth_mb_s,latency_ns,[a-z_,]*", re.M
)
OWN = re.compile(
    r"[0-9]+,\w+,|System:|Cache \(|Minimum total|NUMA:|Testing |Thread mode|OpenMP|Total runtime"
    r"|Huge pages",
    re.I,
)
_KERNELS = {"read": "sum", "write": "init", "copy": "copy"}
_LATENCY = "latency"
_NEAR = 0.02
"""Figures of one row agree if they differ by at most this share; seconds have few digits."""
_MOST_BYTES = 1 << 60


@dataclass(frozen=True)
class _Row:
    line: int
    operation: str
    size: int
    """The size in bytes, as printed."""
    rate: float
    """The rate in bytes per second."""
    nanoseconds: float
    threads: int
    moved: float | None
    """The bytes per second by size, threads, iterations and seconds; ``None`` if these are not
    printed."""
    rounding: float
    """The relative rounding error of its seconds."""


def parse(text: str) -> ParsedOutput:
    """Read every table in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("sc-membench")
    headers = list(HEADER.finditer(text))
    if not headers:
        raise UsageError("it holds no figures of sc-membench: name its saved output.")
    ends = [*(each.start() for each in headers[1:]), len(text)]
    spans = [(each.start(), end) for each, end in zip(headers, ends, strict=True)]
    charts: list[AnyChart] = []
    for header, (_, end), place in zip(headers, spans, places(text, spans, OWN), strict=True):
        columns = header[0].strip().split(",")
        rows = list(_rows(columns, text[header.end() : end], place.line, notes))
        found: list[AnyChart] = [*_curves(rows, place, notes), *_latencies(rows, place)]
        if not found:
            notes.left_table(f"the table of sc-membench at line {place.line} has no complete row.")
        charts += found
    if not charts:
        raise UsageError(notes.why("it holds no complete row of sc-membench."))
    return ParsedOutput((), notes.sentences(), tuple(charts))


def _rows(columns: list[str], text: str, line: int, notes: Notes) -> Iterator[_Row]:
    unit = 1 if columns[0] == "size_bytes" else KIB
    for number, written in enumerate(text.split("\n")):
        words = [each.strip() for each in written.split(",")]
        if len(words) < 2 or words[1] not in {*_KERNELS, _LATENCY}:
            continue
        if len(words) != len(columns):
            notes.lost(line + number, "it is cut off.")
            continue
        values = dict(zip(columns, words, strict=True))
        size = numbers.number(values["size_kb" if unit == KIB else "size_bytes"]) * unit
        threads = numbers.number(values.get("threads", ""))
        if not (1 <= size <= _MOST_BYTES and 1 <= threads <= numbers.MOST_ON_ONE_MACHINE):
            notes.lost(line + number, "its size or its number of threads is not a number.")
            continue
        seconds = numbers.number(values.get("elapsed_s", ""))
        moved = (
            numbers.number(values.get("iterations", "")) * size * threads / seconds
            if seconds
            else 0
        )
        yield _Row(
            line=line + number,
            operation=values["operation"],
            size=round(size),
            rate=numbers.number(values["bandwidth_mb_s"]) * MIB,
            nanoseconds=numbers.number(values["latency_ns"]),
            threads=round(threads),
            moved=moved if moved > 0 else None,
            rounding=numbers.rounding(values.get("elapsed_s", "")),
        )


def _curves(rows: list[_Row], place: Place, notes: Notes) -> Iterator[SizeCurves]:
    curves = []
    for operation, kernel in _KERNELS.items():
        found = [each for each in rows if each.operation == operation]
        points: dict[int, float] = {}
        threads = set()
        for row in found:
            point = _point(row, kernel, notes)
            if point is not None:
                threads.add(row.threads)
                points[point.bytes] = max(point.gbps, points.get(point.bytes, 0.0))
        if points:
            number = threads.pop() if len(threads) == 1 else None
            ordered = tuple(SizePoint(size, points[size]) for size in sorted(points))
            curves.append(SizeCurve(kernel, "", number, ordered))
    if curves:
        yield SizeCurves(
            about=BenchmarkFacts("sc-membench"),
            line=place.line,
            heading=place.heading,
            curves=tuple(curves),
        )


def _point(row: _Row, kernel: str, notes: Notes) -> SizePoint | None:
    """Make a point with the nominal bytes of all arrays of a thread.

    ``None`` if the row contradicts itself.
    """
    facts = KERNELS[kernel]
    words = facts.loads + facts.stores
    factor, size = float(words), row.size * words
    if row.moved is not None and row.rate > 0:
        ratio = row.rate / row.moved
        if _near(ratio, words, row) and words > 1:
            factor = 1.0
        elif row.threads > 1 and _near(ratio * row.threads, 1, row):
            size = row.size * words // row.threads
        elif not _near(ratio, 1, row):
            notes.lost(
                row.line,
                f"{row.operation} with {row.size // KIB} KiB has a rate that its times contradict.",
            )
            return None
    try:
        gbps = numbers.rate(f"{row.rate:.12g}", factor, f"line {row.line} ({kernel})")
    except UsageError as error:
        notes.lost(row.line, str(error))
        return None
    return SizePoint(max(size, 1), gbps)


def _near(ratio: float, expected: float, row: _Row) -> bool:
    return abs(ratio / expected - 1) <= _NEAR + row.rounding


def _latencies(rows: list[_Row], place: Place) -> Iterator[SizeLatencies]:
    points = {
        each.size: SizeLatency(each.size, each.nanoseconds)
        for each in rows
        if each.operation == _LATENCY and 0 < each.nanoseconds < numbers.MOST_NANOSECONDS
    }
    if points:
        yield SizeLatencies(
            about=BenchmarkFacts("sc-membench"),
            line=place.line,
            heading=place.heading,
            points=tuple(points[size] for size in sorted(points)),
        )


FORMAT = OutputFormat("sc-membench", (HEADER,), parse, words=("bandwidth_mb_s",))
