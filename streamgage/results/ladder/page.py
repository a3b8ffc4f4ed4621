"""The page of a ladder: the levels of each curve, and the curves with their plateaus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.analysis.conclusion import Conclusion, sound
from streamgage.cpu_list import name_cpus
from streamgage.results.cache_edges import Edge, rule, why_ends_differ
from streamgage.results.ladder import of_output
from streamgage.results.ladder.document import Ladder, LadderCurve, LadderPoint, Step
from streamgage.results.ladder.of_output import common_size, name_of
from streamgage.results.ladder.roofline import streams_of
from streamgage.results.ladder.roofline_plot import program_facts, roofline_plot
from streamgage.results.member import Member
from streamgage.results.members import table_of_members
from streamgage.results.reported import source_words
from streamgage.results.rounds import bounds_of_rounds, failures, settings_of
from streamgage.show.page import (
    RATE,
    SIZE,
    Axis,
    Block,
    Cell,
    Column,
    Columns,
    Data,
    Datum,
    Lines,
    Mark,
    Page,
    Plateau,
    Series,
    Table,
    Upright,
    bounded,
    figure,
    size,
)
from streamgage.units import count, format_bytes, format_gbps, format_rate, listed

_RATES = "GB/s of nominal bytes"


def page(ladder: Ladder) -> Page:
    """The page of a result of ``streamgage ladder``."""
    return Page(
        title=_title(ladder),
        machine=ladder.machine,
        lines=[_series(ladder)],
        tables=_tables(ladder),
        note=_note(ladder),
        facts=program_facts(ladder),
        facts_of="program",
        remarks=[
            *_left_out(ladder),
            *why_ends_differ("bandwidth", _edges(ladder)),
            *missing(ladder),
        ],
        shown_in_tables=ladder.reported is None,
        settings=settings_of(_series(ladder), ladder.runs),
        picture=_title(ladder),
        caption=_caption(ladder),
        plots=[*_plots(ladder), *roofline_plot(ladder)],
        data=_data(ladder),
        columns=_columns(ladder),
    )


def _title(ladder: Ladder) -> str:
    where = "" if ladder.device is None else f" of {ladder.device.id}"
    return f"Bandwidth over the {common_size(ladder).what}{where}"


def _bounds(ladder: Ladder) -> str:
    figures = [point.gbps for curve in ladder.curves for point in curve.points]
    return bounds_of_rounds(ladder.rounds, figures, single="samples")


def conclusions(ladder: Ladder) -> list[Conclusion]:
    """Write a sentence per curve: the bandwidth of each plateau."""
    if ladder.reported is not None:
        return list(of_output.conclusions(ladder))
    return [sound(_sentence(ladder, each)) for each in ladder.curves if each.steps]


def _sentence(ladder: Ladder, curve: LadderCurve) -> str:
    where = curve.mode if ladder.device is None else ladder.device.id
    parts = [f"{format_gbps(step.gbps.value)} from {step.level}" for step in curve.steps]
    return f"{curve.kernel} {curve.store}, {where}: {listed(parts)}."


def _left_out(ladder: Ladder) -> Iterator[str]:
    """Say why requested modes were not measured."""
    if ladder.left_out:
        modes = " and ".join(each.mode for each in ladder.left_out)
        same = ladder.left_out[0].same_as
        yield f"With one thread {modes} would be the same as {same}, so only {same} was measured."


def missing(ladder: Ladder) -> list[str]:
    """Say why points are missing."""
    return failures(
        ladder.rounds,
        ladder.runs,
        lambda each: f"{each.kernel}, {each.mode}, {format_bytes(each.bytes)}",
    )


def _series(ladder: Ladder) -> str:
    """Say what ran and at which clock, or which benchmark printed it."""
    if ladder.reported is not None:
        return " · ".join(source_words(ladder.reported))
    parts = []
    if ladder.device is not None:
        parts.append(ladder.device.title)
    if ladder.cpus is not None and ladder.threads is not None:
        parts.append(f"{count(ladder.threads, 'thread')} bound to {name_cpus(ladder.cpus)}")
    parts.append(f"{count(ladder.rounds, 'round')}, points in mixed order (seed {ladder.seed})")
    if clock := _clock(ladder):
        parts.append(f"core clock {clock}")
    return " · ".join(parts)


def _clock(ladder: Ladder) -> str:
    """The clock in words: ``3.08 GHz``, or ``3.40 to 4.80 GHz`` over the modes.

    Empty if it is unknown.
    """
    clocks = sorted({f"{each.core_hertz / 1e9:.2f}" for each in ladder.curves if each.core_hertz})
    return f"{' to '.join(dict.fromkeys((clocks[0], clocks[-1])))} GHz" if clocks else ""


def _note(ladder: Ladder) -> str:
    if ladder.reported is not None:
        return of_output.note(ladder)
    who = "threads" if ladder.device is None else "work-items"
    text = (
        f"GB/s of nominal bytes, all {who} together: the median of the points of a plateau, and"
        f" their extremes. {rule('bandwidth')};"
        " claimed: the size that the caches in use report."
    )
    if ladder.device is not None:
        own = [each.kernel for each in ladder.curves if each.own]
        if len(own) < len(ladder.curves):
            text += " All passes of a sample are one launch, so a launch takes a small part of it."
        if own:
            text += (
                f" Each pass of {listed(own)} is a launch, which takes a large part of the time of"
                " a small working set."
            )
    if _clock(ladder):
        text += (
            " bytes/cycle: for one core, by its clock just after the kernels (from a chain of"
            " additions)."
        )
    return text


def _mode(ladder: Ladder, curve: LadderCurve) -> str:
    """Describe the working sets of a curve."""
    if ladder.device is not None:
        return "all work-items share the working set"
    known = curve.threads is not None
    threads = count(curve.threads or 0, "thread") if known else "an unknown number of threads"
    return {
        "sequential": "1 thread",
        "worksharing": f"{threads} that share the working set",
        "throughput": f"{threads}, each with a working set of its own",
    }[curve.mode]


def _tables(ladder: Ladder) -> list[Table[Any]]:
    """The levels of each curve; for another benchmark, which lacks levels, the working sets."""
    if ladder.reported is None:
        return [_table(ladder, each) for each in ladder.curves]
    size_column = Column[Member]("array", lambda each: size(each.array_bytes or 0))
    members = table_of_members(ladder.members, size_column)
    return [of_output.table(ladder), *([] if members is None else [members])]


def _table(ladder: Ladder, curve: LadderCurve) -> Table[Step]:
    about = _mode(ladder, curve)
    if ladder.device is None:
        about += f" ({curve.mode})"
    return Table(
        title=name_of(curve),
        about=about,
        caption=f"{name_of(curve)}, {about}",
        columns=[
            Column("level", lambda each: Cell(each.level, each.low_bytes), left=True),
            Column("GB/s", lambda each: figure(each.gbps, bounds=False)),
            Column("range", _range, may_go=3),
            *([Column("bytes/cycle", _per_cycle)] if ladder.device is None else []),
            Column("working sets", _working_sets, left=True, may_go=2),
            Column("end by bandwidth", lambda each: size(each.effective_bytes)),
            Column("claimed", lambda each: size(each.claimed_bytes), may_go=1),
        ],
        rows=curve.steps,
        empty="Too few points to find levels.",
    )


def _edges(ladder: Ladder) -> list[Edge]:
    """The ends of the first kernel's levels, by mode."""
    return [
        Edge(step.level, step.effective_bytes, step.claimed_bytes, curve.mode)
        for curve in ladder.curves
        if name_of(curve) == name_of(ladder.curves[0])
        for step in curve.steps
        if step.effective_bytes is not None
    ]


