"""Reads PETSc's ``make streams``: the rate of triad for each number of MPI processes or threads.

The formats follow src/benchmarks/streams/MPIVersion.c, OpenMPVersion.c and process.py of PETSc 3.5
to 3.26, and saved outputs. A line has the number and the rate. Below the number, older versions
print the processors' names, and all four kernels or triad alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put

_LINE = re.compile(
    r"^[^\n]{0,40}?(?<![.\w])(?P<n>[0-9]{1,7})[ \t]{1,20}(?P<rate>\S{1,24})[ \t]{1,20}"
    r"Rate \(MB/s\)[^\n]{0,40}$",
    re.M,
)
_NUMBER = re.compile(
    r"^[^\n]{0,40}?Number of (?:MPI processes|OpenMP threads|threads)[ \t=]{1,10}(?P<n>[0-9]{1,7})"
    r"(?P<names>(?:[ \t]+Processor names?)?[^\n]{0,4000})$",
    re.M | re.I,
)
_KERNEL = re.compile(
    r"^[^\n]{0,40}?(?P<kernel>Copy|Scale|Add|Triad):[ \t]{1,20}(?P<rate>\S{1,24})"
    r"(?:[ \t]{1,20}Rate \(MB/s\))?[ \t]*$",
    re.M,
)
HEADERS = (
    re.compile(r"Running streams with '", re.I),
    _LINE,
    re.compile(r"\bNumber of MPI processes [0-9]{1,7}\b"),
)
BEGINNING = HEADERS[0]
OWN = re.compile(
    r"Running streams|Number of (?:MPI|OpenMP)|Process [0-9]+|Function +Rate|np +speedup|[0-9 .]+$"
    r"|Estimation of|Unable to|See graph|The results|(?:Copy|Scale|Add|Triad):",
    re.I,
)
SPEEDUPS = re.compile(r"[\s\S]*?(?:^|\n)[ \t>]{0,12}np[ \t]{1,8}speedup[ \t]*(?:\n[\s\S]*)?")
WHY_NOT_SPEEDUPS = (
    "it has the speedups of PETSc's streams without the rates they are made of: take the whole"
    " output of make streams."
)
_OPENMP = re.compile(r"OpenMP|openmpstream", re.I)


@dataclass
class _Point:
    """A number of processes or threads, with the rates below it."""

    n: str
    start: int
    end: int
    rates: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> ParsedOutput:
    """Read a table for each number of processes. Raises ``UsageError`` if it has none."""
    notes = Notes("PETSc streams")
    points = [each for each in _points(text) if each.rates]
    if not points:
        raise UsageError(
            "the output of PETSc's streams has no rate: take the whole output, or look in it for"
            " the reason why mpiexec failed."
        )
    spans = [(each.start, each.end) for each in points]
    of_threads = _OPENMP.search(text) is not None and "mpiexec" not in text
    tables: list[Table] = []
    problems: list[str] = []
    for point, place in zip(points, places(text, spans, OWN), strict=True):
        rows = []
        for kernel, rate in point.rates.items():
            try:
                gbps = numbers.rate(rate, 1e6, f"line {place.line} ({kernel})")
            except UsageError as error:
                problems.append(str(error))
            else:
                rows.append(Row(kernel=kernel, gbps=gbps))
        if not rows:
            continue
        workers = numbers.threads(point.n)
        tables.append(
            put(
                Table(
                    about=BenchmarkFacts("PETSc streams", language="C"),
                    rows=tuple(rows),
                    threads=workers,
                    ranks=None if of_threads else workers,
                    element_type="double",
                ),
                place,
            )
        )
    if not tables:
        raise UsageError(problems[0])
    notes.texts += [f"A row was left out: {each}" for each in problems]
    return ParsedOutput(tuple(tables), notes.sentences())


def _points(text: str) -> Iterator[_Point]:
    lines = [(match.start(), "line", match) for match in _LINE.finditer(text)]
    lines += [(match.start(), "number", match) for match in _NUMBER.finditer(text)]
    lines += [(match.start(), "kernel", match) for match in _KERNEL.finditer(text)]
    current: _Point | None = None
    for _, kind, match in sorted(lines, key=lambda each: each[0]):
        if kind == "kernel":
            if current is not None:
                current.rates.setdefault(match["kernel"].lower(), match["rate"])
                current.end = match.end()
            continue
        if current is not None:
            yield current
        current = _Point(match["n"], match.start(), match.end())
        if kind == "line":
            current.rates["triad"] = match["rate"]
            yield current
            current = None
    if current is not None:
        yield current


FORMAT = OutputFormat(
    "PETSc streams",
    HEADERS,
    parse,
    BEGINNING,
    ("Rate (MB/s)", "unning streams with", "Number of MPI processes"),
    SPEEDUPS,
    WHY_NOT_SPEEDUPS,
)
