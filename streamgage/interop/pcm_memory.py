"""Reads pcm-memory: what Intel's counters saw read and written, by socket and in all.

The format follows its source (github.com/intel/pcm: src/pcm-memory.cpp) and saved outputs. Its
figures are those of all programs in one interval, in MB/s of 10^6 bytes. They are traffic and no
benchmark.
"""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

HEADER = re.compile(r"System Memory Throughput ?\(MB/s\): {0,20}(?P<all>[0-9.]{1,20})")
OWN = re.compile(r"\|-|Time elapsed|Called sleep|Processor Counter|IBRS|STIBP|Update every", re.I)
_SYSTEM = re.compile(
    r"System (?P<way>Read|Write) Throughput ?\(MB/s\): {0,20}(?P<rate>[0-9.]{1,20})"
)
_NODE = re.compile(
    r"(?:NODE|SKT) {1,3}(?P<node>[0-9]{1,3}) Mem (?P<way>Read|Write) {0,2}\(MB/s\) {0,2}: {0,20}"
    r"(?P<rate>[0-9.]{1,20})"
)
_CHANNEL = re.compile(r"Mem Ch {1,3}([0-9]{1,3}): Reads \(MB/s\): {0,20}[0-9.]+")
_SLACK = 0.02
_MOST_INTERVALS = 200


def parse(text: str) -> ParsedOutput:
    """Read every interval in ``text``. Raises ``UsageError`` if it has none."""
    headers = list(HEADER.finditer(text))[:_MOST_INTERVALS]
    notes = Notes("pcm-memory")
    charts: list[LinkTables] = []
    before = 0
    spans = [each.span() for each in headers]
    for header, place in zip(headers, places(text, spans, OWN), strict=True):
        part = text[before : header.end()]
        before = header.end()
        table, problem = _table(part, header, f"the interval at line {place.line}")
        if table is None:
            notes.left_table(f"{problem}.")
            continue
        if problem:
            notes.texts.append(f"pcm-memory contradicts itself: {problem}.")
        charts.append(
            LinkTables(
                about=BenchmarkFacts("pcm-memory"),
                line=place.line,
                heading=place.heading,
                tests=(table,),
            )
        )
    if not charts:
        raise UsageError(notes.why("it has no interval of pcm-memory: take its whole output."))
    said = (
        "pcm-memory counts what all programs move, reads of stores among it, and no single kernel."
        " Next to a STREAM table it shows whether stores read: triad then moves 3 bytes read for"
        " each written, and 2 otherwise."
    )
    return ParsedOutput((), (*notes.sentences(), said), tuple(charts))


def _table(part: str, header: re.Match[str], where: str) -> tuple[LinkTable | None, str]:
    """The rates of an interval, and what contradicts itself in it."""
    rates: dict[str, dict[str, float]] = {}
    for found in _NODE.finditer(part):
        rate = numbers.number(found["rate"]) / 1e3
        rates.setdefault(f"socket {int(found['node'])}", {})[found["way"].lower()] = rate
    system = {
        each["way"].lower(): numbers.number(each["rate"]) / 1e3 for each in _SYSTEM.finditer(part)
    }
    total = numbers.number(header["all"]) / 1e3
    if system.keys() != {"read", "write"}:
        return None, f"{where} has no rate of reads and of writes"
    named = {**rates, "all": system}
    cells = tuple(
        (each.get("read"), each.get("write"), sum(each.values())) for each in named.values()
    )
    known = [value for row in cells for value in row if value is not None]
    if not all(0 <= value <= numbers.MOST_GBPS for value in known) or max(known) <= 0:
        return None, f"{where} has a rate that no memory has"
    problem = ""
    if abs(sum(system.values()) - total) > _SLACK * max(total, 1e-3):
        problem = (
            f"{where} has {sum(system.values()):.4g} GB/s read and written, and {total:.4g} in all"
        )
    table = LinkTable(
        test="traffic",
        description="read and written on the memory bus, as counters saw it",
        rows=tuple(named),
        columns=("read", "written", "together"),
        cells=tuple(
            tuple(None if each is None or each <= 0 else each for each in row) for row in cells
        ),
        unit="GB/s",
        row_axis="memory of",
        column_axis="GB/s",
    )
    return table, problem
