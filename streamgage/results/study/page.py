"""The page of a study: STREAM and the phases of the program, with speedups and efficiencies."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, isclose, log10
from typing import Any

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.cpu_list import name_cpus
from streamgage.results.rounds import bounds_of_rounds, failures, settings_of
from streamgage.results.scale.document import workers_of
from streamgage.results.scale.page import place_of
from streamgage.results.study.document import Phase, PhasePoint, Study, StudyRun
from streamgage.results.study.words import left_out
from streamgage.show.page import (
    DASH,
    RATE,
    RATIO,
    SHARE,
    Axis,
    Block,
    Cell,
    Code,
    Column,
    Columns,
    Data,
    Datum,
    Guide,
    Lines,
    Listing,
    Page,
    Series,
    Table,
    Unit,
    bounded,
    figure,
)
from streamgage.units import (
    LEAST_GBPS,
    count,
    format_bytes,
    format_half_width,
    format_rate,
    shortened,
)

_GAP = 3
_MOST_PHASES = 6
"""The most phases in a plot; with STREAM, seven lines can be distinguished."""
_LONGEST_COMMAND = 90


def page(study: Study) -> Page:
    """The page of a program's scaling."""
    solver = _solver(study)
    programs = [Code(each) for each in commands(study)]
    more: list[tuple[str, str]] = [("Command", each) for each in programs]
    if solver is not None:
        more.append(("Solver", solver))
    return Page(
        title="A program next to STREAM",
        machine=study.machine,
        lines=[*([] if solver is None else [solver]), *programs, _series(study)],
        tables=list(_tables(study)),
        note=(
            f"Medians; ± or a to b: {_bounds(study)}. GB/s of nominal bytes."
            " Speedups are over one worker, paired round by round; eff.: speedup over n."
        ),
        lists=[_places(study)],
        remarks=[*left_out(study), *missing(study)],
        settings=settings_of(_series(study), study.runs, *more),
        picture=(
            f"{'A program' if study.solver is None else f'PETSc {study.solver.petsc}'}"
            " next to STREAM"
        ),
        caption=_caption(study),
        plots=_plots(study),
        across=2,
        data=_data(study),
        columns=_columns(study),
    )


def _places(study: Study) -> Listing:
    """The list of where the workers of STREAM and of the program ran, point by point."""
    pairs = [(f"STREAM, n = {each.n}", place_of(each)) for each in study.placed]
    for each in study.program_places:
        shared = f"; cores were shared in {each.crowded}" if each.crowded else ""
        pairs.append(
            (
                f"{each.case or 'program'}, n = {each.n}",
                f"{name_cpus(each.cpus)} most often in {count(each.looks, 'observation')}{shared}",
            )
        )
    return Listing(
        pairs=pairs,
        heading="Where STREAM's workers ran, in their order, and the program's running threads",
        details=True,
    )


def _bounds(study: Study) -> str:
    program = [point.seconds for phase in study.phases for point in phase.points]
    return bounds_of_rounds(study.rounds, [*(point.gbps for point in study.stream), *program])


def missing(study: Study) -> list[str]:
    """Say why runs failed."""
    return failures(
        study.rounds,
        study.runs,
        lambda each: f"{_program_of(each)} with {workers_of(each.n, study.workers)}",
    )


def _program_of(run: StudyRun) -> str:
    name = "STREAM" if run.what == "stream" else run.case or "program"
    return name[:1].upper() + name[1:]


def commands(study: Study) -> Iterator[str]:
    """Yield the command of each program, with its name if there are several.

    Later ones only show their new words.
    """
    first = study.cases[0].command
    for case in study.cases:
        if not case.command:
            continue
        if case.name is None:
            yield shlex.join(case.command)
        elif case is study.cases[0]:
            yield f"{case.name}: {shlex.join(case.command)}"
        else:
            yield f"{case.name}, with: {shlex.join(_new_words(case.command, first))}"


def _new_words(command: list[str], first: list[str]) -> list[str]:
    """The words of ``command`` without those that it has in common with ``first`` at either end."""
    most = min(len(command), len(first))
    start = next((i for i in range(most) if command[i] != first[i]), most)
    most -= start
    end = next((i for i in range(most) if command[-1 - i] != first[-1 - i]), most)
    return command[start : len(command) - end]