def _range(step: Step) -> Cell:
    low, high = step.gbps.low or step.gbps.value, step.gbps.high or step.gbps.value
    return Cell(f"{format_rate(low)} to {format_rate(high)}", low)


def _per_cycle(step: Step) -> Cell:
    known = step.bytes_per_cycle
    return Cell("-") if known is None else Cell(f"{known:.1f}", known)


def _working_sets(step: Step) -> Cell:
    text = f"{format_bytes(step.low_bytes)} – {format_bytes(step.high_bytes)}"
    return Cell(text, step.low_bytes)


_Point = tuple[LadderCurve, LadderPoint]


def _data(ladder: Ladder) -> Data[_Point]:
    return Data(
        columns=[
            Datum("mode", lambda each: each[0].mode),
            Datum("kernel", lambda each: each[0].kernel),
            Datum("store", lambda each: each[0].store),
            Datum("threads", lambda each: each[0].threads),
            Datum("bytes", lambda each: each[1].bytes),
            *of_output.data(ladder),
            Datum("level", lambda each: _level(*each)),
            *bounded("gbps", lambda each: each[1].gbps),
            Datum("bytes_per_cycle", lambda each: _bytes_per_cycle(*each)),
            Datum("rounds", lambda each: each[1].rounds),
            Datum("samples", lambda each: each[1].samples),
        ],
        rows=[(curve, point) for curve in ladder.curves for point in curve.points],
    )


