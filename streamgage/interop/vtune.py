"""Reads VTune's summary of a memory access analysis: the bandwidth of a program's memory.

The formats follow saved outputs of ``vtune -report summary``, as text and with ``-format csv``. It
prints the mean and the highest bandwidth that it saw, and the most that it measured on the platform
itself; newer versions also print what was read and written by package. GB are 10^9 bytes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable, LinkTables
from streamgage.interop.counted_traffic import Traffic, total_of, traffic_table
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts

_DOMAINS = re.compile(
    r"^[^\n]{0,20}?\bBandwidth Domain\b[^\n]{1,40}\bObserved Maximum\b[^\n]{0,200}$", re.M
)
_PACKAGES = re.compile(
    r"^[^\n]{0,20}?\bPackage\b[^\n]{1,20}\bTotal, GB/sec[^\n]{1,200}\bWrite, GB/sec[^\n]{0,20}$",
    re.M,
)
HEADERS = (_DOMAINS, _PACKAGES)
OTHER_ANALYSES = re.compile(r"[\s\S]*?\n[ \t0-9,]{0,8}Collection and Platform Info\b[\s\S]*")
WHY_NO_OTHERS = (
    "it is a summary of VTune without a bandwidth of the memory: collect with `vtune -collect"
    " memory-access`, and take the whole summary."
)
OWN = re.compile(
    r"Elapsed Time|CPU Time|Memory Bound|[A-Z0-9][A-Za-z0-9 ]{1,20} Bound|\||Average|Bandwidth"
    r"|Loads|Stores|LLC|Total Thread|Paused|CPI|Package|NUMA|vtune|[0-9],",
    re.I,
)
_SPACES = re.compile(r"[ \t]{2,}")
_UNIT = re.compile(r"(?P<name>[^,]{1,60}), ?GB/s(?:ec)?")
_NAME = re.compile(r"^[ \t]{1,20}Name: (?P<name>[^\n]{3,80})$|,Name,(?P<csv>[^\n,]{3,80})", re.M)
_VERSION = re.compile(r"VTune[^\n]{0,40}?\b(20[0-9]{2}(?:\.[0-9]{1,2}){0,2})\b")
_COLUMNS = (
    ("average", re.compile(r"Average(?: Bandwidth)?", re.I)),
    ("highest", re.compile(r"Observed Maximum", re.I)),
    ("platform's maximum", re.compile(r"Platform Maximum", re.I)),
)
_WAYS = (
    ("printed", re.compile(r"Total, ?GB/sec", re.I)),
    ("read", re.compile(r".*\bRead, ?GB/sec", re.I)),
    ("written", re.compile(r".*\bWrite, ?GB/sec", re.I)),
)
_MOST_ROWS = 200
_SLACK = 0.01


def parse(text: str) -> ParsedOutput:
    """Read the bandwidths of every summary. Raises ``UsageError`` if there is none."""
    notes = Notes("VTune")
    headers = sorted(
        (found for each in HEADERS for found in each.finditer(text)), key=lambda each: each.start()
    )
    runs: list[list[re.Match[str]]] = []
    for header in headers:
        if not runs or header.re in {each.re for each in runs[-1]}:
            runs.append([])
        runs[-1].append(header)
    spans = [(run[0].start(), run[-1].end()) for run in runs]
    charts = []
    before = 0
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        tables = [table for each in run for table in _tables(text, each, notes)]
        around = text[before : run[-1].end() + 4000]
        before = run[-1].end()
        if tables:
            charts.append(
                LinkTables(
                    about=_about(around),
                    line=place.line,
                    heading=place.heading,
                    tests=tuple(tables),
                )
            )
    if not charts:
        raise UsageError(
            notes.why("it has no bandwidth that VTune saw: take the whole summary of its report.")
        )
    said = (
        "VTune shows what all programs moved, and no single kernel. The platform's maximum is what"
        " its own test reached, not the theoretical peak."
    )
    return ParsedOutput((), (*notes.sentences(), said), tuple(charts))


def _about(text: str) -> BenchmarkFacts:
    name, version = _NAME.search(text), _VERSION.search(text)
    return BenchmarkFacts(
        "VTune",
        version[1] if version else None,
        processor=" ".join((name["name"] or name["csv"]).split()) if name else None,
    )


def _tables(text: str, header: re.Match[str], notes: Notes) -> Iterator[LinkTable]:
    line = text.count("\n", 0, header.start()) + 1
    where = f"the table at line {line}"
    names = _cells(header[0])
    rows = list(_rows(text[header.end() + 1 :], names))
    table, problem = _domains(rows, where) if header.re is _DOMAINS else _packages(rows, where)
    if table is None:
        notes.left_table(f"{problem}.")
        return
    if problem:
        notes.texts.append(f"VTune contradicts itself: {problem}.")
    yield table


def _cells(line: str) -> list[str]:
    """The cells of a line: of CSV, or parted by two blanks or more."""
    bare = line.strip()
    if _SPACES.search(bare):
        return _SPACES.split(bare)
    separator = max(",;\t", key=bare.count)
    return [each.strip() for each in next(csv.reader([bare], delimiter=separator), [])]


def _rows(text: str, names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the cells of each row below the names, by name."""
    for line in text.split("\n")[:_MOST_ROWS]:
        if not re.sub(r"[- \t]", "", line):
            if not line.strip():
                return
            continue
        cells = _cells(line)
        if len(cells) < 2 or len(cells) > len(names):
            return
        yield dict(zip(names, cells, strict=False))


def _of(row: Mapping[str, str], wanted: re.Pattern[str]) -> float | None:
    cell = next((cell for name, cell in row.items() if wanted.fullmatch(name)), "")
    value = numbers.number(cell.replace(",", "") if "." in cell else cell)
    return value if 0 <= value <= numbers.MOST_GBPS else None


def _domains(rows: Sequence[Mapping[str, str]], where: str) -> tuple[LinkTable | None, str]:
    """The mean and the highest bandwidth of each kind of memory or link."""
    found: dict[str, tuple[float | None, ...]] = {}
    for row in rows:
        named = _UNIT.fullmatch(row.get("Bandwidth Domain", ""))
        cells = tuple(_of(row, wanted) for _, wanted in _COLUMNS)
        if named is not None and any(cells):
            found[named["name"]] = tuple(each or None for each in cells)
    if not found:
        return None, f"{where} has no complete row with GB/sec"
    table = LinkTable(
        test="bandwidth",
        description="bandwidth of the memory and of links while the program ran",
        rows=tuple(found),
        columns=tuple(name for name, _ in _COLUMNS),
        cells=tuple(found.values()),
        unit="GB/s",
        row_axis="of",
        column_axis="GB/s",
    )
    for name, (average, highest, _) in found.items():
        if average is not None and highest is not None and average > highest * (1 + _SLACK):
            return table, (
                f"{where} has {average:.4g} GB/s of {name} on average, and {highest:.4g} at most"
            )
    return table, ""


def _packages(rows: Sequence[Mapping[str, str]], where: str) -> tuple[LinkTable | None, str]:
    """What was read and written by package."""
    found = {
        row["Package"]: Traffic(**{what: _of(row, wanted) for what, wanted in _WAYS})
        for row in rows
        if row.get("Package")
    }
    if len(found) > 1:
        found["all"] = total_of(found)
    return traffic_table("traffic", "read and written on average", found, where)


FORMAT = OutputFormat(
    "VTune",
    HEADERS,
    parse,
    words=("Bandwidth Domain", "Total, GB/sec"),
    gap=OTHER_ANALYSES,
    why_gap=WHY_NO_OTHERS,
    prints="traffic",
)