def _solver(study: Study) -> str | None:
    """Describe PETSc and the size of the system; ``None`` if the program is not PETSc's."""
    solver = study.solver
    if solver is None:
        return None
    line = f"PETSc {solver.petsc}{' (debugging on)' if solver.debug else ''}"
    if solver.mpi is not None:
        line += f", {solver.mpi}"
    if solver.unknowns is not None and solver.matrix_bytes is not None:
        line += f", {solver.unknowns:,} unknowns, matrix {format_bytes(solver.matrix_bytes)}"
    return line


def _series(study: Study) -> str:
    """Say what ran, and with which placement."""
    what = study.workers if study.launcher is None else f"ranks by {study.launcher}"
    if study.threads_per_worker > 1:
        what += f" of {study.threads_per_worker} threads"
    rounds = count(study.rounds, "round")
    if study.seed is not None:
        rounds += f", STREAM and the program in mixed order (seed {study.seed})"
    return " · ".join([what, study.placement, rounds])


def format_seconds(seconds: float) -> str:
    """The seconds with three digits."""
    decimals = 2 - floor(log10(seconds)) if seconds > 0 else 0
    return f"{seconds:.{max(0, decimals)}f}"


def as_many_digits(write: Callable[[float], str]) -> Callable[[float, float], str]:
    """Make a function that writes half of an interval with as many decimals as the figure."""
    return lambda half, value: f"{half:.{len(write(value).partition('.')[2])}f}"


def _half_gbps(half: float, gbps: float) -> str:
    """Half of an interval of a rate; below 1 GB/s it is in MB/s."""
    if 0 < gbps < LEAST_GBPS:
        return format_half_width(half, gbps)
    return as_many_digits(format_rate)(half, gbps)


_GBPS = Unit("GB/s", format_rate, _half_gbps)
_SECONDS = Unit("s", format_seconds, as_many_digits(format_seconds))
_PERCENT = Unit(
    "", lambda part: f"{100 * part:.1f}", lambda half, _: f"{100 * half:.1f}", suffix=" %"
)


def _tables(study: Study) -> Iterator[Table[Any]]:
    """Yield the table of STREAM, then each phase with STREAM's efficiency next to its own."""
    if study.stream:
        yield Table(
            title=f"STREAM, {study.kernel} {study.store}",
            columns=[
                Column("n", lambda each: Cell(str(each.n), each.n)),
                Column("GB/s", lambda each: figure(each.gbps, _GBPS)),
                Column("speedup", lambda each: figure(each.speedup, RATIO), may_go=1),
                Column("eff.", lambda each: figure(each.efficiency, SHARE, bounds=False)),
            ],
            rows=study.stream,
            gap=_GAP,
        )
    for phase in study.phases:
        yield _phase(study, phase)
    if study.distribution:
        yield Table(
            title="Handing the system to the server's ranks",
            columns=[
                Column("n", lambda each: Cell(str(each.n), each.n)),
                Column("seconds", lambda each: figure(each.seconds, _SECONDS)),
                Column("share", lambda each: figure(each.share, _PERCENT)),
                Column("by", lambda each: Cell(each.case)),
            ],
            rows=study.distribution,
            gap=_GAP,
        )


def _phase(study: Study, phase: Phase) -> Table[PhasePoint]:
    stream = {each.n: each.efficiency for each in study.stream}
    columns: list[Column[PhasePoint]] = [
        Column("n", lambda each: Cell(str(each.n), each.n)),
        Column("seconds", lambda each: figure(each.seconds, _SECONDS)),
        Column("speedup", lambda each: figure(each.speedup, RATIO), may_go=1),
        Column("eff.", lambda each: figure(each.efficiency, SHARE, bounds=False)),
        Column("STREAM's", lambda each: figure(stream.get(each.n), SHARE, bounds=False)),
    ]
    if any(each.over_first is not None for each in phase.points):
        first = f"/ {study.cases[0].name}"
        columns.append(Column(first, lambda each: figure(each.over_first, RATIO)))
    if any((each.count or 1) > 1 for each in phase.points):
        columns.append(Column("count", _count, may_go=2))
    if any(_differs(each.efficiency, each.each_efficiency) for each in phase.points):
        columns.append(
            Column(
                "eff. of one",
                lambda each: figure(each.each_efficiency, SHARE, bounds=False),
                may_go=3,
            )
        )
    return Table(title=_name(phase), columns=columns, rows=phase.points, gap=_GAP)


