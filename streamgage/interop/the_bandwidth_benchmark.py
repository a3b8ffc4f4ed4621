"""The output of TheBandwidthBenchmark, and of its Julia port BandwidthBenchmark.jl.

Tables in MB/s (until 2024) and in GB/s, after the programs' own printf statements
(github.com/RRZE-HPC/TheBandwidthBenchmark: MainMemory/src/main.c, src/profiler.c,
src/cpu/profiler.c; github.com/JuliaPerf/BandwidthBenchmark.jl: src/bwbench.jl and README.md).
The port's option ``write_allocate`` also counts the lines that stores read, which raises the rates.
The output does not say so, but a rate times its seconds gives the bytes that were counted.
"""

from __future__ import annotations

import re
from collections.abc import Set
from statistics import median

from streamgage.interop import numbers
from streamgage.interop.kernels import KERNELS
from streamgage.interop.rows import Layout, Notes, RawTable, raw_tables
from streamgage.interop.stream import validated
from streamgage.interop.tables import About, Convention, Parsed, Row, Table

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
"""The port has no Sum."""
_UNITS = {"m": 1e6, "g": 1e9}

_DATA = re.compile(r"Total allocated datasize:[ \t]*([0-9]+(?:\.[0-9]*)?) ([MG])B")
_ARRAYS = 4
"""The size that is printed is that of so many arrays."""
_THREADS = re.compile(
    r"(?:OpenMP|Threading) enabled, (?:running with|using) ([0-9]+) (?:threads|\(of|Julia threads)"
)
_COUNTED_ALREADY = (
    "The rates of this output already count the lines that stores read (rate x time is more than"
    " the arrays hold); what is shown as nominal is without them."
)
_ROUGH = 0.05
"""Figures that are rounded more coarsely than this do not show how bytes were counted."""


def parse(text: str) -> Parsed:
    """Every table in ``text``. Raises ``UsageError`` where it has none complete."""
    notes = Notes("TheBandwidthBenchmark")
    layout = Layout("TheBandwidthBenchmark", HEADER, LABELS, 5, _required)
    raw = raw_tables(text, layout, notes)
    passed = validated(text, raw)
    tables = tuple(_table(each, valid) for each, valid in zip(raw, passed, strict=True))
    counted = any(row.convention == "hardware" for table in tables for row in table.rows)
    said = [_COUNTED_ALREADY] if counted else []
    return Parsed(tables, (*notes.sentences(), *said))


def _required(_: str) -> Set[str]:
    return _ALWAYS


def _table(raw: RawTable, validated: bool | None) -> Table:
    unit = _UNITS[raw.header[1].lower()]
    data = _DATA.search(raw.before)
    threads = _THREADS.search(raw.before)
    total = numbers.number(data[1]) * _UNITS[data[2].lower()] if data else None
    convention = _convention(raw)
    return Table(
        about=About("TheBandwidthBenchmark"),
        rows=tuple(_row(raw, kernel, unit, convention) for kernel in raw.rows),
        threads=numbers.threads(threads[1]) if threads else None,
        array_bytes=None if total is None else numbers.size(total / _ARRAYS, "arrays"),
        validated=validated,
    )


def _row(raw: RawTable, kernel: str, unit: float, convention: Convention) -> Row:
    line, figures = raw.rows[kernel]
    return Row(
        kernel=kernel,
        gbps=numbers.rate(figures[0], unit, f"line {line} ({kernel})"),
        mean_seconds=numbers.seconds(figures[2]),
        seconds=numbers.seconds(figures[3]),
        worst_seconds=numbers.seconds(figures[4]),
        convention=convention,
    )


def _convention(raw: RawTable) -> Convention:
    """How bytes were counted: rate x seconds, against kernels that both ways count the same."""
    alike, others = [], []
    for name, (_, figures) in raw.rows.items():
        kernel = KERNELS[name]
        moved = numbers.number(figures[0]) * numbers.number(figures[3])
        if not moved > 0 or _rounding(figures[3]) > _ROUGH:
            continue
        nominal = kernel.loads + kernel.stores
        if kernel.write_allocates:
            others.append((moved / nominal, (nominal + kernel.stores) / nominal))
        else:
            alike.append(moved / nominal)
    if not alike or not others:
        return "nominal"
    array = median(alike)
    counted = sum(abs(moved / array - factor) < abs(moved / array - 1) for moved, factor in others)
    return "hardware" if counted > len(others) / 2 else "nominal"


def _rounding(text: str) -> float:
    """Half of the last digit's unit, as a share of the number."""
    value = numbers.number(text)
    decimals = len(text.partition(".")[2])
    return 0.5 * 10.0**-decimals / value if value > 0 else 1.0
