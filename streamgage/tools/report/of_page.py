"""A page of any kind of result as the parts of a report: tables, words and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from math import isqrt
from typing import Any

from msgspec.structs import replace

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.show import page as shown
from streamgage.show.footer import ABOVE_ZERO
from streamgage.show.page import (
    Axis,
    Bars,
    Course,
    Courses,
    Cross,
    Dots,
    Heat,
    HeatMap,
    Histogram,
    Lines,
    Over,
    Page,
    Plateau,
    Plot,
    Ring,
    Strip,
    Unit,
    Upright,
    UprightBars,
    words,
)
from streamgage.show.reach import Reach, ends_of_dots, reach_of
from streamgage.show.swarm import swarm
from streamgage.show.symbols import UNICODE
from streamgage.tools.report.drawing import (
    arrows,
    axis,
    bounds,
    colour,
    counts_axis,
    floats,
    integers,
    line,
    plain,
    plateau,
    pointed,
    size_axis,
    upright,
    value_axis,
)
from streamgage.tools.report.parts import (
    Cell,
    Column,
    Drawing,
    Facts,
    Figure,
    Layout,
    Part,
    Table,
    Trace,
    Words,
)

_UNKNOWN = "–"
_LIMIT = {"color": "limit", "width": 1.2, "dash": "dot"}
_TOP = 1.3
_MOST_DOTS = 4000
"""With more figures, a line replaces the dots, because many dots make a browser slow."""
_FEWEST_BINS, _MOST_BINS = 10, 60
_MOST_BREAKS = 40
_ROWS_OF_A_USUAL_PLOT = 20


def first(page: Page) -> list[Part]:
    """The answer: the figure, how far it can be trusted, how to quote it, and what it means."""
    parts: list[Part] = []
    if page.trust is not None:
        verdict = page.trust.words
        parts.append(Words([f"{page.headline}: {verdict}."], tone=page.trust.verdict, answer=True))
    if page.quote:
        parts.append(Words([page.quote], answer=True, title="To quote"))
    if page.first is not None:
        parts.append(table(replace(page.first.table, caption="The figures to read first")))
        parts.append(Facts([(each.name, each.text) for each in page.first.points]))
    elif page.verdict:
        parts.append(Words(page.verdict, answer=True, title="In short"))
    return parts


def tables(page: Page) -> list[Part]:
    """The tables, and their conclusions below them."""
    given = page.wide_tables or page.tables
    parts: list[Part] = [
        table(each, page.note if each is given[-1] else "") if each.columns else Words([each.empty])
        for each in given
    ]
    if page.facts:
        parts.append(_facts(page))
    if not parts:
        parts = [Words([page.nothing])]
    shown = [each for each in page.lists if each.pairs and not each.details]
    parts += [Facts(each.pairs) for each in shown if not each.quiet]
    if page.limit:
        parts.append(Words([page.limit], title="The limit"))
    quiet = [[f"{name}: {text}" for name, text in each.pairs] for each in shown if each.quiet]
    if page.remarks:
        quiet.append([*page.remarks])
    return [*parts, *(Words(each, quiet=True) for each in quiet)]


def _facts(page: Page) -> Table:
    columns = [Column(page.facts_of, left=True), Column("why", left=True)]
    return Table("Without figures", columns, [[Cell(n), Cell(why)] for n, why in page.facts])


def table(given: shown.Table[Any], note: str = "") -> Table:
    """A table, with ``note`` below it."""
    columns = [
        Column(c.whole_title, left=c.left, roomy=c.roomy, about=c.about) for c in given.columns
    ]
    rows = [[cell(each.cell(row)) for each in given.columns] for row in given.rows]
    told = "; ".join(f"{name}: {text}" if name else text for name, text in given.notes)
    below = (f"{told}." if told else "", *given.foot, given.report_note or note)
    foot = " ".join(text for text in below if text)
    return Table(given.whole_title, columns, rows, foot)


def cell(given: shown.Cell) -> Cell:
    """A figure with its bounds in lighter type, or words."""
    mark = f"{UNICODE.error} " if given.wrong else ""
    if given.text or given.unit is None or given.value is None:
        return Cell(mark + given.text, given.value, given.detail, strong=given.strong)
    write = given.unit.write
    between = ""
    if given.low is not None and given.high is not None:
        between = within(given.low, given.high, given.value, given.unit)
    detail = ", ".join(text for text in (between, given.detail) if text)
    text = f"{mark}{write(given.value)}{given.unit.suffix}"
    return Cell(text, given.value, detail, strong=given.strong)


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
    every = [figure for each in plot.series for figure in each.figures]
    reach = reach_of(every, log=plot.y.scale == "log")
    traces += [
        line(e.name, e.xs, e.figures, e.look, reach, scale=factor, texts=e.texts, joined=e.joined)
        for e in plot.series
    ]
    for each in plot.series:
        named = any(trace.get("legendgroup") == "arrows" for trace in traces)
        shade = colour(each.look)
        traces += arrows(each.xs, each.figures, reach, unit or shown.RATE, shade, first=not named)
    rings = [each for each in plot.marks if isinstance(each, Ring)]
    if rings and plot.rings:
        traces.append(_symbols(rings, plot.rings, factor, "circle-open"))
    crosses = [each for each in plot.marks if isinstance(each, Cross)]
    if crosses:
        traces.append(_symbols(crosses, plot.crosses, factor, "x-thin-open"))
    ends = [factor * reach.low, factor * reach.high]
    layout: Layout = {"xaxis": _axis(plot.x, xs), "yaxis": _axis(plot.y, ends)}
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


def _axis(given: Axis, values: Sequence[float]) -> Layout:
    match given.scale:
        case "bytes":
            return size_axis(given.title, [round(value) for value in values])
        case "log":
            return value_axis(given.title, min(values), max(values))
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


def _symbols(marks: Sequence[Ring | Cross], name: str, factor: float, symbol: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [each.x for each in marks],
        "y": [factor * each.y for each in marks],
        "marker": {
            "symbol": symbol,
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


def _bounded(estimate: Estimate | None, unit: Unit | None) -> Cell:
    return Cell(_UNKNOWN) if estimate is None else cell(shown.figure(estimate, unit or shown.RATE))


@figure.register(Dots)
def _dots(plot: Dots) -> Figure:
    """Dots by column, a drawing for each kernel; all have the same axis."""
    ends = ends_of_dots(plot.values)
    return Figure(
        title=plot.title,
        about=" ".join([plot.about, *[ABOVE_ZERO] * (ends[0] > 0)]),
        drawings=[
            Drawing(name, *_strips(plot, strips, ends))
            for name, strips in plot.panels.items()
            if strips
        ],
        table=table(plot.table),
        select=plot.select,
        first=plot.first,
        wide=plot.wide,
    )


def _strips(
    plot: Dots, strips: Sequence[Strip], ends: tuple[float, float]
) -> tuple[list[Trace], Layout]:
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
        "yaxis": axis(plot.y.title, range=list(ends)),
    }
    return traces, layout


@figure.register(Bars)
def _bars(plot: Bars) -> Figure:
    unit = plot.axis.unit or shown.RATE
    reach = reach_of([each for _, found in plot.series for each in found])
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "offsetgroup": str(number),
            "name": plain(name),
            "y": [plain(each) for each in plot.names],
            "x": [None if each is None else unit.factor * each.value for each in found],
            "error_x": bounds(found, "text", reach, unit.factor),
            "marker": {"color": colour(number)},
            "text": ["" if each is None else unit.write(each.value) for each in found],
            "textposition": "inside",
            "insidetextanchor": "start",
            "hovertemplate": f"%{{y}}: %{{text}} {unit.name}",
        }
        for number, (name, found) in enumerate(plot.series)
    ]
    traces += _arrows_of_bars(plot, reach, unit, lying=True)
    layout: Layout = {
        "barmode": "group",
        "scattermode": "group",
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


def _arrows_of_bars(plot: Bars, reach: Reach, unit: Unit, *, lying: bool) -> Iterator[Trace]:
    """Where intervals leave the axis: over the bars that have them."""
    first = True
    for number, (_, found) in enumerate(plot.series):
        names = [plain(each) for each in plot.names]
        for trace in arrows(names, found, reach, unit, "text", lying=lying, first=first):
            yield trace | {"offsetgroup": str(number), "orientation": "h" if lying else "v"}
            first = False


@figure.register(UprightBars)
def _upright_bars(plot: UprightBars) -> Figure:
    """Bars in groups; their axis ends above the greatest and its name."""
    unit = plot.axis.unit or shown.COUNT
    reach = reach_of([each for _, figures in plot.series for each in figures])
    traces = [
        _bar(plot.names, name, figures, number, unit, reach=reach)
        for number, (name, figures) in enumerate(plot.series)
    ]
    traces += [_over(plot.over_name, each, unit, first=each is plot.over[0]) for each in plot.over]
    traces += _arrows_of_bars(plot, reach, unit, lying=False)
    most = max(each.value for _, bars in plot.series for each in bars if each is not None)
    top = max(_TOP * most, reach.end)
    layout: Layout = {
        "barmode": "group",
        "scattermode": "group",
        "xaxis": axis("", showgrid=False),
        "yaxis": axis(plot.axis.title, range=[0, top]),
    }
    if plot.limit is not None:
        height, name = plot.limit
        layout["yaxis"]["range"] = [0, max(top, 1.05 * height)]
        layout |= _across(height, name)
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[Drawing("", traces, layout)],
        table=table(plot.table),
        wide=plot.wide,
        tall=plot.tall,
    )


def _bar(
    names: Sequence[str],
    series: str,
    figures: Sequence[Estimate | None],
    number: int,
    unit: Unit,
    *,
    reach: Reach,
) -> Trace:
    texts = [
        "" if each is None else f"{name} {series}: {unit.write(each.value)} {unit.name}"
        for name, each in zip(names, figures, strict=True)
    ]
    return {
        "type": "bar",
        "name": plain(series),
        "x": [plain(each) for each in names],
        "y": [None if each is None else each.value for each in figures],
        "marker": {"color": colour(number)},
        "error_y": bounds(figures, "text", reach),
        "textposition": "none",
        "offsetgroup": str(number),
    } | pointed(texts)


def _over(name: str, over: Over, unit: Unit, *, first: bool) -> Trace:
    """Short lines over the bars of a series; the first has a name for all."""
    texts = []
    for group, value, known in over.points:
        found = cell(shown.Cell("", value.value, value.low, value.high, unit, detail=known))
        texts.append(f"{group}: {found.text} {unit.name} {found.detail}")
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "legendgroup": "crossed",
        "showlegend": first,
        "offsetgroup": str(over.series),
        "x": [plain(group) for group, _, _ in over.points],
        "y": [value.value for _, value, _ in over.points],
        "marker": {
            "symbol": "line-ew",
            "size": 22,
            "color": "limit",
            "line": {"color": "limit", "width": 3},
        },
    } | pointed(texts)


def _across(height: float, name: str) -> Layout:
    """A dashed line across the whole plot, and its name at its end."""
    ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": height, "y1": height}
    label = {
        "xref": "paper",
        "x": 1,
        "y": height,
        "xanchor": "right",
        "yanchor": "bottom",
        "text": name,
        "showarrow": False,
        "font": {"color": "limit", "size": 11},
    }
    dashed = {"color": "limit", "width": 1.2, "dash": "dash"}
    return {"shapes": [{"type": "line", **ends, "line": dashed}], "annotations": [label]}


@figure.register(Courses)
def _courses(plot: Courses) -> Figure:
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[_course(plot, each) for each in plot.courses],
        table=table(plot.table),
        select=plot.select,
        first=plot.first,
        wide=plot.wide,
    )


def _course(plot: Courses, course: Course) -> Drawing:
    """The figures in order, and their histogram to the right."""
    unit = plot.y.unit or shown.COUNT
    many = len(course.values) > _MOST_DOTS
    over_time: Trace = {
        "type": "scatter",
        "mode": "lines" if many else "markers",
        "x": integers(course.places),
        "y": {"shared": 0},
        "marker": {"color": "series0", "size": 6, "opacity": 0.75},
        "line": {"color": "series0", "width": 1},
        "hovertemplate": f"%{{x}}: %{{y:.4~g}} {unit.name}<extra></extra>",
    }
    spread: Trace = {
        "type": "histogram",
        "y": {"shared": 0},
        "nbinsy": min(_MOST_BINS, max(_FEWEST_BINS, 2 * isqrt(len(course.values)))),
        "xaxis": "x2",
        "marker": {"color": "series0"},
        "hovertemplate": f"%{{y}} {unit.name}: %{{x}}<extra></extra>",
    }
    breaks = course.breaks if len(course.breaks) <= _MOST_BREAKS else ()
    layout: Layout = {
        "showlegend": False,
        "bargap": 0.05,
        "xaxis": axis(plot.x.title, domain=[0, 0.74]),
        "xaxis2": axis("how many", domain=[0.77, 1]),
        "yaxis": axis(plot.y.title, range=_range(course.values)),
        "shapes": [*map(_break, breaks), *_middle(course.middle, unit)],
    }
    return Drawing(course.name, [over_time, spread], layout, shared=[floats(course.values)])


@figure.register(Histogram)
def _histogram(plot: Histogram) -> Figure:
    """A drawing for each panel."""
    return Figure(
        title=plot.title,
        about=plot.about,
        drawings=[_stacked(plot, name, bins) for name, bins in plot.panels.items()],
        table=_bins(plot),
        select=plot.select,
        wide=plot.wide,
    )


def _stacked(plot: Histogram, name: str, bins: Sequence[shown.Bin]) -> Drawing:
    write = (plot.x.unit or shown.RATE).write
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": of,
            "x": floats([(each.low + each.high) / 2 for each in bins]),
            "width": bins[0].high - bins[0].low,
            "textposition": "none",
            "y": [each.counts[number] for each in bins],
            "marker": {"color": "limit" if number else "series0"},
        }
        | pointed([f"{write(e.low)} to {write(e.high)}: {e.counts[number]} {of}" for e in bins])
        for number, of in enumerate(plot.names)
    ]
    layout: Layout = {
        "barmode": "stack",
        "bargap": 0.05,
        "xaxis": axis(plot.x.title),
        "yaxis": axis("how many"),
    }
    return Drawing(name, traces, layout)


def _bins(plot: Histogram) -> Table:
    unit = plot.x.unit or shown.RATE
    columns = [
        Column(plot.select, left=True),
        Column("from"),
        Column("to"),
        *map(Column, plot.names),
    ]
    rows = [
        [
            Cell(name),
            *(Cell(unit.write(end), end) for end in (each.low, each.high)),
            *(Cell(str(number), number) for number in each.counts),
        ]
        for name, bins in plot.panels.items()
        for each in bins
        if any(each.counts)
    ]
    return Table(plot.title, columns, rows)


@figure.register(HeatMap)
def _heat_map(plot: HeatMap) -> Figure:
    """Shades alone: with a text in each of many cells a browser is slow."""
    widest = max(map(len, plot.values), default=0)
    values = [[*row, *[None] * (widest - len(row))] for row in plot.values]
    texts = [[*map(plain, row), *[""] * (widest - len(row))] for row in plot.texts]
    most = max((value for row in plot.values for value in row if value is not None), default=0.0)
    trace: Trace = {
        "type": "heatmap",
        "x": list(range(1, widest + 1)),
        "y": [plain(each) for each in plot.rows],
        "z": values,
        "zmin": 0,
        "zmax": min(max(most, 1.0), plot.most),
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
        "hoverongaps": False,
        "colorscale": "heat",
        "colorbar": {"title": {"text": plot.scale, "side": "right"}, "thickness": 12},
        "xgap": 1,
        "ygap": 1,
    }
    layout: Layout = {
        "xaxis": axis(plot.x.title, showgrid=False),
        "yaxis": axis(plot.y.title, type="category", autorange="reversed", showgrid=False),
    }
    drawing = Drawing("", [trace], layout)
    many = len(plot.rows) > _ROWS_OF_A_USUAL_PLOT
    return Figure(plot.title, plot.about, [drawing], table(plot.table), wide=plot.wide, tall=many)


def _range(values: Sequence[float]) -> list[float]:
    """The range of the figures. With few figures, the interval of the median may be far wider."""
    least, most = min(values), max(values)
    room = 0.08 * (most - least) or 0.05 * most
    return [least - room, most + room]


def _break(x: float) -> Layout:
    """A dotted line from the bottom to the top."""
    return {
        "type": "line",
        "yref": "paper",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "line": {"color": "grey", "width": 1, "dash": "dot"},
    }


def _middle(middle: Estimate | None, unit: Unit) -> Iterator[Layout]:
    """The median as a line, and its interval as a band."""
    if middle is None:
        return
    across = {"xref": "paper", "x0": 0, "x1": 1}
    if middle.low is not None and middle.high is not None:
        yield across | {
            "type": "rect",
            "y0": middle.low,
            "y1": middle.high,
            "fillcolor": "plateau",
            "line": {"width": 0},
            "layer": "below",
        }
    yield across | {
        "type": "line",
        "y0": middle.value,
        "y1": middle.value,
        "line": {"color": "limit", "width": 1.5},
        "label": {
            "text": f"median {unit.write(middle.value)}",
            "textposition": "start",
            "font": {"color": "limit", "size": 11},
        },
    }


def figures(page: Page) -> Iterator[Figure]:
    """Every plot of the page that has figures."""
    for each in page.plots:
        if not isinstance(each, Lines) or each.series:
            yield figure(each)
