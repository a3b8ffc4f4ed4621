"""The STREAM of the HPC Challenge (HPCC), from the summary at the end of ``hpccoutf.txt``.

Format after its printf statements (github.com/icl-utk-edu/hpcc: src/hpcc.c, STREAM/onecpu.c). The
summary has a figure of one process alone (SingleSTREAM) and one of a process while all run
(StarSTREAM, the mean over the processes), both in GB/s of 10^9 bytes. Each process has arrays of
its own.
"""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.endings import ending_of
from streamgage.interop.parsed import Parsed
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import About, Row, Table
from streamgage.units import format_gbps

HEADER = re.compile(r"Begin of Summary section", re.M)
_END = re.compile(r"End of Summary section")
_FIGURE = re.compile(r"^[^\n=]{0,60}?\b([A-Za-z][A-Za-z0-9_]{1,40})=(\S{1,40})[ \t]*$", re.M)
OWN = re.compile(r"#{3,}|HPC Challenge|This is|For a version|Copyright|\w+=|Current time|\*+", re.I)
BEGINNING = re.compile(r"HPC Challenge Benchmark")
_KERNELS = ("copy", "scale", "add", "triad")
_VERSION = re.compile(r"HPC Challenge Benchmark (?:version|v) ?([0-9][0-9.]{0,10}[a-z]?)", re.I)


def parse(text: str) -> Parsed:
    """The figures of every summary in ``text``. Raises ``UsageError`` where it has none."""
    headers = list(HEADER.finditer(text))
    if not headers:
        raise UsageError("it holds no summary of HPCC: name its saved output.")
    notes = Notes("HPCC")
    ends = [*(each.start() for each in headers[1:]), len(text)]
    spans = []
    for header, end in zip(headers, ends, strict=True):
        last = _END.search(text, header.end(), end)
        spans.append((header.start(), last.end() if last else end))
    tables: list[Table] = []
    problems: list[str] = []
    before = 0
    for (start, end), place in zip(spans, places(text, spans, OWN), strict=True):
        try:
            tables += _tables(text[start:end], text[before:start], place, notes)
        except UsageError as error:
            problems.append(str(error))
        before = end
    if not tables:
        raise UsageError(problems[0])
    for problem in problems:
        notes.left_table(problem)
    return Parsed(tuple(tables), notes.sentences())


def _tables(summary: str, before: str, place: Place, notes: Notes) -> list[Table]:
    """The process alone, and all processes together."""
    said = {match[1].lower(): match[2] for match in _FIGURE.finditer(summary)}
    version = _VERSION.search(before)
    about = About("HPCC", version=version[1] if version else None)
    ranks = numbers.threads(said["commworldprocs"]) if "commworldprocs" in said else None
    each = numbers.threads(said["stream_threads"]) if "stream_threads" in said else 1
    size = None
    if "stream_vectorsize" in said:
        width = numbers.number(said.get("sizeof_double", "8"))
        size = numbers.size(numbers.number(said["stream_vectorsize"]) * width, "arrays")
    found: list[Table] = []
    star = _rows(said, "starstream", place.line, notes, ranks or 1)
    single = _rows(said, "singlestream", place.line, notes, 1)
    for rows, number in ((single, 1), (star, ranks)):
        if not rows:
            continue
        found.append(
            Table(
                about=about,
                rows=rows,
                threads=each * number if number else None,
                ranks=number,
                array_bytes=size,
                element_type="double",
                line=place.line,
                heading=place.heading,
                follows=True if found else place.follows,
                validated={"1": True, "0": False}.get(said.get("success", "")),
            )
        )
    if not found:
        reason = ending_of(summary)
        raise UsageError(
            f"the summary of HPCC at line {place.line} has no figures of STREAM"
            + (f" and ends with: {reason}" if reason else "")
            + ": take the whole hpccoutf.txt of a run with STREAM."
        )
    if star and ranks is not None:
        triad = {row.kernel: row.gbps for row in star}.get("triad")
        per = "" if triad is None else f", {format_gbps(triad / ranks)} a process in triad"
        notes.said.append(
            f"HPCC prints what one of {ranks} processes gets while all run{per}. Shown is the"
            f" sum: {ranks} times that. SingleSTREAM is one process alone."
        )
    return found


def _rows(said: dict[str, str], kind: str, line: int, notes: Notes, times: int) -> tuple[Row, ...]:
    rows = []
    for kernel in _KERNELS:
        figure = said.get(f"{kind}_{kernel}")
        if figure is None:
            continue
        try:
            rate = numbers.rate(figure, 1e9 * times, f"the summary at line {line} ({kernel})")
        except UsageError as error:
            notes.said.append(f"A row was left out: {error}")
            continue
        rows.append(Row(kernel=kernel, gbps=rate))
    return tuple(rows)