def _count(point: PhasePoint) -> Cell:
    return Cell(DASH) if point.count is None else Cell(f"{point.count:g}", point.count)


def _differs(one: Estimate | None, other: Estimate | None) -> bool:
    """Return whether a single call scales differently, because the number of calls changes."""
    return other is not None and (one is None or not isclose(one.value, other.value))


def _name(phase: Phase) -> str:
    """The phase's name, with its case if there are several."""
    return phase.name if phase.case is None else f"{phase.name}, {phase.case}"


@dataclass(frozen=True)
class _Figures:
    """The figures of STREAM, of a phase, or of a handover, with ``n`` workers."""

    case: str
    phase: str
    n: int
    gbps: Estimate | None = None
    seconds: Estimate | None = None
    count: float | None = None
    speedup: Estimate | None = None
    efficiency: Estimate | None = None
    each_efficiency: Estimate | None = None
    over_first: Estimate | None = None
    share: Estimate | None = None


def _data(study: Study) -> Data[_Figures]:
    return Data(
        columns=[
            Datum("case", lambda each: each.case),
            Datum("phase", lambda each: each.phase),
            Datum("n", lambda each: each.n),
            *bounded("gbps", lambda each: each.gbps),
            *bounded("seconds", lambda each: each.seconds),
            Datum("count", lambda each: each.count),
            *bounded("speedup", lambda each: each.speedup),
            *bounded("efficiency", lambda each: each.efficiency),
            *bounded("each_efficiency", lambda each: each.each_efficiency),
            *bounded("over_first", lambda each: each.over_first),
            *bounded("share", lambda each: each.share),
        ],
        rows=list(_figures(study)),
    )


def _figures(study: Study) -> Iterator[_Figures]:
    for each in study.stream:
        yield _Figures(
            "", "STREAM", each.n, each.gbps, speedup=each.speedup, efficiency=each.efficiency
        )
    for phase in study.phases:
        for point in phase.points:
            yield _Figures(
                phase.case or "",
                phase.name,
                point.n,
                seconds=point.seconds,
                count=point.count,
                speedup=point.speedup,
                efficiency=point.efficiency,
                each_efficiency=point.each_efficiency,
                over_first=point.over_first,
            )
    for handed in study.distribution:
        yield _Figures(
            handed.case, "ServerDist", handed.n, seconds=handed.seconds, share=handed.share
        )


def _columns(study: Study) -> Columns:
    solver = _solver(study)
    about = [f"streamgage program: {command}" for command in commands(study)]
    return Columns(
        about=[*about, *([] if solver is None else [solver])],
        notes=[_series(study), f"low, high: {_bounds(study)}"],
        blocks=[
            Block(
                f"STREAM, {study.kernel} {study.store}",
                ("nt", "GB/s", "low", "high", "speedup", "efficiency"),
                [
                    (each.n, *_three(each.gbps), _value(each.speedup), _value(each.efficiency))
                    for each in study.stream
                ],
                width=8,
            ),
            *(
                Block(
                    _name(phase),
                    ("nt", "seconds", "low", "high", "speedup", "efficiency", "of_one"),
                    [
                        (
                            each.n,
                            *_three(each.seconds),
                            _value(each.speedup),
                            _value(each.efficiency),
                            _value(each.each_efficiency),
                        )
                        for each in phase.points
                    ],
                    width=8,
                )
                for phase in study.phases
            ),
        ],
    )


def _three(estimate: Estimate) -> tuple[float | None, ...]:
    return (estimate.value, estimate.low, estimate.high)


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value


def _caption(study: Study) -> str:
    about = f"Medians; bars {_bounds(study)}. Dashed: ideal."
    rounds = count(study.rounds, "round")
    command = shlex.join(study.cases[0].command)
    if not command:
        return f"streamgage program --import ({rounds}). {about}"
    if study.solver is not None:
        command = _solver(study) or command
    else:
        command = shortened(command, _LONGEST_COMMAND)
    series = f"{rounds}, seed {study.seed}; {study.placement}"
    name = f"streamgage program {'--scaling' if study.solver is None else '--petsc'}"
    return f"{name} ({series}): {command}. {about}"


