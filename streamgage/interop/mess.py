"""Reads the bandwidth-latency curves of Mess, as CSV and as JSON.

The formats follow what its plotter writes (github.com/bsc-mem/Mess-2.0: utils/plotter.py and
utils/libs/processor.py; results in github.com/bsc-mem/Mess-Results). Each curve has a share of
reads in percent. Rates are GB/s of 10^9 bytes, latencies nanoseconds. Curves near a mix that
streamgage has are read, and a note names the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.charts import Load, LoadedCurve, LoadedCurves
from streamgage.interop.output_format import OutputFormat
from streamgage.interop.parsed import ParsedOutput
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts
from streamgage.plan import Mix
from streamgage.units import count

HEADER = re.compile(
    r"^[ \t]{0,8}(?=[^\n]{0,300}read_pct)(?=[^\n]{0,300}bandwidth)(?=[^\n]{0,300}latency)"
    r"[a-z_,\t]{20,300}$",
    re.M,
)
JSON = re.compile(
    r'\{[ \t\r\n]{0,40}"[0-9]{1,3}"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}\[[ \t\r\n]{0,40}'
    r"\[[ \t\r\n]{0,40}[-+.0-9eE]{1,30}[ \t\r\n]{0,10},"
)
"""Matches the start of a document with a list of pairs for each percentage."""
PAIRS = re.compile(r"\s*(?:-?[0-9]+\.[0-9]+[ \t]+[0-9]+\.[0-9]+[ \t]*\n\s*){3,}")
WHY_NO_PAIRS = (
    "it only has pairs of numbers, like Mess' files bwlat_NN.txt: MB/s, and latencies in cycles of"
    " a clock that the file does not name. Use memory_curves.csv or .json, which Mess' plotter"
    " makes from such files."
)
"""Why such pairs cannot be read. Mess' plotter takes the clock from a file of settings
(utils/libs/parser.py)."""
OWN = re.compile(r"[-+.0-9eE,]+$|Mess\b", re.I)
_PERCENT: dict[Mix, float] = {
    "reads": 100,
    "3:1": 75,
    "2:1": 200 / 3,
    "1:1": 50,
    "streaming": 0,
}
"""For each mix, the number of reads in a hundred lines that cross the memory bus."""
_NEAR = 1.0
"""A curve whose share of reads is within this many percent of a mix counts as that mix."""
_COLUMNS = {
    "percent": ("read_pct_rounded", "read_pct"),
    "pause": ("pause",),
    "gbps": ("bandwidth_mean", "bandwidth"),
    "nanoseconds": ("latency_mean", "latency"),
}
_MOST_LOADS = 5000
_Points = dict[int, list[Load]]


def parse(text: str) -> ParsedOutput:
    """Read the curves of every document in ``text``. Raises ``UsageError`` if it has none."""
    notes = Notes("Mess")
    found = [*_of_csv(text, notes), *_of_json(text, notes)]
    if not found:
        raise UsageError(
            notes.why("it holds no curves of Mess: name its memory_curves.csv or .json.")
        )
    return ParsedOutput((), notes.sentences(), tuple(found))


def _of_csv(text: str, notes: Notes) -> Iterator[LoadedCurves]:
    headers = list(HEADER.finditer(text))
    if not headers:
        return
    ends = [*(each.start() for each in headers[1:]), len(text)]
    spans = [(each.start(), end) for each, end in zip(headers, ends, strict=True)]
    for header, (_, end), place in zip(headers, spans, places(text, spans, OWN), strict=True):
        points = _rows(header[0].strip().split(","), text[header.end() : end])
        if points is None:
            notes.left_table(f"the columns of Mess at line {place.line} are not known.")
            continue
        yield from _chart(points, place.line, place.heading, notes)


def _rows(columns: list[str], text: str) -> _Points | None:
    """The rows by percentage of reads; ``None`` if a column is missing."""
    places_of = {
        key: next((columns.index(name) for name in names if name in columns), None)
        for key, names in _COLUMNS.items()
    }
    percent, pause, gbps, nanoseconds = (places_of[key] for key in _COLUMNS)
    if percent is None or pause is None or gbps is None or nanoseconds is None:
        return None
    points: _Points = {}
    for line in text.split("\n")[1:]:
        words = [each.strip() for each in line.split(",")]
        if len(words) != len(columns):
            if line.strip():
                break
            continue
        share, delay = numbers.number(words[percent]), numbers.number(words[pause])
        if not (0 <= share <= 100 and 0 <= delay < 1e15):
            continue
        load = _load(round(delay), numbers.number(words[gbps]), numbers.number(words[nanoseconds]))
        if load is not None:
            points.setdefault(round(share), []).append(load)
    return points


def _load(delay: int, gbps: float, nanoseconds: float) -> Load | None:
    """Make a point; ``None`` if no memory has such figures.

    Mess writes them if its counters failed.
    """
    if not numbers.LEAST_GBPS <= gbps <= numbers.MOST_GBPS:
        return None
    if not 0 < nanoseconds < numbers.MOST_NANOSECONDS:
        return None
    return Load(delay, gbps, nanoseconds)


def _of_json(text: str, notes: Notes) -> Iterator[LoadedCurves]:
    line, counted, end = 1, 0, 0
    for match in JSON.finditer(text):
        if match.start() < end:
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        close = text.find("}", match.end())
        end = len(text) if close < 0 else close + 1
        try:
            found: Any = msgspec.json.decode(text[match.start() : end])
        except (msgspec.DecodeError, RecursionError):
            notes.left_table(f"the JSON at line {line} is not complete.")
            continue
        yield from _chart(_pairs(found), line, None, notes)


def _pairs(found: Mapping[str, Any]) -> _Points:
    """Read pairs of rate and latency.

    They have no pause, so their place from the end replaces it.
    """
    points: _Points = {}
    for name, curve in found.items():
        if not re.fullmatch("[0-9]{1,3}", name) or int(name) > 100 or not isinstance(curve, list):
            continue
        pairs = [
            each
            for each in curve[:_MOST_LOADS]
            if isinstance(each, list)
            and len(each) == 2
            and all(isinstance(value, int | float) for value in each)
        ]
        loads = [_load(len(pairs) - n - 1, *map(float, pair)) for n, pair in enumerate(pairs)]
        points[int(name)] = [each for each in loads if each is not None]
    return points


def _chart(points: _Points, line: int, heading: str | None, notes: Notes) -> Iterator[LoadedCurves]:
    """Yield the chart with the curves near a mix; nothing if there are none."""
    curves: list[LoadedCurve] = []
    used = set()
    for mix, wanted in _PERCENT.items():
        near = min(points, key=lambda each: abs(each - wanted), default=None)
        if near is None or abs(near - wanted) > _NEAR or not points[near]:
            continue
        used.add(near)
        curves.append(LoadedCurve(mix, _ordered(points[near])))
    others = sorted(share for share, loads in points.items() if share not in used and loads)
    if not curves:
        known = f", but with {_range(others)} %" if others else ""
        notes.left_table(
            f"Mess has no curve at line {line} with about 100, 75, 67, 50 or 0 % reads{known}."
        )
        return
    if others:
        notes.texts.append(
            f"Mess: {count(len(others), 'curve')} with {_range(others)} % reads"
            f" {'was' if len(others) == 1 else 'were'} left out: streamgage only has mixes"
            " with about 100, 75, 67, 50 and 0 % reads."
        )
    yield LoadedCurves(
        about=BenchmarkFacts("Mess"), line=line, heading=heading, curves=tuple(curves)
    )


def _range(shares: list[int]) -> str:
    return f"{shares[0]} to {shares[-1]}" if len(shares) > 1 else f"{shares[0]}"


def _ordered(loads: list[Load]) -> tuple[Load, ...]:
    """The loads from the longest pause to none, without repetitions."""
    unique = {each.delay: each for each in loads}
    return tuple(sorted(unique.values(), key=lambda each: -each.delay)[:_MOST_LOADS])


FORMAT = OutputFormat(
    "Mess",
    (HEADER, JSON),
    parse,
    gap=PAIRS,
    why_gap=WHY_NO_PAIRS,
)
