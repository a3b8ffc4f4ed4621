"""Reads the output of TheBandwidthBenchmark, and of its Julia port BandwidthBenchmark.jl.

Tables are in MB/s (until 2024) or in GB/s. The formats follow the programs' own printf statements
(github.com/RRZE-HPC/TheBandwidthBenchmark: MainMemory/src/main.c, src/profiler.c,
src/cpu/profiler.c; github.com/JuliaPerf/BandwidthBenchmark.jl: src/bwbench.jl and README.md). The
port's option ``write_allocate`` also counts the lines that stores read, which raises the rates. The
output does not say so, but a rate times its seconds gives the bytes that were counted
(``interop/cross_check.py``).
"""

from __future__ import annotations

import re
from collections.abc import Set

from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.rows import Layout, Notes, RawTable, tables_of
from streamgage.interop.stream import verdict, verdict_ahead
from streamgage.interop.tables import BenchmarkFacts, Row, Table

HEADER = re.compile(
    r"Function[ \t\u2502|]{1,20}Rate ?\((M|G)B/s\)[ \t\u2502|]{1,20}Rate ?\([MG]Flop/s\)"
    r"[ \t\u2502|]{1,20}Avg time[ \t\u2502|]{1,20}Min time[ \t\u2502|]{1,20}Max time",
    re.I,
)
LABELS = {
    name.lower(): name.lower()
    for name in ("Init", "Sum", "Copy", "Update", "Triad", "Daxpy", "STriad", "SDaxpy")
}
_ALWAYS = frozenset(LABELS) - {"sum"}
"""The kernels that every run prints; the Julia port has no Sum."""
_UNITS = {"m": 1e6, "g": 1e9}

OWN = re.compile(
    r"Total allocated|OpenMP enabled|Threading enabled|Solution Validates|Thread [0-9]+ running"
    r"|Failed Validation|Results are",
    re.I,
)
_DATA = re.compile(r"Total allocated datasize:[ \t]*([0-9]+(?:\.[0-9]*)?) ([MG])B")
_ARRAYS = 4
"""The number of arrays that the printed size covers."""
_THREADS = re.compile(
    r"(?:OpenMP|Threading) enabled, (?:running with|using) ([0-9]+) (?:threads|\(of|Julia threads)"
)


def parse(text: str) -> ParsedOutput:
    """Read every table in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("TheBandwidthBenchmark")
    layout = Layout("TheBandwidthBenchmark", HEADER, LABELS, 5, _usual, OWN, (3, 2, 4))
    ahead = verdict_ahead(text, HEADER)
    tables = tables_of(text, layout, notes, _row, lambda raw: _table(raw, ahead))
    return ParsedOutput(tuple(tables), notes.sentences())


def _usual(_: str) -> Set[str]:
    return _ALWAYS


def _table(raw: RawTable, ahead: bool) -> Table:
    data = _DATA.search(raw.before)
    threads = _THREADS.search(raw.before)
    total = numbers.number(data[1]) * _UNITS[data[2].lower()] if data else None
    return Table(
        about=BenchmarkFacts("TheBandwidthBenchmark"),
        rows=(),
        threads=numbers.threads(threads[1]) if threads else None,
        array_bytes=None if total is None else numbers.size(total / _ARRAYS, "arrays"),
        validated=verdict(raw.before if ahead else raw.after),
    )


def _row(raw: RawTable, kernel: str, figures: list[str], where: str) -> Row:
    assert raw.header is not None
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], _UNITS[raw.header[1].lower()], where),
        mean_seconds=numbers.seconds(figures[2], where),
        seconds=numbers.seconds(figures[3], where),
        worst_seconds=numbers.seconds(figures[4], where),
        step=numbers.step(figures[3]),
        rounding=numbers.rounding(figures[0]) + numbers.rounding(figures[3]),
    )


FORMAT = OutputFormat(
    "TheBandwidthBenchmark",
    (HEADER,),
    parse,
    re.compile(r"Total allocated datasize:"),
)
