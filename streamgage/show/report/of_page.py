"""A page of any kind of result as the parts of a report: tables, words and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from typing import Any

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.show import page as shown
from streamgage.show.page import (
    Axis,
    Bars,
    Dots,
    Heat,
    Lines,
    Page,
    Plateau,
    Plot,
    Ring,
    Strip,
    Unit,
    Upright,
)
from streamgage.show.report.drawing import (
    axis,
    bounds,
    colour,
    counts_axis,
    line,
    plain,
    plateau,
    size_axis,
    upright,
    value_axis,
)
from streamgage.show.report.parts import (
    Cell,
    Column,
    Drawing,
    Figure,
    Layout,
    Part,
    Table,
    Trace,
    Words,
)
from streamgage.show.swarm import swarm
from streamgage.show.words import words

_UNKNOWN = "–"
_LIMIT = {"color": "limit", "width": 1.2, "dash": "dot"}


def tables(page: Page) -> list[Part]:
    """The tables, and below them what they come to."""
    given = page.wide_tables or page.tables
    parts: list[Part] = [table(each, page.note if each is given[-1] else "") for each in given]
    if page.facts:
        parts.append(_facts(page))
    if not parts:
        parts = [Words([page.nothing])]
    if page.verdict:
        parts.append(Words(page.verdict, answer=True, title="In short"))
    return [*parts, Words(page.remarks, quiet=True)] if page.remarks else parts


def _facts(page: Page) -> Table:
    columns = [Column(page.facts_of, left=True), Column("why", left=True)]
    return Table("Without figures", columns, [[Cell(n), Cell(why)] for n, why in page.facts])


def table(given: shown.Table[Any], note: str = "") -> Table:
    """A table, with ``note`` below it."""
    columns = [Column(c.whole_title, left=c.left, about=c.about) for c in given.columns]
    rows = [[cell(each.cell(row)) for each in given.columns] for row in given.rows]
    told = "; ".join(f"{name}: {text}" if name else text for name, text in given.notes)
    below = (f"{told}." if told else "", given.foot, note)
    foot = " ".join(text for text in below if text)
    return Table(given.whole_title, columns, rows, foot)


def cell(given: shown.Cell) -> Cell:
    """A figure with its bounds less heavy, or words."""
    if given.text or given.unit is None or given.value is None:
        return Cell(given.text, given.value, strong=given.strong)
    write = given.unit.write
    between = ""
    if given.low is not None and given.high is not None:
        between = within(given.low, given.high, given.value, given.unit)
    text = f"{write(given.value)}{given.unit.suffix}"
    return Cell(text, given.value, between, strong=given.strong)


def within(low: float, high: float, value: float, unit: Unit) -> str:
    """``29.6 to 29.8``; where these would be the same: ``±0.1``, unless that would be zero."""
    if unit.write(low) != unit.write(high):
        return f"{unit.write(low)} to {unit.write(high)}"
    half = unit.half((high - low) / 2, value)
    return "" if half == unit.half(0, value) else f"±{half}"


@singledispatch
def figure(plot: Plot) -> Figure:
    """A plot with its figures as a table."""
    raise TypeError(f"a plot of {type(plot).__name__} has no form in a report")


@figure.register(Lines)
def _lines(plot: Lines) -> Figure:
    unit = plot.y.unit
    factor = unit.factor if unit else 1.0
    traces: list[Trace] = []
    shapes: list[Layout] = []
    labels: list[Layout] = []
    xs = [x for each in plot.series for x in each.xs]
    for mark in plot.marks:
        match mark:
            case Plateau():
                bar, label = plateau(mark.text, mark.ends, factor * mark.y)
                traces.append(bar)
                labels.append(label)
            case Upright() if xs and min(xs) <= mark.x <= max(xs):
                shape, label = upright(mark.x, mark.long_text, at_foot=mark.at_foot)
                shapes.append(shape)
                labels.append(label)
            case shown.Guide() if mark.name:
                traces.append(_guide(mark))
            case _:
                continue
    traces += [
        line(e.name, e.xs, e.figures, e.look, scale=factor, texts=e.texts) for e in plot.series
    ]
    rings = [each for each in plot.marks if isinstance(each, Ring)]
    if rings and plot.rings:
        traces.append(_rings(rings, plot.rings, factor))
    layout: Layout = {"xaxis": _axis(plot.x, xs), "yaxis": _axis(plot.y, _values(plot, factor))}
    if shapes:
        layout["shapes"] = shapes
    if labels:
        layout["annotations"] = labels
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[Drawing("", traces, layout)],
        table=_numbers(plot) if plot.table is None else table(plot.table),
        wide=plot.wide,
        tall=plot.tall,
    )


@figure.register(Heat)
def _heat(plot: Heat) -> Figure:
    lead, *columns = plot.table.columns
    over = plot.table.over
    cells = [[each.cell(row) for each in columns] for row in plot.table.rows]
    trace = {
        "type": "heatmap",
        "x": [each.title for each in columns],
        "y": [words(lead.cell(row)) for row in plot.table.rows],
        "z": [[each.value for each in row] for row in cells],
        "text": [[_UNKNOWN if e.value is None else words(e) for e in row] for row in cells],
        "texttemplate": "%{text}",
        "hovertemplate": f"{lead.title} %{{y}}, {over} %{{x}}: %{{text}}<extra></extra>",
        "colorscale": "heat",
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    layout = {
        "xaxis": axis(over, type="category", showgrid=False),
        "yaxis": axis(lead.title, type="category", autorange="reversed", showgrid=False),
    }
    drawing = Drawing("", [trace], layout)
    return Figure(plot.title, plot.about, [drawing], table(plot.table))


def _values(plot: Lines, factor: float) -> list[float]:
    found = (each for series in plot.series for each in series.figures if each is not None)
    return [factor * v for each in found for v in (each.low, each.value, each.high) if v]


def _axis(given: Axis, values: Sequence[float]) -> Layout:
    match given.scale:
        case "bytes":
            return size_axis(given.title, [round(value) for value in values])
        case "log":
            return value_axis(given.title, values)
        case "counts":
            return counts_axis(given.title, given.ticks)
        case _:
            return axis(given.title, **({"rangemode": "tozero"} if given.from_zero else {}))


def _guide(mark: shown.Guide) -> Trace:
    (x0, y0), (x1, y1) = mark.ends
    return {
        "type": "scatter",
        "mode": "lines",
        "name": mark.name,
        "x": [x0, x1],
        "y": [y0, y1],
        "line": {"color": "grey", "dash": "dash", "width": 1.5},
        "hoverinfo": "skip",
    }


def _rings(rings: Sequence[Ring], name: str, factor: float) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [each.x for each in rings],
        "y": [factor * each.y for each in rings],
        "marker": {
            "symbol": "circle-open",
            "size": 17,
            "color": "text",
            "line": {"width": 1.6, "color": "text"},
        },
        "hoverinfo": "skip",
    }


def _numbers(plot: Lines) -> Table:
    """A row for each x, a column for each line."""
    at = [dict(zip(each.xs, each.figures, strict=True)) for each in plot.series]
    columns = [Column(plot.x.head or plot.x.title), *(Column(each.name) for each in plot.series)]
    rows = [
        [_place(x, plot.x.unit), *(_bounded(each.get(x), plot.y.unit) for each in at)]
        for x in sorted({x for each in at for x in each})
    ]
    return Table(plot.caption or plot.y.title, columns, rows)


def _place(x: float, unit: Unit | None) -> Cell:
    return Cell(unit.write(x) if unit else f"{x:g}", x)


def _bounded(estimate: Bounded | None, unit: Unit | None) -> Cell:
    return Cell(_UNKNOWN) if estimate is None else cell(shown.figure(estimate, unit or shown.RATE))


@figure.register(Dots)
def _dots(plot: Dots) -> Figure:
    """Dots by column, a drawing for each kernel."""
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[
            Drawing(name, *_strips(plot, strips)) for name, strips in plot.panels.items() if strips
        ],
        table=table(plot.table),
        select=plot.select,
        first=plot.first,
        wide=plot.wide,
    )


def _strips(plot: Dots, strips: Sequence[Strip]) -> tuple[list[Trace], Layout]:
    traces: list[Trace] = []
    shapes: list[Layout] = []
    for each in strips:
        at = plot.columns.index(each.column)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plain(each.column),
                "x": [at + offset for offset in swarm(each.values)],
                "y": list(each.values),
                "marker": {"color": colour(at), "size": 8, "opacity": 0.8},
                "text": [plain(text) for text in each.texts],
                "hoverinfo": "text",
            }
        )
        shapes.append(
            {
                "type": "line",
                "x0": at - 0.3,
                "x1": at + 0.3,
                "y0": each.middle,
                "y1": each.middle,
                "line": {"color": "text", "width": 2},
            }
        )
    layout: Layout = {
        "showlegend": False,
        "shapes": shapes,
        "xaxis": axis(
            "",
            tickvals=list(range(len(plot.columns))),
            ticktext=[plain(name) for name in plot.columns],
            range=[-0.6, len(plot.columns) - 0.4],
        ),
        "yaxis": _axis(plot.y, []),
    }
    return traces, layout


@figure.register(Bars)
def _bars(plot: Bars) -> Figure:
    unit = plot.axis.unit or shown.RATE
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": plain(name),
            "y": [plain(each) for each in plot.names],
            "x": [None if each is None else unit.factor * each.value for each in found],
            "error_x": bounds(found, "text", unit.factor),
            "marker": {"color": colour(number)},
            "text": ["" if each is None else unit.write(each.value) for each in found],
            "textposition": "inside",
            "insidetextanchor": "start",
            "hovertemplate": f"%{{y}}: %{{text}} {unit.name}",
        }
        for number, (name, found) in enumerate(plot.series)
    ]
    layout: Layout = {
        "barmode": "group",
        "xaxis": _axis(plot.axis, []),
        "yaxis": axis("", autorange="reversed", type="category"),
    }
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[Drawing("", traces, layout)],
        table=table(plot.table),
        wide=plot.wide,
        tall=plot.tall,
    )


def figures(page: Page) -> Iterator[Figure]:
    """Every plot of the page that has figures."""
    for each in page.plots:
        if not isinstance(each, Lines) or each.series:
            yield figure(each)
