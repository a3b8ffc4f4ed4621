"""``study``: STREAM and the program's phases as tables, speedup, efficiency and times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.study.document import Phase, Study
from streamgage.results.study.rows import Block, blocks, foot, format_seconds, phase_name
from streamgage.show.report.bounded import bounded_cell
from streamgage.show.report.drawing import axis, counts_axis, line
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Layout, Part, Table, Trace
from streamgage.show.symbols import UNICODE
from streamgage.units import format_rate

_MOST_PHASES = 6
Line = tuple[str, dict[int, Bounded]]


def tables(answer: Study) -> Iterator[Part]:
    """STREAM, then each phase."""
    shown = list(blocks(answer, UNICODE))
    for block in shown:
        yield _table(block, foot(answer, UNICODE) if block is shown[-1] else "")


def _table(block: Block, below: str) -> Table:
    columns = [Column(head, left=head == "by") for head in block.heads]
    rows = [[Cell(text, _number(text)) for text in row] for row in block.rows]
    return Table(block.title, columns, rows, below)


def _number(text: str) -> float | None:
    """What a cell begins with: all cells of a column are of one unit."""
    try:
        return float(text.split(" ", 1)[0])
    except ValueError:
        return None


def figures(answer: Study) -> Iterator[Figure]:
    """Speedup, efficiency, the time of each phase, and STREAM's bandwidth."""
    phases = _phases_to_draw(answer)
    speedups: list[Line] = [
        ("STREAM", {each.n: each.speedup for each in answer.stream if each.speedup}),
        *((phase_name(p), {e.n: e.speedup for e in p.points if e.speedup}) for p in phases),
    ]
    efficiencies: list[Line] = [
        ("STREAM", {each.n: each.efficiency for each in answer.stream if each.efficiency}),
        *((phase_name(p), {e.n: e.efficiency for e in p.points if e.efficiency}) for p in phases),
    ]
    times: list[Line] = [
        ("", {}),
        *((phase_name(p), {each.n: each.seconds for each in p.points}) for p in phases),
    ]
    rates: list[Line] = [("STREAM", {each.n: each.gbps for each in answer.stream})]
    workers = answer.workers
    yield from _figure(
        answer, f"Speedup over one of the {workers}", "speedup", speedups, ideal=True
    )
    yield from _figure(answer, "Efficiency: speedup over n", "efficiency", efficiencies)
    yield from _figure(answer, "Time of each phase", "seconds", times)
    name = f"STREAM, {answer.kernel} {answer.store}"
    yield from _figure(answer, name, "GB/s of nominal bytes", rates)


def _phases_to_draw(answer: Study) -> list[Phase]:
    """All of one program; of several the one that the answer is about, by each."""
    several = len(answer.cases) > 1
    chosen = [each for each in answer.phases if not several or each.name == answer.headline]
    return chosen[:_MOST_PHASES]


def _figure(
    answer: Study, title: str, y: str, lines: Sequence[Line], *, ideal: bool = False
) -> Iterator[Figure]:
    counts = sorted({n for _, points in lines for n in points})
    if not counts:
        return
    write = format_seconds if y == "seconds" else format_rate
    traces: list[Trace] = [_ideal(counts[-1])] if ideal else []
    for number, (name, points) in enumerate(lines):
        if points:
            xs = [n for n in answer.counts if n >= min(points)]
            texts = [f"{name}, n = {n}: {_told(points.get(n), write)} {y}" for n in xs]
            traces.append(line(name, xs, [points.get(n) for n in xs], number, texts=texts))
    layout: Layout = {
        "xaxis": counts_axis(answer.workers, counts),
        "yaxis": axis(y, rangemode="tozero"),
    }
    drawn = [(name, points) for name, points in lines if points]
    rows = [
        [Cell(str(n), n), *(bounded_cell(points.get(n), write) for _, points in drawn)]
        for n in counts
    ]
    yield Figure(
        title=title,
        about=f"{title}, over the number of {answer.workers}: {', '.join(n for n, _ in drawn)}.",
        drawings=[Drawing("", traces, layout)],
        table=Table(title, [Column("n"), *(Column(name) for name, _ in drawn)], rows),
    )


def _ideal(most: int) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "ideal",
        "x": [1, most],
        "y": [1, most],
        "line": {"color": "grey", "dash": "dash", "width": 1.5},
        "hoverinfo": "skip",
    }


def _told(figure: Bounded | None, write: Callable[[float], str]) -> str:
    return "none" if figure is None else write(figure.value)
