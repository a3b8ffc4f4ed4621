"""The page of a latency: the levels, the loads of each mix, and the curves of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.cpu_list import name_cpus
from streamgage.records import DeviceClock
from streamgage.results.cache_edges import Edge, rule, why_ends_differ
from streamgage.results.latency.document import (
    MIX_NAMES,
    ONSET,
    IdlePoint,
    IdleStep,
    Latency,
    LoadCurve,
    LoadedPoint,
)
from streamgage.results.latency.words import left_out
from streamgage.results.reported import source_words
from streamgage.results.rounds import bounds_of_rounds, settings_of
from streamgage.show.page import (
    DASH,
    NANOSECONDS,
    SIZE,
    Axis,
    Block,
    Cell,
    Column,
    Columns,
    Cross,
    Data,
    Datum,
    Limit,
    Lines,
    Mark,
    Page,
    Plateau,
    Plot,
    Ring,
    Series,
    Table,
    Unit,
    Upright,
    bounded,
    figure,
    size,
)
from streamgage.units import (
    count,
    format_bytes,
    format_gbps,
    format_half_rate,
    format_nanoseconds,
    format_rate,
    format_share,
)

_LOAD = Unit("GB/s", format_rate, format_half_rate)
_NS = "ns per load"


def page(latency: Latency) -> Page:
    """The page of a result of ``streamgage latency``."""
    return Page(
        title="Latency" if latency.device is None else f"Latency of {latency.device.id}",
        machine=latency.machine,
        lines=[_series(latency)],
        tables=list(_tables(latency)),
        nothing="Too few points to find levels." if latency.idle else "No point was measured.",
        note=_note(latency),
        remarks=[*left_out(latency), *why_ends_differ("latency", _edges(latency))],
        settings=settings_of(_series(latency), ()),
        picture="Latency: a load that depends on the one before",
        caption=_caption(latency),
        plots=list(_plots(latency)),
        data=_data(latency),
        columns=_columns(latency),
    )


def _bounds(latency: Latency) -> str:
    idle = [point.seconds for point in latency.idle]
    loaded = [point.seconds for curve in latency.loaded for point in curve.points]
    return bounds_of_rounds(latency.rounds, [*idle, *loaded], single="walks")


def _series(latency: Latency) -> str:
    """Say what ran where, or which benchmark printed it."""
    if latency.reported is not None:
        return " · ".join(source_words(latency.reported))
    parts = []
    if latency.device is not None:
        parts.append(f"walked by one work-item of {latency.device.title}")
    if latency.cpu is not None:
        parts.append(f"measured on CPU {latency.cpu}")
    if latency.cpus is not None:
        parts.append(f"loaded from {name_cpus(latency.cpus)}")
    rounds = count(latency.rounds, "round")
    parts.append(f"{rounds} in mixed order (seed {latency.seed})")
    return " · ".join(parts)


def _note(latency: Latency) -> str:
    if latency.reported is not None:
        delay = (
            " delay: how long each access waits, in the unit of the tool." if latency.loaded else ""
        )
        return f"Single figures, as {latency.reported.tool} printed them.{delay}"
    pages = "" if latency.device is not None else ", on huge pages where available"
    text = (
        "A load that depends on the one before, through every line in random order"
        f"{pages}; median; ± or a to b: {_bounds(latency)}."
    )
    if latency.device_clock is not None:
        text += f" {_clock(latency.device_clock)}"
    if latency.steps:
        text += f" {rule('latency')}."
    if latency.loaded:
        text += (
            " load: the requested share of the highest rate of the loading threads; GB/s: the"
            " bytes that they read and wrote, all of which crossed the memory bus."
        )
    points = [point for each in latency.loaded for point in each.points]
    still = sum(each.windows_left_out for each in points)
    if still:
        text += (
            f" {still} of {sum(each.windows for each in points)} windows are left out: in them"
            " threads stood still, because something else used their CPUs."
        )
    return text


def _clock(clock: DeviceClock) -> str:
    if clock.timed_by == "events":
        return "Walks are timed by the device's own time stamps."
    launch = f"{clock.launch_seconds * 1e6:.3g} us"
    return (
        "Walks are timed by the host's clock, as the device gives no time stamps that agree with"
        f" it: each has a launch of {launch} in it."
    )


def _tables(latency: Latency) -> Iterator[Table[Any]]:
    """Yield the table of levels, or of working sets if there are none; then the table of loads."""
    if latency.steps:
        yield _levels(latency)
    elif latency.idle and (latency.reported is not None or latency.device is not None):
        yield _sizes(latency.idle)
    if latency.loaded:
        yield _loads(latency.loaded)


def _levels(latency: Latency) -> Table[IdleStep]:
    return Table(
        title="idle latency",
        about="ns per load, nothing else running",
        columns=[
            Column("level", lambda each: Cell(each.level, each.low_bytes), left=True),
            Column("ns", lambda each: figure(each.seconds, NANOSECONDS, bounds=False)),
            Column("range", _range, may_go=3),
            Column("working sets", _working_sets, left=True, may_go=2),
            Column("end by latency", lambda each: size(each.effective_bytes)),
            Column("claimed", lambda each: size(each.claimed_bytes), may_go=1),
        ],
        rows=latency.steps,
        gap=3,
    )


def _sizes(points: Sequence[IdlePoint]) -> Table[IdlePoint]:
    return Table(
        title="idle latency",
        about="ns per load, nothing else running",
        columns=[
            Column("working set", lambda each: size(each.bytes)),
            Column("ns", lambda each: figure(each.seconds, NANOSECONDS)),
        ],
        rows=points,
        gap=3,
    )


def _edges(latency: Latency) -> list[Edge]:
    return [
        Edge(each.level, each.effective_bytes, each.claimed_bytes)
        for each in latency.steps
        if each.effective_bytes is not None
    ]


def _range(step: IdleStep) -> Cell:
    low = step.seconds.value if step.seconds.low is None else step.seconds.low
    high = step.seconds.value if step.seconds.high is None else step.seconds.high
    return Cell(f"{format_nanoseconds(low)} to {format_nanoseconds(high)}", low)


def _working_sets(step: IdleStep) -> Cell:
    text = f"{format_bytes(step.low_bytes)} – {format_bytes(step.high_bytes)}"
    return Cell(text, step.low_bytes)


def _loads(curves: Sequence[LoadCurve]) -> Table[float]:
    """The table of loads, with one row per load and a group of columns per mix."""
    threads = max((each.generators or 0 for each in curves), default=0)
    load = "loads" if threads == 1 else "load"
    points = [point for each in curves for point in each.points]
    shares = [point.share for point in points if point.share is not None]
    return Table(
        title="under load",
        about=f"{count(threads, 'thread')} {load} the memory" if threads else "",
        columns=[
            Column("load", _share) if shares else Column("delay", _delay),
            *(column for each in curves for column in _columns_of(each)),
        ],
        rows=sorted(set(shares)) or sorted(set(map(_load, points)), reverse=True),
        split="groups",
    )


def _delay(delay: float) -> Cell:
    return Cell(f"{delay:.0f}", delay)


def _load(point: LoadedPoint) -> float:
    """The requested load: a share or a delay."""
    return float(point.delay or 0) if point.share is None else point.share


def _columns_of(curve: LoadCurve) -> Iterator[Column[float]]:
    """Yield the columns of a mix: the bandwidth that was reached, and the latency at it."""
    points = {_load(each): each for each in curve.points}
    name = MIX_NAMES[curve.mix]

    def rate(share: float) -> Cell:
        point = points.get(share)
        if point is None or point.share == 0:
            return Cell(DASH, 0.0)
        return Cell("", point.gbps.value, unit=_LOAD, wrong=point.off_target is not None)

    def latency(share: float) -> Cell:
        point = points.get(share)
        return figure(point.seconds if point else None, NANOSECONDS)

    yield Column("GB/s", rate, group=name)
    yield Column("ns", latency, group=name)


def _share(share: float) -> Cell:
    return Cell(format_share(share) if share else "none", share)


@dataclass(frozen=True)
class _Figure:
    """One latency of the data: for a working set, or for a window of a load."""

    seconds: Estimate
    rounds: int
    bytes: int | None = None
    curve: LoadCurve | None = None
    point: LoadedPoint | None = None


def _data(latency: Latency) -> Data[_Figure]:
    idle = [_Figure(each.seconds, each.rounds, bytes=each.bytes) for each in latency.idle]
    loaded = [
        _Figure(each.seconds, each.rounds, curve=curve, point=each)
        for curve in latency.loaded
        for each in curve.points
    ]
    return Data(
        columns=[
            Datum("figure", lambda each: "loaded" if each.curve else "idle"),
            Datum("bytes", lambda each: each.bytes),
            Datum("mix", lambda each: each.curve.mix if each.curve else None),
            Datum("share", lambda each: each.point.share if each.point else None),
            Datum("target_gbps", lambda each: each.point.target_gbps if each.point else None),
            Datum("generators", lambda each: each.curve.generators if each.curve else None),
            *bounded("gbps", lambda each: each.point.gbps if each.point else None),
            *bounded("ns", lambda each: each.seconds, NANOSECONDS.factor),
            Datum("rounds", lambda each: each.rounds),
        ],
        rows=[*idle, *loaded],
    )


def _columns(latency: Latency) -> Columns:
    return Columns(
        about=["streamgage latency: ns of a load that depends on the one before"],
        notes=[_series(latency), f"low, high: {_bounds(latency)}"],
        blocks=[
            Block(
                "idle",
                ("bytes", "ns", "low", "high"),
                [(each.bytes, *_nanoseconds(each.seconds)) for each in latency.idle],
            ),
            *(_block(each) for each in latency.loaded),
        ],
    )


def _block(curve: LoadCurve) -> Block:
    rows = []
    for each in curve.points:
        ns, low, high = _nanoseconds(each.seconds)
        bounds = (each.gbps.low, each.gbps.high, low, high)
        rows.append((each.gbps.value, ns, *bounds, each.share, each.target_gbps))
    return Block(
        MIX_NAMES[curve.mix]
        + ("" if curve.generators is None else f", {curve.generators} loading"),
        ("GB/s", "ns", "GB/s_low", "GB/s_high", "ns_low", "ns_high", "share", "target"),
        rows,
    )


def _nanoseconds(seconds: Estimate) -> tuple[float | None, float | None, float | None]:
    low, high = (
        None if each is None else NANOSECONDS.factor * each for each in (seconds.low, seconds.high)
    )
    return NANOSECONDS.factor * seconds.value, low, high


def _caption(latency: Latency) -> str:
    if latency.reported is not None:
        return f"{source_words(latency.reported)[0]}. Dotted: twice the unloaded latency."
    walked = "" if latency.cpu is None else f" Measured on CPU {latency.cpu}"
    if latency.device is not None:
        walked = f" Walked by one work-item of {latency.device.title}"
    loaded = "" if latency.cpus is None else f", loaded from {name_cpus(latency.cpus)}"
    return (
        f"streamgage latency ({count(latency.rounds, 'round')}, seed {latency.seed}). Medians; bars"
        f" {_bounds(latency)}. Dashed: the reported sizes of the caches; dotted:"
        f" twice the unloaded latency.{_crosses(latency)}{walked}{loaded}."
    )


def _crosses(latency: Latency) -> str:
    return " Crosses: another bandwidth than requested." if list(_misses(latency)) else ""


def _plots(latency: Latency) -> Iterator[Plot]:
    """Yield the plot of idle latency, and that of latency under load."""
    if latency.idle:
        yield _idle(latency)
    if latency.loaded:
        yield _loaded(latency)


def _idle(latency: Latency) -> Lines:
    points = latency.idle
    rows: Table[IdlePoint] = Table(
        title="Idle latency",
        columns=[
            Column("working set", lambda each: size(each.bytes)),
            Column(_NS, lambda each: figure(each.seconds, NANOSECONDS)),
        ],
        rows=points,
    )
    texts = [f"{format_bytes(e.bytes)}: {format_nanoseconds(e.seconds.value)} ns" for e in points]
    return Lines(
        title="Idle latency over the working set",
        panel="idle",
        about="Nanoseconds of a load that depends on the one before, over the size of the working"
        " set, both logarithmic. Broad bars: the levels. Dashed lines: the reported sizes of"
        " the caches.",
        x=Axis("working set", SIZE, "bytes"),
        y=Axis(_NS, NANOSECONDS, "log"),
        series=[Series("idle", [e.bytes for e in points], [e.seconds for e in points], texts)],
        marks=[mark for each in latency.steps for mark in _marks_of_level(each)],
        table=rows,
        legend=False,
        wide=True,
    )


def _marks_of_level(step: IdleStep) -> Iterator[Mark]:
    """Yield the marks of a level: its plateau, and the reported size of its cache."""
    text = f"{step.level} {format_nanoseconds(step.seconds.value)} ns"
    yield Plateau(text, (step.low_bytes, step.high_bytes), step.seconds.value)
    if step.claimed_bytes is not None:
        claimed = format_bytes(step.claimed_bytes)
        yield Upright(
            step.claimed_bytes, f"{step.level} {claimed}", f"{step.level} claims {claimed}"
        )


def _loaded(latency: Latency) -> Lines:
    rows: Table[tuple[LoadCurve, LoadedPoint]] = Table(
        title="Latency under load",
        columns=[
            Column("mix", lambda each: Cell(MIX_NAMES[each[0].mix]), left=True),
            Column("load", lambda each: Cell(_share_or_delay(each[1]), _load(each[1]))),
            Column("requested GB/s", lambda each: _target(each[1])),
            Column("GB/s", lambda each: figure(each[1].gbps, _LOAD)),
            Column(_NS, lambda each: figure(each[1].seconds, NANOSECONDS)),
        ],
        rows=[(curve, each) for curve in latency.loaded for each in curve.points],
    )
    return Lines(
        title="Latency under load",
        panel="under load",
        about="Nanoseconds per load over the bandwidth that other threads take at the same time, a"
        " curve for each mix of reads and writes.",
        x=Axis("GB/s across the memory bus, by the loading threads", _LOAD, from_zero=True),
        y=Axis(_NS, NANOSECONDS, from_zero=True),
        series=[_line(curve, number) for number, curve in enumerate(latency.loaded)],
        marks=[*_onsets(latency), *_misses(latency)],
        crosses="another bandwidth than requested",
        table=rows,
        legend_inside=True,
        wide=True,
    )


def _line(curve: LoadCurve, number: int) -> Series:
    name = MIX_NAMES[curve.mix]
    return Series(
        name=name,
        xs=[each.gbps.value for each in curve.points],
        figures=[each.seconds for each in curve.points],
        texts=[
            f"{name}, {_load_in_words(each)}: {format_gbps(each.gbps.value)},"
            f" {format_nanoseconds(each.seconds.value)} ns"
            for each in curve.points
        ],
        look=number,
    )


def _load_in_words(point: LoadedPoint) -> str:
    of = "" if point.share is None else " of the load"
    return f"{_share_or_delay(point)}{of}"


def _share_or_delay(point: LoadedPoint) -> str:
    return f"delay {point.delay}" if point.share is None else format_share(point.share)


def _target(point: LoadedPoint) -> Cell:
    if point.target_gbps is None:
        return Cell(DASH)
    return Cell("", point.target_gbps, unit=_LOAD, wrong=point.off_target is not None)


def _misses(latency: Latency) -> Iterator[Mark]:
    """Yield a mark for each point that missed the requested bandwidth."""
    for number, curve in enumerate(latency.loaded):
        for point in curve.points:
            if point.off_target is not None:
                yield Cross(point.gbps.value, point.seconds.value, number)


def _onsets(latency: Latency) -> Iterator[Mark]:
    """Yield the marks where latency is twice the unloaded one."""
    for number, curve in enumerate(latency.loaded):
        onset = None if curve.onset is None else curve.onset.at
        if curve.unloaded_seconds is not None and onset is not None:
            yield Ring(onset.value, ONSET * curve.unloaded_seconds, number)
    unloaded = sorted(e.unloaded_seconds for e in latency.loaded if e.unloaded_seconds)
    if unloaded:
        yield Limit(ONSET * unloaded[len(unloaded) // 2])
