"""Reads the bandwidths that Intel's Memory Latency Checker (MLC) prints.

They are peak injection rates, or maximum rates. The formats follow saved outputs of versions 3.1 to
3.11 (see ``tests/support/foreign_outputs.py``). MLC names the mix of reads and writes instead of a
formula, and is closed source. So each mix is a kernel of its own, and its bytes are those that MLC
counts. ``mlc_charts`` reads its matrices and its latencies under load; its latencies between caches
are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.endings import ending_of
from streamgage.interop.mlc_charts import (
    COMMENT,
    IDLE,
    LOADED,
    MATRIX,
    ONE_IDLE,
    charts_of,
    idle_latencies_of,
)
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.records.other_benchmark import UNKNOWN_STORES
from streamgage.units import listed

HEADER = re.compile(
    r"Measuring (?:Peak(?: Injection)?|Maximum) Memory Bandwidths for the system", re.I
)
_FIRST = re.compile(r"^(?=[^\n]{0,60}?ALL Reads[ \t]{0,20}:[ \t]{0,40}[0-9])", re.I | re.M)
"""Matches before the first row, which people post without the header above."""
HEADERS = (HEADER, _FIRST, IDLE, MATRIX, LOADED, ONE_IDLE)
"""The headers of its table, its matrices and its curves."""
_ROW = re.compile(
    r"^[^\n]{0,60}?(ALL Reads|[1-3]:1 Reads-Writes|Stream-triad like|All NT writes"
    r"|1:1 Read-NT write)[ \t]{0,20}:[ \t]{0,40}(\S{1,40})",
    re.I | re.M,
)
_KERNELS = {
    "all reads": "load",
    "3:1 reads-writes": "mix-3:1",
    "2:1 reads-writes": "mix-2:1",
    "1:1 reads-writes": "mix-1:1",
    "stream-triad like": "triad",
}
_STREAMING = {"all nt writes": "init", "1:1 read-nt write": "copy"}
"""The rows that only some versions print. Their stores bypass the caches."""
_VERSION = re.compile(r"Memory Latency Checker - v([0-9]{1,3}(?:\.[0-9]{1,3})?[a-z]?)")
_BUFFER = re.compile(
    r"(?:\bmlc\b|Command line parameters:)(?=[^\n]{0,200} -u\b)"
    r"[^\n]{0,200}? -b ?(?P<size>[0-9]{1,9})(?P<unit>[kKmMgG]?)\b"
)
"""Matches the size of a buffer (KiB without a unit) that all threads share, as for caches."""
_POWERS = {"": 1 << 10, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_CACHES = re.compile(r"Measuring cache-to-cache transfer", re.I)
_MOST_NODES = 200
"""The matrix of latencies lies within this many lines."""
_MEGABYTE = 1e6
"""The bytes in a megabyte, as MLC prints: ``1 MB/sec = 1,000,000 Bytes/sec``."""


_NODES = re.compile(r"\s*([0-9]{1,4})((?:[ \t]+[0-9]{1,5}(?:\.[0-9]{1,3})?){1,64})" + COMMENT)
OWN = re.compile(
    r"Intel\(R\) Memory|Command line|Using |\*\*\*|Measuring|Bandwidths are|Will take|Numa node"
    r"|Inject|Delay|[0-9 ]+[\t ]",
    re.I,
)


def parse(text: str) -> ParsedOutput:
    """Read every table, matrix and curve in ``text``. Raises ``UsageError`` if none is complete."""
    headers = _headers(text)
    notes = Notes("Intel MLC")
    charts = [
        *charts_of(text, _VERSION, OWN, notes, idle_alone=not headers),
        *idle_latencies_of(text, _VERSION, OWN, notes),
    ]
    ends = [*(header.start() for header in headers[1:]), *([len(text)] if headers else [])]
    rows = [list(_ROW.finditer(text, h.end(), end)) for h, end in zip(headers, ends, strict=True)]
    spans = [
        (h.start(), each[-1].end() if each else h.end())
        for h, each in zip(headers, rows, strict=True)
    ]
    tables: list[Table] = []
    version, before = None, 0
    for (start, end), found, place in zip(spans, rows, places(text, spans, OWN), strict=True):
        for named in _VERSION.finditer(text, before, start):
            version = named[1]
        with notes.or_left_out():
            table = _table(text, found, place.line, notes, last=end == spans[-1][1])
            tables.append(
                replace(
                    put(table, place),
                    about=BenchmarkFacts("Intel MLC", version),
                    array_bytes=_shared_buffer(text[before:start]),
                    idle_latencies_ns=_idle(text[before:start]),
                )
            )
        before = end
    notes.settle(
        [*tables, *charts],
        notes.why("it holds no figures of Intel MLC: name its saved output."),
    )
    if _CACHES.search(text):
        notes.texts.append("Intel MLC: its latencies from cache to cache were left out.")
    return ParsedOutput(tuple(tables), notes.sentences(), tuple(charts))


def _headers(text: str) -> list[re.Match[str]]:
    """The header of each table; its first row where it has no header."""
    every = sorted((*HEADER.finditer(text), *_FIRST.finditer(text)), key=lambda e: e.start())
    return [
        each
        for before, each in zip([None, *every], every, strict=False)
        if each.re is HEADER or before is None or before.re is not HEADER
    ]


def _table(
    text: str, matches: Sequence[re.Match[str]], line: int, notes: Notes, *, last: bool
) -> Table:
    found: dict[str, Row] = {}
    lost: list[str] = []
    for match in matches:
        label = match[1]
        kernel = (_KERNELS | _STREAMING)[label.lower()]
        if kernel in found:
            raise UsageError(
                f"the bandwidths at line {line} have a second row {label!r}: the output of several"
                " runs is mixed, so write one file per run."
            )
        try:
            rate = numbers.rate(match[2], _MEGABYTE, f"line {line} ({label})")
        except UsageError as error:
            lost.append(str(error))
            continue
        store = "streaming" if label.lower() in _STREAMING else UNKNOWN_STORES
        found[kernel] = Row(kernel=kernel, gbps=rate, store=store)
    if not found:
        raise UsageError(
            lost[0]
            if lost
            else f"the bandwidths of Intel MLC at line {line} are cut off: take the whole output of"
            " the run, or run it again."
        )
    notes.texts += [f"A row was left out: {each}" for each in lost]
    missing = [label for label, kernel in _KERNELS.items() if kernel not in found]
    cut = None
    if last and missing and not lost:
        reason = ending_of(text[matches[-1].end() :])
        verb = "is" if len(missing) == 1 else "are"
        cut = f"{listed(missing)} {verb} missing" + (f"; it ends with: {reason}" if reason else "")
    return Table(BenchmarkFacts("Intel MLC"), tuple(found.values()), cut=cut)


def _shared_buffer(text: str) -> int | None:
    """The size of the buffer that all threads read; ``None`` if each has one, as is usual."""
    found = None
    for match in _BUFFER.finditer(text):
        found = match
    if found is None:
        return None
    return numbers.size(int(found["size"]) * _POWERS[found["unit"].lower()], "buffers")


def _idle(text: str) -> tuple[tuple[float, ...], ...]:
    """The matrix of idle latencies in nanoseconds; empty if there is no complete one."""
    begins = None
    for match in IDLE.finditer(text):
        begins = match
    if begins is None:
        return ()
    rows: list[tuple[float, ...]] = []
    for line in text[begins.end() :].split("\n")[:_MOST_NODES]:
        found = _NODES.fullmatch(line)
        if found is None or int(found[1]) != len(rows):
            if rows:
                break
            continue
        rows.append(tuple(float(each) for each in found[2].split()))
    whole = all(len(row) == len(rows[0]) and min(row) > 0 for row in rows)
    return tuple(rows) if whole else ()


FORMAT = OutputFormat(
    "Intel MLC", HEADERS, parse, re.compile(r"Memory Latency Checker - v"), prints="whole-run"
)
