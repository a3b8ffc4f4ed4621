"""Reads the summary of sbc-bench: the rates of tinymembench by the C library on one core of a kind.

The format follows its script (github.com/ThomasKaiser/sbc-bench: sbc-bench.sh, "Performance
baseline"). As tinymembench it counts each copied byte once.
"""

from __future__ import annotations

import re
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

_RATE = r"[0-9]{1,7}(?:\.[0-9]{1,3})?"
HEADER = re.compile(
    rf"^[ \t>]{{0,12}}[*-]?[ \t]{{0,4}}(?:(?P<core>cpu[0-9]{{1,4}} \([^)\n]{{1,60}}\)): )?"
    rf"memcpy: (?P<copy>{_RATE}) MB/s, memchr: (?P<load>{_RATE}) MB/s,"
    rf" memset: (?P<init>{_RATE}) MB/s[ \t]*$",
    re.M,
)
_OWN = re.compile(r"\*|cpu[0-9]")
_FACTORS = {"copy": 2e6, "init": 1e6, "load": 1e6}
_NOTE = (
    "sbc-bench runs tinymembench with one thread, which counts each copied byte once. The rate of"
    " copies shown is twice as high: like STREAM, it counts the bytes read and the bytes written."
)


def parse(text: str) -> ParsedOutput:
    """Read the rates of each kind of core. Raises ``UsageError`` if there are none."""
    found = list(HEADER.finditer(text))
    if not found:
        raise UsageError("it holds no summary of sbc-bench: name its saved output.")
    notes = Notes("sbc-bench")
    tables: list[Table] = []
    spans = [each.span() for each in found]
    for number, (match, place) in enumerate(zip(found, places(text, spans, _OWN), strict=True)):
        with notes.or_left_out():
            rows = tuple(
                Row(
                    kernel=kernel,
                    gbps=numbers.rate(match[kernel], unit, f"line {place.line} ({kernel})"),
                    code="the C library",
                )
                for kernel, unit in _FACTORS.items()
            )
            table = put(Table(about=BenchmarkFacts("tinymembench"), rows=rows, threads=1), place)
            tables.append(_of_core(table, match["core"], number))
    notes.settle(tables)
    return ParsedOutput(tuple(tables), (*notes.sentences(), _NOTE))


def _of_core(table: Table, core: str | None, number: int) -> Table:
    """The cores of a machine differ, so each kind is a result of its own."""
    if core is None:
        return table
    return replace(table, heading=core, follows=False, section=number)


FORMAT = OutputFormat("sbc-bench", (HEADER,), parse, words=("memchr: ",))