_Line = tuple[str, dict[int, Estimate]]
"""The name of a line, and its figures by number of workers."""


def _plots(study: Study) -> list[Lines]:
    """The plots: speedup, efficiency, the time of each phase, and STREAM's bandwidth."""
    phases = _phases_to_draw(study)
    stream, workers = study.stream, study.workers
    speedups: list[_Line] = [
        ("STREAM", {each.n: each.speedup for each in stream if each.speedup}),
        *((_name(p), {each.n: each.speedup for each in p.points if each.speedup}) for p in phases),
    ]
    efficiencies: list[_Line] = [
        ("STREAM", {each.n: each.efficiency for each in stream if each.efficiency}),
        *((_name(p), {e.n: e.efficiency for e in p.points if e.efficiency}) for p in phases),
    ]
    times: list[_Line] = [
        ("", {}),
        *((_name(p), {each.n: each.seconds for each in p.points}) for p in phases),
    ]
    rates: list[_Line] = [("STREAM", {each.n: each.gbps for each in stream})]
    counts = _counts(speedups)
    most = counts[-1] if counts else 1
    top = 1.2 * _highest(speedups, 0.0)  # the ideal line may leave the axis
    return [
        _plot(
            study,
            f"Speedup over one of the {workers}",
            Axis("speedup", from_zero=True, to=top or None),
            speedups,
            ideal=Guide("ideal", ((1, 1), (most, most))),
        ),
        _plot(
            study,
            "Efficiency: speedup over n",
            Axis("efficiency", from_zero=True, to=1.05 * _highest(efficiencies, 1.1)),
            efficiencies,
            ideal=Guide("", ((1, 1), (most, 1))),
            legend=True,
        ),
        _plot(study, "Time of each phase", Axis("seconds", _SECONDS, from_zero=True), times),
        _plot(
            study,
            f"STREAM, {study.kernel} {study.store}",
            Axis("GB/s of nominal bytes", RATE, from_zero=True),
            rates,
        ),
    ]


def _phases_to_draw(study: Study) -> list[Phase]:
    """The phases to draw: all of a single program.

    With several programs they are the main phase of each.
    """
    several = len(study.cases) > 1
    chosen = [each for each in study.phases if not several or each.name == study.headline]
    return chosen[:_MOST_PHASES]


def _counts(lines: Sequence[_Line]) -> list[int]:
    return sorted({n for _, points in lines for n in points})


def _highest(lines: Sequence[_Line], least: float) -> float:
    found = [each for _, points in lines for each in points.values()]
    return max([least, *(each.high or each.value for each in found)])


def _plot(
    study: Study,
    title: str,
    y: Axis,
    lines: Sequence[_Line],
    *,
    ideal: Guide | None = None,
    legend: bool = False,
) -> Lines:
    counts = _counts(lines)
    drawn = [name for name, points in lines if points]
    return Lines(
        title=title,
        panel=title if title.startswith("STREAM") else title[:1].lower() + title[1:],
        about=f"{title}, over the number of {study.workers}: {', '.join(drawn)}.",
        x=Axis(study.workers, scale="counts", ticks=counts, head="n"),
        y=y,
        series=[
            _line(study, name, points, y, look)
            for look, (name, points) in enumerate(lines)
            if points
        ],
        marks=[] if ideal is None else [ideal],
        caption=title,
        legend=legend,
        legend_inside=legend,
        nothing="nothing to show",
    )


def _line(study: Study, name: str, points: dict[int, Estimate], y: Axis, look: int) -> Series:
    """Make a line; a requested point that is missing interrupts it."""
    write = y.unit.write if y.unit else format_rate
    xs = [n for n in study.counts if n >= min(points)]
    figures = [points.get(n) for n in xs]
    return Series(
        name=name,
        xs=xs,
        figures=figures,
        texts=[
            f"{name}, n = {n}: {'none' if found is None else write(found.value)} {y.title}"
            for n, found in zip(xs, figures, strict=True)
        ],
        look=look,
    )
