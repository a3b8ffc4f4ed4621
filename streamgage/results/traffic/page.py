"""The page of memory traffic: the bytes of each domain, over time, and on a latency curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streamgage.analysis.conclusion import Conclusion, fact, sound, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.latency.document import MIX_NAMES
from streamgage.results.traffic.data import data_of
from streamgage.results.traffic.document import (
    CurvePlace,
    CurveState,
    OnCurve,
    SeenInterval,
    TrafficResult,
    Volume,
)
from streamgage.results.traffic.words import (
    REPLAYED,
    STATES,
    UNKNOWN,
    heading,
    limits,
    of_state,
    parts_of,
    phases,
    row_of,
    troubles,
    volumes_shown,
)
from streamgage.show.page import (
    NANOSECONDS,
    RATE,
    SHARE,
    Axis,
    Cell,
    Column,
    Guide,
    Lines,
    Mark,
    Page,
    Series,
    Table,
    Unit,
)
from streamgage.show.symbols import UNICODE
from streamgage.units import format_figure, format_gbps, format_half_width, format_nanoseconds

_SECONDS = Unit("s", format_figure, format_half_width)
_HEADROOM = 1.08
_MOST_POINTS = 500
"""The most points of a line; more intervals are averaged in groups."""


def page(traffic: TrafficResult) -> Page:
    """The page of a result of ``streamgage traffic``."""
    return Page(
        title="Memory traffic",
        machine=traffic.machine,
        warnings=[REPLAYED] if traffic.replayed else [],
        lines=[heading(traffic, UNICODE)],
        tables=list(_tables(traffic)),
        note=_note(traffic),
        remarks=[text for _, text in troubles(traffic)] + list(_about_curve(traffic)),
        settings=[("Source", traffic.source), *_command(traffic)],
        picture="Memory traffic",
        caption=f"{heading(traffic, UNICODE)}. GB/s that crossed the memory bus; nothing is"
        f" subtracted.{' Dashed: the limits of the memory.' if _top(traffic) else ''}",
        plots=list(_plots(traffic)),
        data=data_of(traffic),
    )


def conclusions(traffic: TrafficResult) -> Iterator[Conclusion]:
    """The verdicts, with what they rest on."""
    for each in traffic.verdicts:
        yield (undecided if each.answer == "cannot-tell" else sound)(each.text)
    if traffic.curve is not None:
        yield Conclusion(grade=traffic.curve.grade, text=traffic.curve.text)
    yield from map(fact, limits(traffic))
    if traffic.source_trust.state == "calibrated":
        yield fact(traffic.source_trust.text)


def _command(traffic: TrafficResult) -> Iterator[tuple[str, str]]:
    if traffic.command:
        yield "Program", " ".join(traffic.command)
    if traffic.exit_status is not None:
        yield "Exit status of the program", str(traffic.exit_status)


def _note(traffic: TrafficResult) -> str:
    text = (
        "Average, reads, writes and busiest interval in GB/s, of all that crossed the memory bus:"
        " nothing is subtracted."
    )
    if traffic.by_asker and len(traffic.domains) > 1:
        return f"{text} A package's bytes are those that its CPUs requested, from any memory."
    return text


def _tables(traffic: TrafficResult) -> Iterator[Table[Any]]:
    volumes = volumes_shown(traffic)
    apart = any(_divided(each).text for each in volumes)
    yield Table(
        title="traffic",
        columns=[
            Column("domain", lambda each: Cell(each.name), left=True),
            Column("total", lambda each: Cell(row_of(each)[1], each.bytes_total)),
            Column("average", lambda each: _rate(each.average.total_gbps)),
            Column("reads", lambda each: _rate(each.average.read_gbps)),
            Column("writes", lambda each: _rate(each.average.written_gbps)),
            Column("busiest", lambda each: _rate(each.peak_gbps)),
            Column("share", lambda each: _share(each.share), may_go=2),
            *([Column("of which", _divided, left=True, may_go=1)] if apart else []),
        ],
        rows=volumes,
    )
    if traffic.curve is not None:
        yield Table(
            title="intervals on the curve of latency",
            columns=[
                Column("state", lambda each: Cell(each[0]), left=True),
                Column("time", lambda each: Cell(each[1])),
                Column("GB/s", lambda each: Cell(each[2])),
                Column("saturation", lambda each: Cell(each[3])),
                Column("latency, ns", lambda each: Cell(each[4])),
            ],
            rows=[
                (STATES[state], *of_state(found, traffic.seconds))
                for state in STATES
                if (found := [each for each in traffic.curve.places if each.state == state])
            ],
        )


def _rate(gbps: float | None) -> Cell:
    return Cell(UNKNOWN) if gbps is None else Cell("", gbps, unit=RATE)


def _share(share: float | None) -> Cell:
    return Cell("") if share is None else Cell("", share, unit=SHARE)


def _divided(volume: Volume) -> Cell:
    """Make the cell that says how a domain's bytes divide."""
    return Cell("; ".join(text for text, _ in parts_of(volume.average)))


