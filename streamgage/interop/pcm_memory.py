"""Reads pcm-memory: what Intel's counters saw read and written, by socket and in all.

The formats follow its source (github.com/intel/pcm: src/pcm-memory.cpp) and saved outputs: its
screens, and the lines of ``-csv``, which have two lines of headers above them. Its figures are
those of all programs in one interval, in MB/s of 10^6 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.counted_traffic import ABOUT_STORES, Traffic, traffic_table
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.units import count

HEADER = re.compile(r"System Memory Throughput ?\(MB/s\): {0,20}(?P<all>[0-9.]{1,20})")
CSV = re.compile(
    r"^(?P<groups>[^\n]{0,4000}\bSystem(?P<separator>[,;])[^\n]{0,200})\n"
    r"(?P<names>[^\n]{0,4000}\bMem Read \(MB/s\)[^\n]{0,4000})$",
    re.M,
)
"""Matches the two lines of headers of ``-csv``: whose a column is, and what it counts."""
OWN = re.compile(r"\|-|Time elapsed|Called sleep|Processor Counter|IBRS|STIBP|Update every", re.I)
_SYSTEM = re.compile(
    r"System (?P<way>Read|Write) Throughput ?\(MB/s\): {0,20}(?P<rate>[0-9.]{1,20})"
)
_NODE = re.compile(
    r"(?:NODE|SKT) {1,3}(?P<node>[0-9]{1,3}) Mem (?P<way>Read|Write) {0,2}\(MB/s\) {0,2}: {0,20}"
    r"(?P<rate>[0-9.]{1,20})"
)
_SOCKET = re.compile(r"SKT([0-9]{1,3})")
_COUNTED = {
    "mem read (mb/s)": "read",
    "mem write (mb/s)": "written",
    "memory (mb/s)": "printed",
}
_COUNTED_IN_ALL = {"read": "read", "write": "written", "memory": "printed"}
_ABOUT = BenchmarkFacts("pcm-memory")
_DESCRIPTION = "read and written on the memory bus, as counters saw it"
_MOST_INTERVALS = 200
_MOST_LINES = 100_000


def parse(text: str) -> ParsedOutput:
    """Read every interval in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("pcm-memory")
    charts = [*_of_screens(text, notes), *_of_csv(text, notes)]
    if not charts:
        raise UsageError(notes.why("it has no interval of pcm-memory: take its whole output."))
    said = ABOUT_STORES.format(tool="pcm-memory")
    return ParsedOutput((), (*notes.sentences(), said), tuple(charts))


def _of_screens(text: str, notes: Notes) -> Iterator[LinkTables]:
    headers = list(HEADER.finditer(text))[:_MOST_INTERVALS]
    before = 0
    spans = [each.span() for each in headers]
    for header, place in zip(headers, places(text, spans, OWN), strict=True):
        part = text[before : header.end()]
        before = header.end()
        where = f"the interval at line {place.line}"
        rows = _rows(part, header)
        if rows["all"].read is None or rows["all"].written is None:
            notes.left_table(f"{where} has no rate of reads and of writes.")
            continue
        table, problem = traffic_table("traffic", _DESCRIPTION, rows, where)
        yield from _chart([table] if table else [], [problem], place, notes)


def _chart(
    tables: Sequence[LinkTable], problems: Sequence[str], place: Place, notes: Notes
) -> Iterator[LinkTables]:
    problem = next(filter(None, problems), "")
    if not tables:
        notes.left_table(f"{problem}.")
        return
    if problem:
        notes.texts.append(f"pcm-memory contradicts itself: {problem}.")
    yield LinkTables(about=_ABOUT, line=place.line, heading=place.heading, tests=tuple(tables))


def _rows(part: str, header: re.Match[str]) -> dict[str, Traffic]:
    """The traffic of each socket in an interval, and of all together."""
    rates: dict[str, dict[str, float]] = {}
    for found in _NODE.finditer(part):
        of_node = rates.setdefault(f"socket {int(found['node'])}", {})
        of_node[found["way"].lower()] = numbers.number(found["rate"]) / 1e3
    system = {
        each["way"].lower(): numbers.number(each["rate"]) / 1e3 for each in _SYSTEM.finditer(part)
    }
    rows = {name: Traffic(each.get("read"), each.get("write")) for name, each in rates.items()}
    in_all = numbers.number(header["all"]) / 1e3
    return rows | {"all": Traffic(system.get("read"), system.get("write"), in_all)}


def _of_csv(text: str, notes: Notes) -> Iterator[LinkTables]:
    """Yield the mean and the busiest of the intervals below each pair of headers."""
    headers = list(CSV.finditer(text))
    where = places(text, [each.span() for each in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        separator = header["separator"]
        columns = _columns(header["groups"].split(separator), header["names"].split(separator))
        intervals = list(_intervals(text[header.end() :], separator, columns))
        at = f"the table at line {place.line}"
        if not intervals:
            notes.left_table(f"{at} has no complete line below its headers.")
            continue
        busiest = max(intervals, key=lambda each: each["all"].together or 0.0)
        shown = [("traffic", f"mean of {count(len(intervals), 'interval')}", _mean(intervals))]
        if len(intervals) > 1:
            shown.append(("busiest interval", "the interval with the most traffic", busiest))
        made = [
            traffic_table(test, f"{_DESCRIPTION}; {what}", rows, at) for test, what, rows in shown
        ]
        tables = [table for table, _ in made if table is not None]
        yield from _chart(tables, [problem for _, problem in made], place, notes)


def _columns(groups: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, int]]:
    """The column of each rate of each socket and of all together."""
    found: dict[str, dict[str, int]] = {}
    for number, (group, name) in enumerate(zip(groups, names, strict=False)):
        socket = _SOCKET.fullmatch(group.strip())
        if socket is not None:
            what = _COUNTED.get(name.strip().lower())
            row = f"socket {int(socket[1])}"
        else:
            what = _COUNTED_IN_ALL.get(name.strip().lower()) if group.strip() == "System" else None
            row = "all"
        if what is not None:
            found.setdefault(row, {})[what] = number
    return found


def _intervals(
    text: str, separator: str, columns: Mapping[str, Mapping[str, int]]
) -> Iterator[dict[str, Traffic]]:
    """Yield the traffic of each line until the first that is none of them."""
    if columns.get("all", {}).keys() != {"read", "written", "printed"}:
        return
    last = max(number for each in columns.values() for number in each.values())
    for line in text.split("\n")[1:_MOST_LINES]:
        cells = line.split(separator)
        if len(cells) <= last:
            return
        rows = {
            name: Traffic(
                **{what: numbers.number(cells[n].strip()) / 1e3 for what, n in at.items()}
            )
            for name, at in columns.items()
        }
        if all(value >= 0 for each in rows.values() for value in _figures(each)):
            yield rows


def _figures(traffic: Traffic) -> list[float]:
    figures = (traffic.read, traffic.written, traffic.printed)
    return [each for each in figures if each is not None]


def _mean(intervals: Sequence[Mapping[str, Traffic]]) -> dict[str, Traffic]:
    def mean(name: str, what: str) -> float | None:
        values = [getattr(each[name], what) for each in intervals]
        return None if None in values else fmean(values)

    return {
        name: Traffic(mean(name, "read"), mean(name, "written"), mean(name, "printed"))
        for name in intervals[0]
    }


FORMAT = OutputFormat(
    "pcm-memory",
    (HEADER, CSV),
    parse,
    words=("System Memory Throughput", "Mem Read (MB/s)"),
    prints="traffic",
)
