"""The summary of a watch: what was moved, when, its share of what memory can give, and verdicts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from streamgage.programs.traffic.bars import course, marks_for, of_whole, split_bar
from streamgage.programs.traffic.document import (
    CurvePlace,
    OnCurve,
    Phase,
    TrafficResult,
    Verdict,
    Volume,
)
from streamgage.programs.traffic.words import (
    REPLAYED,
    STATES,
    UNKNOWN,
    distrust,
    heading,
    parts_of,
    rate_or_unknown,
)
from streamgage.results.latency.document import MIX_NAMES
from streamgage.show.symbols import Symbols
from streamgage.units import (
    count,
    format_gbps,
    format_nanoseconds,
    format_rate,
    format_share,
    format_volume,
    listed,
)

_MARKS = {
    "bound": "warning",
    "partly": "warning",
    "unbalanced": "warning",
    "cannot-tell": "note",
}
_COLUMNS = ("", "total", "average", "reads", "writes", "busiest", "share")
_MOST_PHASES = 4
_MULTIPLEXED = 0.995
_SHORTEST_BAR, _LONGEST_BAR = 8, 40
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=%|GB/s|s\b)")
_TIED = "\u00a0"
"""Stands for a space at which no line is to break."""


def render(traffic: TrafficResult, width: int, symbols: Symbols) -> str:
    """The whole summary as lines of at most ``width`` characters."""
    blocks = [
        [*_marks(traffic), f" {heading(traffic, symbols)}"],
        _table(traffic),
        _divided(traffic, width, symbols),
        _course(traffic, width, symbols),
        [f" {line}" for line in _limits(traffic)],
        [*_troubles(traffic, symbols), *(_verdict(each, symbols) for each in traffic.verdicts)],
        _curve(traffic, symbols),
    ]
    return "\n".join("\n".join(_wrapped(block, width)) + "\n" for block in blocks if block)


def _marks(traffic: TrafficResult) -> Iterator[str]:
    """What the reader must know before any figure."""
    if traffic.replayed:
        yield f" {REPLAYED}"
    doubt = distrust(traffic.trust)
    if doubt is not None:
        yield f" {doubt}"


def _volumes(traffic: TrafficResult) -> list[Volume]:
    """The domains, and all together if there are several."""
    return [*traffic.domains, traffic.whole] if len(traffic.domains) != 1 else traffic.domains


def _divided(traffic: TrafficResult, width: int, symbols: Symbols) -> list[str]:
    """How much of the bytes were reads, and how much was local, in percent and as bars."""
    rows = [
        (volume.name, words, share)
        for volume in _volumes(traffic)
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
    volumes = _volumes(traffic)
    rows = [_COLUMNS, *(_row(volume) for volume in volumes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
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
        lines.append(" A package's bytes are what it asked for, from any memory")
    return lines


def _row(volume: Volume) -> tuple[str, ...]:
    least = "" if not volume.lost_seconds else ">= "
    total = UNKNOWN if volume.bytes_total is None else least + format_volume(volume.bytes_total)
    return (
        volume.name,
        total,
        rate_or_unknown(volume.average.total_gbps),
        rate_or_unknown(volume.average.read_gbps),
        rate_or_unknown(volume.average.written_gbps),
        rate_or_unknown(volume.peak_gbps),
        "" if volume.share is None else format_share(volume.share),
    )


def _course(traffic: TrafficResult, width: int, symbols: Symbols) -> list[str]:
    line, full = course(of_whole(traffic.intervals), width - 2, marks_for(symbols))
    if len(traffic.intervals) < 2 or full == 0:
        return []
    return [f" Over time, a full column is {format_gbps(full)}:", f" {line}"]


def _limits(traffic: TrafficResult) -> Iterator[str]:
    average, busiest = traffic.whole.average.total_gbps, traffic.whole.peak_gbps
    if traffic.ceiling is not None:
        ceiling = traffic.ceiling
        known = "" if ceiling.evidence == "exact" else f", {ceiling.evidence}"
        yield (
            f"Share of the {format_gbps(ceiling.gbps)} that this machine was measured to reach"
            f" ({ceiling.kernel} {ceiling.store}{known}, {count(ceiling.threads, 'thread')},"
            f" {ceiling.time}, {ceiling.file}): {_shares(average, busiest, ceiling.gbps)}."
        )
    elif traffic.ceiling_reason is not None:
        yield (
            "Share of the bandwidth that this memory reaches: unknown, because"
            f" {traffic.ceiling_reason}."
        )
    if traffic.peak_gbps is not None:
        yield (
            f"Share of the theoretical peak of {format_gbps(traffic.peak_gbps)}"
            f" ({traffic.peak_detail}): {_shares(average, busiest, traffic.peak_gbps)}."
        )
    if traffic.trust.state in ("calibrated", "own"):
        yield traffic.trust.text


def _curve(traffic: TrafficResult, symbols: Symbols) -> list[str]:
    """Where the intervals lie on the curve of latency, by state and by phase."""
    curve = traffic.curve
    if curve is None:
        return []
    states: list[tuple[str, ...]] = [(" On the curve", "time", "GB/s", "saturation", "latency, ns")]
    for state, meaning in STATES.items():
        found = [each for each in curve.places if each.state == state]
        if found:
            states.append((f" {meaning}", *_of_state(found, traffic.seconds)))
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
        *(f" {sentence}" for sentence in _phases(curve)),
        f" {mark} {curve.text}",
        *(f" {symbols.warning} {sentence}" for sentence in curve.doubts),
        *(f" {symbols.note} {sentence}" for sentence in curve.missing),
    ]


def _of_state(places: Sequence[CurvePlace], whole: float) -> tuple[str, ...]:
    time = sum(each.seconds for each in places)
    low = [each.latency_low for each in places if each.latency_low is not None]
    high = [each.latency_high for each in places if each.latency_high is not None]
    rates = [each.gbps for each in places if each.gbps is not None]
    shares = [s for e in places for s in (e.share_low, e.share_high) if s is not None]
    return (
        format_share(time / whole) if whole else UNKNOWN,
        between([format_rate(each) for each in rates and (min(rates), max(rates))]),
        between([format_share(each) for each in shares and (min(shares), max(shares))]),
        between([format_nanoseconds(each) for each in low and (min(low), max(high))]),
    )


def between(texts: Sequence[str]) -> str:
    """``10.1 to 12.0``; one figure where both ends show the same, ``n/a`` without any."""
    return " to ".join(dict.fromkeys(texts)) or UNKNOWN


def _phases(curve: OnCurve) -> Iterator[str]:
    """When which phase was: the longest ones that were not free."""
    busy = [each for each in curve.phases if each.state in ("bound", "slowed", "beyond")]
    if not busy or len(curve.phases) < 2:
        return
    shown = sorted(sorted(busy, key=lambda each: -each.seconds)[:_MOST_PHASES], key=_start)
    texts = [
        f"{STATES[each.state]} from {each.start:.3g} to {each.start + each.seconds:.3g} s"
        f" ({'' if each.gbps is None else format_gbps(each.gbps)})"
        for each in shown
    ]
    more = len(busy) - len(shown)
    yield f"Phases: {'; '.join(texts)}{f'; {more} more' if more else ''}."


def _start(phase: Phase) -> float:
    return phase.start


def _shares(average: float | None, busiest: float | None, limit: float) -> str:
    if average is None or busiest is None:
        return UNKNOWN
    return (
        f"{format_share(average / limit)} on average, {format_share(busiest / limit)} in the"
        " busiest interval"
    )


def _troubles(traffic: TrafficResult, symbols: Symbols) -> Iterator[str]:
    if traffic.failure is not None:
        yield f" {symbols.error} Counting ended early: {traffic.failure.rstrip('.')}."
    for domain in traffic.domains:
        if domain.lost_seconds:
            yield (
                f" {symbols.warning} {domain.name} could not be counted for"
                f" {domain.lost_seconds:.3g} s ({domain.reason}); its figures cover the rest."
            )
    if traffic.running_share < _MULTIPLEXED:
        yield (
            f" {symbols.note} The counters took turns and counted for at least"
            f" {format_share(traffic.running_share)} of the time: the figures are scaled up."
        )


def _verdict(verdict: Verdict, symbols: Symbols) -> str:
    kind = _MARKS.get(verdict.answer)
    return f" {symbols.of(kind) if kind else symbols.passed} {verdict.text}"


def _wrapped(lines: Sequence[str], width: int) -> Iterator[str]:
    """Paragraphs broken at ``width``; the table keeps its blanks."""
    for line in lines:
        indent = "   " if line[1:2] and not line[1].isalnum() else " "
        if len(line) <= width:
            yield line
            continue
        tied = _BEFORE_UNIT.sub(_TIED, line)
        for each in textwrap.wrap(tied, width, subsequent_indent=indent, break_on_hyphens=False):
            yield each.replace(_TIED, " ")