def _about_curve(traffic: TrafficResult) -> Iterator[str]:
    curve = traffic.curve
    if curve is None:
        return
    yield f"The curve is that of {curve.file}."
    yield from (*phases(curve), *curve.doubts, *curve.missing)


def _plots(traffic: TrafficResult) -> Iterator[Lines]:
    if traffic.intervals:
        yield _course(traffic)
    if traffic.curve is not None and traffic.curve.lines:
        yield _curve(traffic.curve)


def _course(traffic: TrafficResult) -> Lines:
    """The plot of traffic over time, for all domains together and for each.

    Reads and writes are shown if they are counted separately.
    """
    groups = list(_groups(traffic.intervals))
    read: list[tuple[str, Callable[[SeenInterval], float | None]]] = [
        ("all", lambda each: each.whole.total_gbps)
    ]
    if any(each.whole.read_gbps is not None for each in traffic.intervals):
        read += [
            ("reads", lambda each: each.whole.read_gbps),
            ("writes", lambda each: each.whole.written_gbps),
        ]
    if len(traffic.domains) > 1:
        read += [(each.name, _total_of(n)) for n, each in enumerate(traffic.domains)]
    middles = [(group[0].start + group[-1].start + group[-1].seconds) / 2 for group in groups]
    return Lines(
        title="Memory traffic over time",
        about="GB/s that crossed the memory bus, over time. Dashed lines: the bandwidth that this"
        " memory reaches, and its theoretical peak, if known.",
        x=Axis("seconds", _SECONDS, from_zero=True),
        y=Axis("GB/s", RATE, from_zero=True, to=_top(traffic)),
        series=[
            Series(name, middles, [_average(group, of) for group in groups], look=look)
            for look, (name, of) in enumerate(read)
        ],
        marks=list(_limit_lines(traffic)),
        wide=True,
    )


def _total_of(domain: int) -> Callable[[SeenInterval], float | None]:
    return lambda each: each.domains[domain].total_gbps


def _groups(intervals: Sequence[SeenInterval]) -> Iterator[Sequence[SeenInterval]]:
    size = -(-len(intervals) // _MOST_POINTS)
    for first in range(0, len(intervals), size):
        yield intervals[first : first + size]


def _average(
    group: Sequence[SeenInterval], of: Callable[[SeenInterval], float | None]
) -> Estimate | None:
    """The average over the intervals that were counted; ``None`` if none was."""
    known = [(each.seconds, rate) for each in group if (rate := of(each)) is not None]
    time = sum(seconds for seconds, _ in known)
    if time <= 0:
        return None
    return Estimate(value=sum(s * rate for s, rate in known) / time, low=None, high=None)


def _top(traffic: TrafficResult) -> float | None:
    """The end of the axis, above all limits; ``None`` if no limit is known."""
    known = [traffic.peak_gbps, traffic.ceiling and traffic.ceiling.gbps]
    highest = max((each for each in known if each), default=None)
    return None if highest is None else _HEADROOM * max(highest, traffic.whole.peak_gbps or 0.0)


def _limit_lines(traffic: TrafficResult) -> Iterator[Mark]:
    known = (
        ("achievable", traffic.ceiling and traffic.ceiling.gbps),
        ("theoretical peak", traffic.peak_gbps),
    )
    for name, gbps in known:
        if gbps:
            ends = ((0.0, gbps), (traffic.seconds, gbps))
            yield Guide(f"{name}: {format_gbps(gbps)}", ends)


def _curve(curve: OnCurve) -> Lines:
    lines = [
        Series(
            MIX_NAMES[each.mix],
            each.gbps,
            [Estimate(value=seconds, low=None, high=None) for seconds in each.seconds],
            look=look,
        )
        for look, each in enumerate(curve.lines)
    ]
    points = [
        _points(state, found, len(lines) + number)
        for number, state in enumerate(STATES)
        if (found := [e for e in curve.places if e.state == state and e.latency_low is not None])
    ]
    return Lines(
        title="Intervals on the curve of latency",
        about="Nanoseconds of a load over the GB/s that cross the memory bus: a line for each mix"
        " of reads and writes, and a point for each interval.",
        x=Axis("GB/s across the memory bus", RATE, from_zero=True),
        y=Axis("ns of a load", NANOSECONDS, from_zero=True),
        series=[*lines, *points],
        legend_inside=True,
        wide=True,
    )


def _points(state: CurveState, places: Sequence[CurvePlace], look: int) -> Series:
    figures = []
    for each in places:
        low, high = each.latency_low or 0.0, each.latency_high or 0.0
        bounds = (None, None) if low == high else (low, high)
        figures.append(
            Estimate(value=(low + high) / 2, low=bounds[0], high=bounds[1], bounded_by="range")
        )
    rates = [each.gbps or 0.0 for each in places]
    return Series(
        STATES[state],
        rates,
        figures,
        [
            f"{STATES[state]}, {each.start:.3g} s: {format_gbps(gbps)},"
            f" {format_nanoseconds(figure.value)} ns"
            for each, gbps, figure in zip(places, rates, figures, strict=True)
        ],
        look=look,
        joined=False,
    )
