"""The page of a program: one screen of answers, and the figures behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.advice import command_line
from streamgage.analysis.conclusion import if_so, no_firmer, supports, texts, why_none
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.program.document import MachineRate, Program, ProgramPoint, StepPart
from streamgage.results.program.words import (
    answers,
    headline,
    mix_words,
    range_of_shares,
    share_range,
    verdict_of,
)
from streamgage.results.result import Result
from streamgage.results.rounds import bounds_of_rounds, failures, settings_of
from streamgage.results.scale.words import left_out
from streamgage.results.study.page import as_many_digits, format_seconds
from streamgage.show.page import (
    COUNT,
    DASH,
    RATE,
    SHARE,
    Axis,
    Cell,
    Column,
    Data,
    Datum,
    FirstScreen,
    Lines,
    Page,
    Point,
    Series,
    Table,
    Unit,
    bounded,
    figure,
    size,
)
from streamgage.units import count, format_figure, format_half_width, shortened

SECONDS = Unit("s", format_seconds, as_many_digits(format_seconds))
STEPS = Unit("1/s", format_figure, format_half_width)
_BAR = 40
"""The characters of the bar of the share."""
_MAY_GO = {"Not known": 3, "Would help": 2, "Bus": 2, "Threads": 1}
"""The answers that a full screen may drop: the greatest number first."""
_SHOWN = 6
"""Numbers of threads on the first screen; the fewest and the most are always among them."""


def page(result: Result[Program]) -> Page:
    """The page of a result of ``streamgage program``."""
    program, trust = result.document, result.trust
    said = headline(program)
    table = _table(program, program.points)
    return Page(
        title="Program",
        machine=program.machine,
        headline=said if supports(trust) else f"{program.called}: no conclusion",
        first=FirstScreen(
            subject=_subject(program),
            table=_table(program, _some(program.points)),
            before=[] if supports(trust) else [f"{why_none(trust)} {if_so(said)}."],
            points=[*_bar(program), *_points(result)],
            quote="",
            folds=False,
            more=command_line("show", "last", "--details", store=""),
        )
        if program.points
        else None,
        lines=[_subject(program)],
        tables=[table, *_more_tables(program)] if program.points else [],
        note=_note(program),
        remarks=[
            *left_out(program.left_out),
            *failures(
                program.rounds,
                program.runs,
                lambda each: (
                    f"{'the engine' if each.what == 'stream' else 'the program'} with"
                    f" {count(each.n, 'thread')}"
                ),
            ),
        ],
        settings=settings_of(
            _subject(program),
            program.runs,
            ("Placement", program.placement),
            ("Seed", str(program.seed)),
        ),
        picture=f"{program.called} and what this machine gives",
        caption=f"streamgage program: {count(program.rounds, 'round')}, runs in mixed order (seed"
        f" {program.seed}).",
        plots=[_plot(program)] if program.points else [],
        data=_data(program),
    )


def _subject(program: Program) -> str:
    command = shortened(" ".join(program.command), 50)
    parts = [command] if command else []
    parts.append(f"{count(program.rounds, 'round')}, placed {program.placement}")
    if program.machine is not None and program.machine.host:
        parts.append(program.machine.host)
    return " · ".join(parts)


def _points(result: Result[Program]) -> Iterator[Point]:
    """Yield the answers, none firmer than the result allows."""
    found = answers(result.document)
    hedged = texts(no_firmer([each.conclusion for each in found], result.trust))
    before = ""
    for each, text in zip(found, hedged[len(hedged) - len(found) :], strict=True):
        name = "" if each.name == before else each.name
        yield Point(name, text, may_go=_MAY_GO.get(each.name, 0))
        before = each.name


def _bar(program: Program) -> Iterator[Point]:
    """Yield the share as a bar, if the mix is known."""
    best = program.best
    if best is None or not best.shares or len(best.shares) > 1 or verdict_of(best) == "above":
        return
    low, high = share_range(best)
    full = round(_BAR * min(1.0, best.shares[0].share.value))
    bar = "█" * full + "▒" * (_BAR - full)
    yield Point("Share", f"{bar} {range_of_shares(low, high)}", may_go=4)


def _some(points: Sequence[ProgramPoint]) -> list[ProgramPoint]:
    """At most so many points, evenly chosen, the first and the last among them."""
    if len(points) <= _SHOWN:
        return list(points)
    places = {round(k * (len(points) - 1) / (_SHOWN - 1)) for k in range(_SHOWN)}
    return [points[place] for place in sorted(places)]


def _table(program: Program, points: Sequence[ProgramPoint]) -> Table[ProgramPoint]:
    columns = [Column[ProgramPoint]("threads", lambda each: Cell("", each.n, unit=COUNT))]
    if program.command:
        columns += [
            Column("time", lambda each: figure(each.seconds, SECONDS), about="seconds"),
            Column("CPUs busy", lambda each: figure(each.busy, COUNT_OF_CPUS, bounds=False)),
        ]
    if program.moved is not None:
        columns.append(Column("moves", lambda each: figure(each.gbps), about="GB/s"))
    columns.append(Column("machine gives", _machine_cell, about="GB/s"))
    if program.moved is not None:
        columns.append(Column("share", _share_cell))
    if program.step is not None:
        name = f"{program.step.name}s/s"
        if any(each.steps for each in points):
            columns.append(Column(name, lambda each: figure(each.steps, STEPS)))
        columns.append(Column(f"at most {name}", lambda each: figure(each.most_steps, STEPS)))
    return Table(columns, points, caption="By the number of threads")


COUNT_OF_CPUS = Unit("", lambda value: f"{value:.2f}", lambda half, _: f"{half:.2f}")


def _machine_cell(point: ProgramPoint) -> Cell:
    """What the machine gives: of the program's mix, or over all mixes that may be its own."""
    used = [(each.kernel, each.store) for each in point.shares]
    rates = [each.gbps for each in point.machine if (each.kernel, each.store) in used or not used]
    if point.most_steps is not None and rates:
        rates = [max(rates, key=lambda each: each.value)]
    if not rates:
        return Cell(DASH)
    if len(rates) == 1:
        return figure(rates[0])
    low, high = min(each.value for each in rates), max(each.value for each in rates)
    return Cell("", (low + high) / 2, low, high, RATE, ranged=True)


