"""Reads Kokkos' STREAM benchmark: one line with a rate per kernel, without a header.

The format follows its printf statements (github.com/kokkos/kokkos:
benchmarks/stream/stream-kokkos.cpp). Rates are the best of the iterations, in MB/s of 10^6 bytes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.devices import gpu_notes
from streamgage.interop.endings import ending_of
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.units import listed

HEADER = re.compile(r"\bSet[ \t]{1,40}[-+.0-9eEnaif,]{1,24} MB/s", re.M)
_ROW = re.compile(
    r"^[^\n]{0,60}?\b(Set|Copy|Scale|Add|Triad)[ \t]{1,40}(\S{1,24}) MB/s[ \t]*$", re.M
)
_KERNELS = {"Set": "init", "Copy": "copy", "Scale": "scale", "Add": "add", "Triad": "triad"}
BEGINNING = re.compile(r"Reports fastest timing per kernel")
OWN = re.compile(
    r"Reports fastest|Creating Views|Memory Sizes|- (?:Array Size|Per Array|Total)"
    r"|Benchmark kernels|Initializing|Starting|Performing|All solutions|Kokkos|OpenMP",
    re.I,
)
_ELEMENTS = re.compile(r"- Array Size:[ \t]{1,40}([0-9]{1,18})")
_EACH = re.compile(r"- Per Array:[ \t]{1,40}([0-9.]{1,18}) MB")
_TIMES = re.compile(r"performed for ([0-9]{1,9}) iterations")
_PASSED = re.compile(r"All solutions checked and verified")
_FAILED = re.compile(r"(?:validation|solution|results?)[^\n]{0,40}(?:fail|incorrect|wrong)", re.I)
_THREADS = re.compile(r"thread_pool_topology\[ *([0-9]{1,6}) x ([0-9]{1,6}) x ([0-9]{1,6}) *\]")
_WIDTH = 8


def parse(text: str) -> ParsedOutput:
    """Read the rates of every run in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("Kokkos")
    starts = [match.start() for match in HEADER.finditer(text)]
    if not starts:
        raise UsageError("it holds no rates of Kokkos' STREAM: name its saved output.")
    ends = [*starts[1:], len(text)]
    rows = [list(_ROW.finditer(text, a, b)) for a, b in zip(starts, ends, strict=True)]
    spans = [(a, each[-1].end() if each else a) for a, each in zip(starts, rows, strict=True)]
    tables: list[Table] = []
    before = 0
    for (start, end), each, place in zip(spans, rows, places(text, spans, OWN), strict=True):
        preamble = text[before:start]
        before = end
        with notes.or_left_out():
            table = _table(preamble, each, place.line, notes)
            missing = [label for label, kernel in _KERNELS.items() if not _has(table, kernel)]
            cut = None
            if missing and start == starts[-1]:
                verb = "is" if len(missing) == 1 else "are"
                reason = ending_of(text[end:])
                cut = f"{listed(missing)} {verb} missing" + (
                    f"; the output ends with: {reason}" if reason else ""
                )
            tables.append(replace(put(table, place), cut=cut))
    notes.settle(tables)
    return ParsedOutput(tuple(tables), (*notes.sentences(), *gpu_notes("Kokkos' STREAM", text)))


def _has(table: Table, kernel: str) -> bool:
    return any(row.kernel == kernel for row in table.rows)


def _table(before: str, matches: list[re.Match[str]], line: int, notes: Notes) -> Table:
    rows: dict[str, Row] = {}
    lost: list[str] = []
    words = numbers.with_points([[match[2]] for match in matches])
    for match, figure in zip(matches, words, strict=True):
        label, kernel = match[1], _KERNELS[match[1]]
        if kernel in rows:
            raise UsageError(
                f"the rates at line {line} have a second {label}: the output of several runs is"
                " mixed, so write one file per run."
            )
        try:
            rate = numbers.rate(figure[0] if figure else "", 1e6, f"line {line} ({label})")
        except UsageError as error:
            lost.append(str(error))
            continue
        rows[kernel] = Row(kernel=kernel, gbps=rate, code="Kokkos")
    if not rows:
        raise UsageError(
            lost[0] if lost else f"the rates of Kokkos at line {line} have no complete row."
        )
    notes.texts += [f"A row was left out: {each}" for each in lost]
    elements, array_size = _ELEMENTS.search(before), _EACH.search(before)
    size = None
    if array_size is not None:
        size = numbers.size(numbers.number(array_size[1]) * 1e6, "arrays")
    if elements is not None:
        exact = int(elements[1]) * _WIDTH
        if size is None or abs(size - exact) < 0.01 * exact:
            size = numbers.size(exact, "arrays")
    times = _TIMES.search(before)
    topology = _THREADS.search(before)
    threads = int(topology[1]) * int(topology[2]) * int(topology[3]) if topology else None
    passed = True if _PASSED.search(before) else False if _FAILED.search(before) else None
    return Table(
        about=BenchmarkFacts("Kokkos"),
        rows=tuple(rows.values()),
        threads=numbers.threads(str(threads)) if threads else None,
        array_bytes=size,
        element_type="double" if size and elements and size == int(elements[1]) * 8 else None,
        validated=passed,
        repetitions=int(times[1]) if times else None,
    )


FORMAT = OutputFormat("Kokkos", (HEADER,), parse, BEGINNING, (" MB/s",))
