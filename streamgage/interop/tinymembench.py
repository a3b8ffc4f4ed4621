"""Reads tinymembench: one thread copies and fills in many ways, and walks at random.

The formats follow its printf statements (github.com/ssvb/tinymembench: main.c, 0.4.9; and
github.com/nuumio/tinymembench, which also reads, and prints how often it repeated). It counts each
copied byte once. Its latencies are what a load takes more than from the first cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import SizeLatencies, SizeLatency
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

_METHOD = (
    r"^[ \t>|]{0,12}(?P<method>(?:standard mem(?:cpy|set)|libc mem(?:cpy copy|set fill|chr scan)"
    r"|[A-Z][\w/+.-]{0,20}(?: [\w/+.-]{1,20}){0,4}?"
    r" (?:copy|fill|scan|load)(?: [\w-]{1,20})?)(?: \([^)\n]{1,60}\))?)[ \t]{0,60}:[ \t]{1,12}"
    r"(?P<rate>[0-9.]{1,12}) MB/s"
    r"(?: \((?:[0-9]{1,6}(?:, )?)?(?:(?P<spread>[0-9.]{1,6})%)?\))?[ \t]*$"
)
_WALK = r"^block size : single random read / dual random read(?P<pages>[^\n]{0,40})$"
HEADER = re.compile(f"{_METHOD}|{_WALK}", re.M)
BEGINNING = re.compile(r"tinymembench v(?P<version>[0-9][0-9.]{0,10})")
OWN = re.compile(
    r"==|tinymembench|---|block size :|[0-9]+ :|CFLAGS:|(?:bandwidth|latency) test ", re.I
)
_FRAMEBUFFER = "(from framebuffer)"
_KINDS = {"copy": r"copy|memcpy", "init": r"fill|memset", "load": r"scan|load"}
"""What the names of the methods of each kernel contain."""
_POINT = re.compile(r"[ \t>|]{0,12}([0-9]{3,12}) :[ \t]{1,12}([0-9.]{1,10}) ns[^\n]{0,60}")
_UNSTEADY = 10.0
"""The greatest standard deviation of a rate, in percent, that is not named."""
_MEGABYTE = 1e6
_READ_AND_WRITTEN = 2
_MOST_POINTS = 64
_NOTE = (
    "tinymembench runs one thread and counts each copied byte once. The rates of copies shown are"
    " twice as high: like STREAM, they count the bytes read and the bytes written."
)
_EXTRA = (
    "tinymembench's latencies are the extra time over the first cache: add that cache's latency,"
    " a few nanoseconds."
)


def parse(text: str) -> ParsedOutput:
    """Read the tables and the walks in ``text``. Raises ``UsageError`` if it has none."""
    found = list(HEADER.finditer(text))
    notes = Notes("tinymembench")
    runs: list[list[re.Match[str]]] = []
    rows = (each for each in found if each["method"] and not each["method"].endswith(_FRAMEBUFFER))
    for each in rows:
        if not runs or each["method"] in {other["method"] for other in runs[-1]}:
            runs.append([])
        runs[-1].append(each)
    tables: list[Table] = []
    spans = [(each[0].start(), each[-1].end()) for each in runs]
    version = BEGINNING.search(text)
    about = BenchmarkFacts("tinymembench", version=version["version"] if version else None)
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        with notes.or_left_out():
            tables.append(put(replace(_table(run, place.line), about=about), place))
            notes.texts += _unsteady(run, tables[-1])
    charts = list(_walks(text, [each for each in found if not each["method"]], about))
    notes.settle([*tables, *charts], "it has no figure of tinymembench: take its whole output.")
    said = (*((_NOTE,) if tables else ()), *((_EXTRA,) if charts else ()))
    return ParsedOutput(tuple(tables), (*notes.sentences(), *said), tuple(charts))


def _table(run: list[re.Match[str]], line: int) -> Table:
    """Make the table of the best copy and the best fill, with all ways of copying."""
    if not run:
        raise UsageError("it has no rate of tinymembench.")
    rates: dict[str, dict[str, float]] = {kernel: {} for kernel in _KINDS}
    for each in run:
        name = each["method"]
        kernel = next(kernel for kernel, words in _KINDS.items() if re.search(words, name))
        counted = _READ_AND_WRITTEN if kernel == "copy" else 1
        rates[kernel][name] = numbers.rate(
            each["rate"], _MEGABYTE * counted, f"the output at line {line} ({name})"
        )
    rows = []
    for kernel, methods in rates.items():
        if methods:
            best = max(methods, key=lambda name: methods[name])
            rows.append(Row(kernel=kernel, gbps=methods[best], code=best))
    return Table(
        about=BenchmarkFacts("tinymembench"),
        rows=tuple(rows),
        threads=1,
        methods=rates["copy"],
    )


def _unsteady(run: list[re.Match[str]], table: Table) -> Iterator[str]:
    """Yield a sentence for each shown rate that varied too much between its passes."""
    spreads = {each["method"]: numbers.number(each["spread"] or "0") for each in run}
    for row in table.rows:
        if spreads.get(row.code, 0.0) > _UNSTEADY:
            yield (
                f"{row.code} is the fastest {row.kernel}, but varied by {spreads[row.code]:.3g} %"
                " between its passes: something disturbed it. Run it again before you quote it."
            )


def _walks(
    text: str, headers: list[re.Match[str]], about: BenchmarkFacts
) -> Iterator[SizeLatencies]:
    where = places(text, [each.span() for each in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        points: dict[int, float] = {}
        lines = text[header.end() : header.end() + 8000].split("\n")[1:_MOST_POINTS]
        for line in lines:
            found = _POINT.fullmatch(line)
            if found is None:
                break
            nanoseconds = numbers.number(found[2])
            if 0 < nanoseconds < numbers.MOST_NANOSECONDS:
                points[int(found[1])] = nanoseconds
        if points:
            ordered = tuple(SizeLatency(size, points[size]) for size in sorted(points))
            yield SizeLatencies(about=about, line=place.line, heading=place.heading, points=ordered)


FORMAT = OutputFormat(
    "tinymembench",
    (HEADER,),
    parse,
    BEGINNING,
    (" MB/s", "random read"),
)
