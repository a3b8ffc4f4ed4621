"""Reads lmbench's stream: STREAM's and STREAM2's loops, each with a latency and a bandwidth.

The format follows its source (lmbench 3: src/stream.c, src/lib_timing.c) and saved outputs. It
prints nanoseconds of an element and MB/s of 10^6 bytes. Their product is the bytes of an element,
times the number of processes that ran at once (``-P``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.kernels import KERNELS
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

HEADER = re.compile(
    r"\b(?P<set>STREAM2?) (?P<name>copy|scale|add|triad|fill|daxpy|sum)"
    r" (?P<what>latency|bandwidth): {0,4}(?P<value>[0-9.]{1,20}) (?P<unit>nanoseconds|MB/sec)"
)
OWN = re.compile(r"STREAM2? \w+ (?:latency|bandwidth)", re.I)
_KERNELS = {"fill": "init"}
_WORD = 8
_MEGABYTE = 1e6
_SLACK = 0.02


@dataclass
class _Run:
    start: int
    end: int = 0
    kind: str = ""
    nanoseconds: dict[str, str] = field(default_factory=dict)
    rates: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> ParsedOutput:
    """Read the loops of every run in ``text``. Raises ``UsageError`` if it has none."""
    runs = [each for each in _runs(text) if each.rates]
    if not runs:
        raise UsageError("it has no bandwidth of lmbench's stream: take its whole output.")
    notes = Notes("lmbench")
    tables: list[Table] = []
    spans = [(each.start, each.end) for each in runs]
    for run, place in zip(runs, places(text, spans, OWN), strict=True):
        with notes.or_left_out():
            tables.append(put(_table(run, place.line), place))
    notes.settle(tables)
    return ParsedOutput(tuple(tables), notes.sentences())


def _runs(text: str) -> Iterator[_Run]:
    run: _Run | None = None
    for found in HEADER.finditer(text):
        name = found["name"]
        figures = None if run is None else _figures(run, found["what"])
        if run is None or run.kind != found["set"] or (figures is not None and name in figures):
            if run is not None:
                yield run
            run = _Run(found.start(), kind=found["set"])
        _figures(run, found["what"])[name] = found["value"]
        run.end = found.end()
    if run is not None:
        yield run


def _figures(run: _Run, what: str) -> dict[str, str]:
    return run.nanoseconds if what == "latency" else run.rates


def _table(run: _Run, line: int) -> Table:
    rows, corrections, counts = [], [], []
    for name, rate in run.rates.items():
        kernel = _KERNELS.get(name, name)
        gbps = numbers.rate(rate, _MEGABYTE, f"the output at line {line} ({name})")
        rows.append(Row(kernel=kernel, gbps=gbps, code=run.kind))
        processes = _processes(kernel, gbps, run.nanoseconds.get(name, ""))
        if processes is not None:
            counts.append((name, *processes))
    threads = {number for _, number, _ in counts}
    if len(threads) > 1 or any(off > _SLACK for *_, off in counts):
        corrections.append("latency x bandwidth is not the same number of processes for each loop")
    return Table(
        about=BenchmarkFacts("lmbench", language="C"),
        rows=tuple(rows),
        threads=threads.pop() if len(threads) == 1 and not corrections else None,
        element_type="double",
        corrections=tuple(corrections),
    )


def _processes(kernel: str, gbps: float, nanoseconds: str) -> tuple[int, float] | None:
    """The processes at once by latency x bandwidth, and how far that is from a whole number."""
    facts = KERNELS[kernel]
    exact = numbers.number(nanoseconds) * gbps / (_WORD * (facts.loads + facts.stores))
    if not 0.5 <= exact <= numbers.MOST_ON_ONE_MACHINE:
        return None
    off = abs(exact / round(exact) - 1) - numbers.rounding(nanoseconds)
    return round(exact), off


FORMAT = OutputFormat("lmbench stream", (HEADER,), parse, words=(" bandwidth: ",))
