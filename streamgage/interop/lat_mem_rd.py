"""Reads lat_mem_rd of lmbench: the latency of loads over the size of the working set.

The format follows its source (lmbench 3: src/lat_mem_rd.c) and saved outputs: a line with the
stride in bytes, then the size in MiB and the nanoseconds of a load. Without ``-t`` it walks with
that stride, and with it at random.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import SizeLatencies, SizeLatency
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.units import MIB

_PAIR = r"\W{0,8}([0-9]{1,6}\.[0-9]{3,6})[ \t]{1,8}([0-9]{1,7}\.[0-9]{1,4})[ \t]*"
HEADER = re.compile(rf'^[^\n"]{{0,80}}"?stride=(?P<stride>[0-9]{{1,7}})[ \t]*\n(?={_PAIR}$)', re.M)
"""Matches the line with the stride, above a first pair."""
OWN = re.compile(r'"?stride=|[0-9.]+[ \t]+[0-9.]+$')
_POINT = re.compile(_PAIR)
_AT_RANDOM = re.compile(r"\blat_mem_rd\b[^\n]{0,80} -t\b|\brandom load latency\b", re.I)
_HEAD = 500
"""The command line, or the script's heading, stands at most this many characters above."""
_STEP = 512
"""All sizes are multiples of so many bytes; the printed ones are rounded."""
_MOST_POINTS = 400
_NOTE = (
    "lat_mem_rd walks with one stride unless -t is given. Prefetchers follow a stride, so its"
    " latencies may be below those of the memory."
)


def parse(text: str) -> ParsedOutput:
    """Read the latencies for every stride in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("lat_mem_rd")
    headers = list(HEADER.finditer(text))
    charts: list[SizeLatencies] = []
    strided = False
    where = places(text, [each.span() for each in headers], OWN)
    for header, place in zip(headers, where, strict=True):
        points = dict(_points(text[header.end() : header.end() + 16_000]))
        if not points:
            notes.left_table(f"the latencies of lat_mem_rd at line {place.line} are cut off.")
            continue
        above = text[max(header.start() - _HEAD, 0) : header.start()]
        strided = strided or _AT_RANDOM.search(above) is None
        charts.append(
            SizeLatencies(
                about=BenchmarkFacts("lat_mem_rd"),
                line=place.line,
                heading=place.heading or f"stride of {header['stride']} bytes",
                points=tuple(SizeLatency(size, points[size]) for size in sorted(points)),
            )
        )
    if not charts:
        raise UsageError(notes.why("it has no latencies of lat_mem_rd: take its whole output."))
    said = (_NOTE,) if strided else ()
    return ParsedOutput((), (*notes.sentences(), *said), tuple(charts))


def _points(below: str) -> Iterator[tuple[int, float]]:
    """Yield the sizes in bytes and the nanoseconds of the lines up to one without a pair."""
    for line in below.split("\n")[:_MOST_POINTS]:
        found = _POINT.fullmatch(line)
        if found is None:
            return
        size = round(float(found[1]) * MIB / _STEP) * _STEP
        nanoseconds = numbers.number(found[2])
        if size and 0 < nanoseconds < numbers.MOST_NANOSECONDS:
            yield size, nanoseconds


FORMAT = OutputFormat("lat_mem_rd", (HEADER,), parse, words=("stride=",))
