"""Writes the summary of a watch: the traffic, its course, its share of the limit, and verdicts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from streamgage.programs.traffic.bars import course, marks_for, of_whole, split_bar
from streamgage.results.latency.document import MIX_NAMES
from streamgage.results.traffic.document import (
    TrafficResult,
    Verdict,
)
from streamgage.results.traffic.words import (
    COLUMNS,
    REPLAYED,
    STATES,
    distrust,
    heading,
    limits,
    of_state,
    parts_of,
    phases,
    row_of,
    troubles,
    volumes_shown,
)
from streamgage.show.symbols import Symbols
from streamgage.units import (
    format_gbps,
    listed,
)

_MARKS = {
    "bound": "warning",
    "partly": "warning",
    "unbalanced": "warning",
    "cannot-tell": "note",
}
_SHORTEST_BAR, _LONGEST_BAR = 8, 40
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=%|GB/s|s\b)")
_TIED = "\u00a0"
"""A space at which lines must not break."""


def render(traffic: TrafficResult, width: int, symbols: Symbols) -> str:
    """The whole summary as lines of at most ``width`` characters."""
    blocks = [
        [*_marks(traffic), f" {heading(traffic, symbols)}"],
        _table(traffic),
        _divided(traffic, width, symbols),
        _course(traffic, width, symbols),
        [f" {line}" for line in (*limits(traffic), *_calibration(traffic))],
        [
            *(f" {symbols.of(kind)} {text}" for kind, text in troubles(traffic)),
            *(_verdict(each, symbols) for each in traffic.verdicts),
        ],
        _curve(traffic, symbols),
    ]
    return "\n".join("\n".join(_wrapped(block, width)) + "\n" for block in blocks if block)


def _marks(traffic: TrafficResult) -> Iterator[str]:
    """Yield warnings that the reader must know before any figure."""
    if traffic.replayed:
        yield f" {REPLAYED}"
    doubt = distrust(traffic.source_trust)
    if doubt is not None:
        yield f" {doubt}"


def _divided(traffic: TrafficResult, width: int, symbols: Symbols) -> list[str]:
    """Lines with the share of reads and the share of local traffic, in percent and as bars."""
    rows = [
        (volume.name, words, share)
        for volume in volumes_shown(traffic)
        for words, share in parts_of(volume.average)
    ]
    if not rows:
        return []
    names, texts = max(len(name) for name, _, _ in rows), max(len(words) for _, words, _ in rows)
    room = min(_LONGEST_BAR, width - names - texts - 5)
    return [
        f" {name.ljust(names)}  {words.ljust(texts)}  {_bar(share, room, symbols)}".rstrip()
        for name, words, share in rows
    ]


def _bar(share: float, room: int, symbols: Symbols) -> str:
    return "" if room < _SHORTEST_BAR else "".join(split_bar(share, room, marks_for(symbols)))


def _table(traffic: TrafficResult) -> list[str]:
    volumes = volumes_shown(traffic)
    rows = [COLUMNS, *(row_of(volume) for volume in volumes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = [
        " "
        + "  ".join(
            cell.ljust(size) if number == 0 else cell.rjust(size)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.append(" Average, reads, writes and busiest interval in GB/s")
    if traffic.by_asker and len(traffic.domains) > 1:
        lines.append(" A package's bytes are those that it requested, from any memory")
    return lines


def _course(traffic: TrafficResult, width: int, symbols: Symbols) -> list[str]:
    line, full = course(of_whole(traffic.intervals), width - 2, marks_for(symbols))
    if len(traffic.intervals) < 2 or full == 0:
        return []
    return [f" Over time, a full column is {format_gbps(full)}:", f" {line}"]


def _calibration(traffic: TrafficResult) -> Iterator[str]:
    if traffic.source_trust.state in ("calibrated", "own"):
        yield traffic.source_trust.text


def _curve(traffic: TrafficResult, symbols: Symbols) -> list[str]:
    """Lines about the places of the intervals on the curve of latency, by state and phase."""
    curve = traffic.curve
    if curve is None:
        return []
    states: list[tuple[str, ...]] = [(" On the curve", "time", "GB/s", "saturation", "latency, ns")]
    for state, meaning in STATES.items():
        found = [each for each in curve.places if each.state == state]
        if found:
            states.append((f" {meaning}", *of_state(found, traffic.seconds)))
    widths = [max(len(row[column]) for row in states) for column in range(5)]
    lines = [
        "  ".join(
            cell.ljust(size) if number == 0 else cell.rjust(size)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        for row in states
    ]
    names = listed([MIX_NAMES[each.mix] for each in curve.lines])
    mark = symbols.passed
    if any(each.state in ("bound", "beyond") for each in curve.places):
        mark = symbols.warning
    elif all(each.share_low is None for each in curve.places):
        mark = symbols.of("note")
    return [
        *lines,
        f" The curve is that of {curve.file} ({names}).",
        *(f" {sentence}" for sentence in phases(curve)),
        f" {mark} {curve.text}",
        *(f" {symbols.warning} {sentence}" for sentence in curve.doubts),
        *(f" {symbols.note} {sentence}" for sentence in curve.missing),
    ]


def _verdict(verdict: Verdict, symbols: Symbols) -> str:
    kind = _MARKS.get(verdict.answer)
    return f" {symbols.of(kind) if kind else symbols.passed} {verdict.text}"


def _wrapped(lines: Sequence[str], width: int) -> Iterator[str]:
    """Break paragraphs at ``width``; tables keep their blanks."""
    for line in lines:
        indent = "   " if line[1:2] and not line[1].isalnum() else " "
        if len(line) <= width:
            yield line
            continue
        tied = _BEFORE_UNIT.sub(_TIED, line)
        for each in textwrap.wrap(tied, width, subsequent_indent=indent, break_on_hyphens=False):
            yield each.replace(_TIED, " ")
