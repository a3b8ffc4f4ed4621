"""Reads the matrices and the loaded latencies of Intel's MLC.

The formats follow saved outputs of versions 3.5 to 3.11. Its matrices and loaded latencies are for
reads alone, unless ``-W`` says otherwise; MLC's own help names the mixes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import (
    Cells,
    Load,
    LoadedCurve,
    LoadedCurves,
    NodeMatrix,
    SizeLatencies,
    SizeLatency,
)
from streamgage.interop.places import Place, places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.plan import Mix

IDLE = re.compile(r"Measuring idle latenc[^\n]{0,80}\n")
MATRIX = re.compile(r"Measuring Memory Bandwidths between nodes within", re.I)
LOADED = re.compile(
    r"Measuring Loaded Latencies for the system(?:(?:\n[^\n]{0,120}){0,8}?\n\W{0,8}Inject\s)?"
    r"|^\W{0,8}Inject[ \t|]{1,20}Latency[ \t|]{1,20}Bandwidth\b",
    re.I | re.M,
)
"""Matches the title of its loads; people also quote the table below it alone."""
ONE_IDLE = re.compile(
    r"^\W{0,8}Each iteration took[ \t]{1,20}[0-9.]{1,12} [a-z ]{0,20}clocks[ \t]{0,4}"
    r"\([ \t]{0,20}(?P<nanoseconds>[0-9.]{1,12})[ \t]{0,20}ns",
    re.I | re.M,
)
"""Matches the one figure of ``--idle_latency``."""
_BUFFER = re.compile(r"Using buffer size of (?P<mebibytes>[0-9]{1,9}(?:\.[0-9]{1,6})?) ?Mi?B", re.I)
_KINDS = (("idle", IDLE), ("matrix", MATRIX), ("loaded", LOADED))
_READ_ONLY = re.compile(r"Using Read-only traffic type", re.I)
_WRITES = re.compile(r"Command line parameters:[^\n]{0,200}? -W ?([0-9]{1,2})\b")
_COLUMNS = re.compile(r"\W{0,8}Numa node((?:[ \t]+[0-9]{1,4}){1,64})\W{0,8}", re.I)
COMMENT = r"(?:\s*|\s[\s|*]*[^\s0-9.-][^\n]{0,200})"
"""Matches what people write behind the figures of a row, if anything."""
_ROW = re.compile(
    r"\W{0,8}?\b([0-9]{1,4})((?:[ \t]+(?:[0-9]{1,7}(?:\.[0-9]{1,4})?|-)){1,64})" + COMMENT
)
_LOAD = re.compile(
    r"\W{0,8}([0-9]{1,7})[ \t|]{1,20}([0-9.]{1,12})[ \t|]{1,20}([0-9.]{1,12})[\"'`*]{0,3}" + COMMENT
)
"""Matches a load: its delay, latency and bandwidth."""
_WORD = re.compile(r"\w")
_IDLE_SHARE = 0.1
"""A repeated delay with less than this share of the highest bandwidth has no load."""
_MOST_LINES = 200
"""The longest section, in lines."""
_HEAD = 1000
"""The characters at the start of a section, or of a run, that identify it."""
_MEGABYTE = 1e6
_MIXES: dict[int | None, Mix] = {None: "reads", 2: "2:1", 3: "3:1", 5: "1:1", 6: "streaming"}
_KERNELS: dict[Mix, str] = {
    "reads": "load",
    "2:1": "mix-2:1",
    "3:1": "mix-3:1",
    "1:1": "mix-1:1",
    "streaming": "init",
}


@dataclass(frozen=True)
class _Section:
    """One heading of MLC, with the text below it."""

    kind: str
    start: int
    end: int
    run: int
    """The number of the run of MLC, counted by the banners before it."""
    mix: Mix | None
    """The mix of reads and writes; ``None`` if it is not known."""


@dataclass(frozen=True)
class _Nodes:
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cells: Cells


def _sections(text: str, banner: re.Pattern[str]) -> list[_Section]:
    """The sections with matrices and with loads, in their order."""
    starts = sorted(
        (match.start(), kind) for kind, header in _KINDS for match in header.finditer(text)
    )
    banners = [match.start() for match in banner.finditer(text)]
    written = [_WRITES.search(text, each, each + _HEAD) for each in banners]
    mixes = [_MIXES.get(int(each[1])) if each else _MIXES[None] for each in written]
    found = []
    for (start, kind), (after, _) in zip_longest(starts, starts[1:], fillvalue=(len(text), "")):
        run = bisect_left(banners, start)
        end = min([after, *banners[run : run + 1]])
        only = _READ_ONLY.search(text, start, min(end, start + _HEAD))
        mix = _MIXES[None] if only or not run else mixes[run - 1]
        found.append(_Section(kind, start, end, run, mix))
    return found


def charts_of(
    text: str,
    banner: re.Pattern[str],
    own: re.Pattern[str],
    notes: Notes,
    *,
    idle_alone: bool,
) -> list[NodeMatrix | LoadedCurves]:
    """Read the matrices and the curves.

    ``idle_alone``: also return latencies that have no bandwidths.
    """
    sections = _sections(text, banner)
    spans = [(each.start, text.find("\n", each.start) + 1 or each.end) for each in sections]
    where = places(text, spans, own)
    versions = [match[1] for match in banner.finditer(text)]
    found: list[NodeMatrix | LoadedCurves] = []
    for section, place in zip(sections, where, strict=True):
        about = BenchmarkFacts("Intel MLC", versions[section.run - 1] if section.run else None)
        if section.kind == "loaded":
            curve = _curve(text, section, place, notes)
            if curve is not None:
                found.append(_with(found, curve, about, place))
            continue
        matrix = _node_matrix(text, section, about, place, notes)
        if matrix is not None:
            found.append(matrix)
    return list(_joined(found, idle_alone=idle_alone))


def idle_latencies_of(
    text: str, banner: re.Pattern[str], own: re.Pattern[str], notes: Notes
) -> Iterator[SizeLatencies]:
    """Yield each single idle latency, over the size of the buffer that it belongs to."""
    found = list(ONE_IDLE.finditer(text))
    for match, place in zip(found, places(text, [each.span() for each in found], own), strict=True):
        start = max(match.start() - _HEAD, 0)
        versions = [each[1] for each in banner.finditer(text, 0, match.start())]
        sizes = [each["mebibytes"] for each in _BUFFER.finditer(text, start, match.start())]
        nanoseconds = numbers.number(match["nanoseconds"])
        if not sizes or not 0 < nanoseconds < numbers.MOST_NANOSECONDS:
            notes.lost(place.line, "its idle latency has no size of its buffer above it.")
            continue
        size = numbers.size(float(sizes[-1]) * (1 << 20), "buffers")
        yield SizeLatencies(
            about=BenchmarkFacts("Intel MLC", versions[-1] if versions else None),
            line=place.line,
            heading=place.heading,
            points=(SizeLatency(size, nanoseconds),),
        )


def _with(
    charts: list[NodeMatrix | LoadedCurves], curve: LoadedCurve, about: BenchmarkFacts, place: Place
) -> LoadedCurves:
    """Add the curve to those of other mixes just before it, which are removed from ``charts``."""
    last = charts[-1] if charts else None
    if (
        isinstance(last, LoadedCurves)
        and last.about == about
        and place.heading in {None, last.heading}
        and all(each.mix != curve.mix for each in last.curves)
    ):
        charts.pop()
        return replace(last, curves=(*last.curves, curve))
    return LoadedCurves(about=about, line=place.line, heading=place.heading, curves=(curve,))


def _joined(
    charts: Sequence[NodeMatrix | LoadedCurves], *, idle_alone: bool
) -> Iterator[NodeMatrix | LoadedCurves]:
    """Merge idle latencies with the bandwidths between the same nodes that follow them."""
    waiting: NodeMatrix | None = None
    for each in charts:
        if not isinstance(each, NodeMatrix):
            yield each
            continue
        if not each.gbps:
            if waiting is not None and idle_alone:
                yield waiting
            waiting = each
            continue
        if waiting is not None and _fit(waiting, each):
            yield replace(
                each, nanoseconds=waiting.nanoseconds, line=waiting.line, heading=waiting.heading
            )
            waiting = None
            continue
        yield each
    if waiting is not None and idle_alone:
        yield waiting


def _fit(idle: NodeMatrix, rates: NodeMatrix) -> bool:
    return (idle.about, idle.rows, idle.columns) == (rates.about, rates.rows, rates.columns)


def _node_matrix(
    text: str, section: _Section, about: BenchmarkFacts, place: Place, notes: Notes
) -> NodeMatrix | None:
    nodes = _nodes(text[section.start : section.end])
    if nodes is None:
        notes.left_table(f"the matrix of Intel MLC at line {place.line} is cut off.")
        return None
    base = NodeMatrix(
        about=about,
        line=place.line,
        heading=place.heading,
        rows=nodes.rows,
        columns=nodes.columns,
    )
    if section.kind == "idle":
        return replace(base, nanoseconds=nodes.cells)
    if section.mix is None:
        notes.left_table(
            f"the matrix of Intel MLC at line {place.line} has a mix of reads and writes (-W)"
            " that streamgage does not have."
        )
        return None
    cells = tuple(tuple(None if e is None else e * _MEGABYTE / 1e9 for e in r) for r in nodes.cells)
    return replace(base, kernel=_KERNELS[section.mix], gbps=cells)


def _nodes(section: str) -> _Nodes | None:
    """The nodes and figures of a matrix; ``None`` if it is not complete."""
    columns: tuple[int, ...] = ()
    rows: dict[int, tuple[float | None, ...]] = {}
    for line in section.split("\n")[1:_MOST_LINES]:
        header = _COLUMNS.fullmatch(line)
        if header is not None and not rows:
            columns = tuple(int(each) for each in header[1].split())
            continue
        found = _ROW.fullmatch(line)
        if found is None:
            if rows:
                break
            continue
        if int(found[1]) in rows:
            return None
        rows[int(found[1])] = tuple(map(_figure, found[2].split()))
    columns = columns or tuple(range(len(next(iter(rows.values()), ()))))
    whole = rows and len(set(columns)) == len(columns)
    if not whole or any(len(each) != len(columns) for each in rows.values()):
        return None
    if all(each is None for row in rows.values() for each in row):
        return None
    return _Nodes(tuple(rows), columns, tuple(rows.values()))


def _figure(word: str) -> float | None:
    value = numbers.number(word)
    return value if value > 0 else None


def _curve(text: str, section: _Section, place: Place, notes: Notes) -> LoadedCurve | None:
    name = f"the loaded latencies of Intel MLC at line {place.line}"
    if section.mix is None:
        notes.left_table(
            f"{name} have a mix of reads and writes (-W) that streamgage does not have."
        )
        return None
    loads: dict[int, Load] = {}
    again: list[Load] = []
    lines = text[section.start : section.end].split("\n")[1:_MOST_LINES]
    first = text.count("\n", 0, section.start) + 2
    for number, (line, below) in enumerate(zip_longest(lines, lines[1:], fillvalue=""), first):
        found = _LOAD.fullmatch(line)
        if found is None:
            if loads and _WORD.search(line):
                if _LOAD.fullmatch(below) is None:
                    break
                notes.lost(number, "it has no delay, latency and bandwidth.")
            continue
        try:
            gbps = numbers.rate(found[3], _MEGABYTE, f"the delay {found[1]}")
        except UsageError as error:
            notes.lost(place.line, str(error))
            continue
        nanoseconds = numbers.number(found[2])
        if 0 < nanoseconds < numbers.MOST_NANOSECONDS:
            load = Load(int(found[1]), gbps, nanoseconds)
            if loads.setdefault(load.delay, load) is not load:
                again.append(load)
    if not loads:
        notes.left_table(f"{name} are cut off.")
        return None
    ordered = sorted(loads.values(), key=lambda each: -each.delay)
    best = max(each.gbps for each in ordered)
    idle = next((each.nanoseconds for each in again if each.gbps <= _IDLE_SHARE * best), None)
    return LoadedCurve(section.mix, tuple(ordered), idle)