def _level(curve: LadderCurve, point: LadderPoint) -> str | None:
    """The level on whose plateau a working set lies; ``None`` on a slope."""
    return next(
        (each.level for each in curve.steps if each.low_bytes <= point.bytes <= each.high_bytes),
        None,
    )


def _bytes_per_cycle(curve: LadderCurve, point: LadderPoint) -> float | None:
    hertz = curve.core_hertz
    return point.gbps.value * 1e9 / hertz / curve.threads if hertz and curve.threads else None


def _columns(ladder: Ladder) -> Columns:
    return Columns(
        about=["streamgage ladder: GB/s of nominal bytes (10^9 bytes a second), medians"],
        notes=[_series(ladder), f"low, high: {_bounds(ladder)}"],
        blocks=[
            Block(
                f"{name_of(curve)}, {curve.mode}: {_mode(ladder, curve)}",
                ("bytes", "GB/s", "low", "high"),
                [
                    (each.bytes, each.gbps.value, each.gbps.low, each.gbps.high)
                    for each in curve.points
                ],
            )
            for curve in ladder.curves
        ],
    )


def _caption(ladder: Ladder) -> str:
    if ladder.reported is not None:
        return f"{source_words(ladder.reported)[0]}. GB/s of nominal bytes."
    clock = f" Core clock {_clock(ladder)}." if _clock(ladder) else ""
    return (
        f"streamgage ladder ({count(ladder.rounds, 'round')}, seed {ladder.seed}). GB/s of nominal"
        f" bytes, medians; bars {_bounds(ladder)}. Dashed: the reported"
        f" sizes of the caches in use. Grey bars: plateaus.{clock}"
    )


def _plots(ladder: Ladder) -> Iterator[Lines]:
    """Yield a plot per mode, with a line for each kernel and its stores.

    Kernels that compute are left out.
    """
    streams = streams_of(ladder)
    kinds = list(dict.fromkeys(name_of(each) for each in streams))
    for mode in dict.fromkeys(each.mode for each in streams):
        curves = [each for each in streams if each.mode == mode and each.points]
        if curves:
            yield _plot(ladder, curves, kinds)


def _plot(ladder: Ladder, curves: Sequence[LadderCurve], kinds: Sequence[str]) -> Lines:
    first, common = curves[0], common_size(ladder)
    named = f"{kinds[0]}: " if len(kinds) == 1 else ""
    own = " of each thread" if first.mode == "throughput" else ""
    return Lines(
        title=f"Bandwidth over the {common.what}: {_mode(ladder, first)}",
        panel=f"{named}{_mode(ladder, first)}",
        about=_about(ladder),
        x=Axis(f"{common.what}{own}", SIZE, "bytes"),
        y=Axis(_RATES, RATE, "log"),
        series=[
            Series(
                name=name_of(curve),
                xs=[common.of(each) for each in curve.points],
                figures=[each.gbps for each in curve.points],
                texts=[
                    f"{name_of(curve)}, {format_bytes(common.of(each))}:"
                    f" {format_gbps(each.gbps.value)}"
                    for each in curve.points
                ],
                look=kinds.index(name_of(curve)),
            )
            for curve in curves
        ],
        marks=[
            *_plateaus(curves, kinds),
            *_claims(ladder, first),
            *of_output.marks(ladder, common),
        ],
        legend=len(kinds) > 1,
        wide=True,
        tall=True,
    )


def _about(ladder: Ladder) -> str:
    if ladder.reported is not None:
        return of_output.about(ladder)
    return (
        "Bandwidth over the size of the working set, both logarithmic, with intervals. Broad bars:"
        " the plateaus of the levels. Dashed lines: the reported sizes of the caches in use."
    )


def _plateaus(curves: Sequence[LadderCurve], kinds: Sequence[str]) -> Iterator[Mark]:
    for curve in curves:
        for step in curve.steps:
            yield Plateau(
                f"{step.level} {format_rate(step.gbps.value)}",
                (step.low_bytes, step.high_bytes),
                step.gbps.value,
                kinds.index(name_of(curve)),
            )


def _claims(ladder: Ladder, curve: LadderCurve) -> Iterator[Mark]:
    for level in ladder.levels:
        if level.mode == curve.mode:
            claimed = format_bytes(level.bytes)
            yield Upright(
                level.bytes,
                f"{level.name} {claimed}",
                f"{level.name} claims {claimed}",
                at_foot=True,
            )