def _share_cell(point: ProgramPoint) -> Cell:
    if not point.shares:
        return Cell(DASH)
    if len(point.shares) == 1:
        return figure(point.shares[0].share, SHARE)
    low, high = share_range(point)
    return Cell("", (low + high) / 2, low, high, SHARE, ranged=True)


def _more_tables(program: Program) -> Iterator[Table[Any]]:
    rows = [(point, each) for point in program.points for each in point.machine]
    if rows:
        yield Table(
            [
                Column[tuple[ProgramPoint, MachineRate]](
                    "kernel", lambda row: Cell(f"{row[1].kernel} {row[1].store}"), left=True
                ),
                Column("mix", lambda row: Cell(_mix_of(program, row[1].kernel)), left=True),
                Column("threads", lambda row: Cell("", row[0].n, unit=COUNT)),
                Column("GB/s", lambda row: figure(row[1].gbps)),
                Column("share", lambda row: figure(_share_of(*row), SHARE)),
            ],
            rows,
            caption="What this machine gives",
        )
    if program.step is not None and program.step.parts:
        yield Table(
            [
                Column[StepPart]("part", lambda each: Cell(each.name), left=True),
                Column("bytes", lambda each: size(each.bytes)),
            ],
            program.step.parts,
            caption=f"What each {program.step.name} reads",
        )


def _mix_of(program: Program, kernel: str) -> str:
    return mix_words(next(each for each in program.mixes if each.kernel == kernel))


def _share_of(point: ProgramPoint, rate: MachineRate) -> Estimate | None:
    return next(
        (
            each.share
            for each in point.shares
            if (each.kernel, each.store) == (rate.kernel, rate.store)
        ),
        None,
    )


def _note(program: Program) -> str:
    figures = [each.gbps for point in program.points for each in point.machine]
    counting = (
        "bytes that cross the memory bus"
        if program.moved is not None and program.moved.known_by == "counters"
        else "bytes as the program counts them"
    )
    return f"GB/s of {counting}; median; ± or a to b: {bounds_of_rounds(program.rounds, figures)}."


def _plot(program: Program) -> Lines:
    """The plot of both rates over the number of threads."""
    series = []
    moving = [each for each in program.points if each.gbps is not None]
    if moving:
        series.append(
            Series(
                program.called,
                [float(each.n) for each in moving],
                [each.gbps for each in moving],
                look=0,
            )
        )
    variants = dict.fromkeys(
        (each.kernel, each.store) for point in program.points for each in point.machine
    )
    for look, key in enumerate(variants, 1):
        known = [
            (float(point.n), each.gbps)
            for point in program.points
            for each in point.machine
            if (each.kernel, each.store) == key
        ]
        series.append(
            Series(" ".join(key), [n for n, _ in known], [g for _, g in known], look=look)
        )
    return Lines(
        title="What the program moves, and what this machine gives",
        about="GB/s over the number of threads: the program, and the loops that ran next to it.",
        x=Axis("threads", scale="counts", ticks=[each.n for each in program.points]),
        y=Axis("GB/s", RATE, from_zero=True),
        series=series,
    )


_Row = tuple[ProgramPoint, MachineRate | None]


def _data(program: Program) -> Data[_Row]:
    return Data(
        columns=[
            Datum("threads", lambda row: row[0].n),
            *bounded("seconds", lambda row: row[0].seconds),
            *bounded("cpus_busy", lambda row: row[0].busy),
            *bounded("program_gbps", lambda row: row[0].gbps),
            *bounded("steps_per_second", lambda row: row[0].steps),
            *bounded("most_steps_per_second", lambda row: row[0].most_steps),
            Datum("kernel", lambda row: None if row[1] is None else row[1].kernel),
            Datum("store", lambda row: None if row[1] is None else row[1].store),
            *bounded("gbps", lambda row: None if row[1] is None else row[1].gbps),
            *bounded("share", lambda row: None if row[1] is None else _share_of(row[0], row[1])),
        ],
        rows=[
            (point, each)
            for point in program.points
            for each in (*point.machine, *([] if point.machine else [None]))
        ],
    )
