"""The plots of a page as traces of Plotly, for reports and notebooks.

Colours are names that the page's style sheet gives a value, one for each theme.
"""

from __future__ import annotations

import sys
from array import array
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import singledispatch
from html import escape
from math import isqrt, log10
from typing import Any

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.show.geometry import (
    Points,
    decimal_ticks,
    ends_of_counts,
    fourfold_ticks,
    points_of,
)
from streamgage.show.page import (
    COUNT,
    RATE,
    Axis,
    BarMarks,
    Bars,
    Bin,
    Course,
    Courses,
    Cross,
    Dots,
    Guide,
    Heat,
    HeatMap,
    Histogram,
    Lines,
    Plateau,
    Plot,
    Ring,
    Series,
    Strip,
    Unit,
    Upright,
    UprightBars,
    ends_text,
    words,
)
from streamgage.show.reach import Reach, ends_of_dots, reach_of
from streamgage.show.swarm import swarm
from streamgage.units import format_bytes

Trace = dict[str, Any]
Layout = dict[str, Any]
"""A layout for Plotly, except that each colour is the name of one in ``report.css``."""


class Drawing(msgspec.Struct, frozen=True):
    """A plot as Plotly draws it, or one of several drawings to choose from."""

    name: str
    traces: Sequence[Trace]
    layout: Layout
    shared: Sequence[Trace] = ()
    """Arrays that several traces use, each written once: a trace refers to one as ``{"shared":
    0}``."""


_UNKNOWN = "–"
_COLOURS = 7
"""The number of colours that are easy to distinguish; further series repeat them."""
_SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x")
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot", "solid")
_TOP = 1.3
_MOST_TICKS = 16
_MOST_DOTS = 4000
"""The most dots that are drawn. Above that a line replaces them, because many dots slow a
browser."""
_FEWEST_BINS, _MOST_BINS = 10, 60
_MOST_BREAKS = 40


def drawings(plot: Plot) -> list[Drawing]:
    """The drawings of a plot: one, or several from which the reader chooses."""
    found = _drawings(plot)
    if not plot.stamp:
        return found
    across = {
        "xref": "paper",
        "yref": "paper",
        "x": 0.5,
        "y": 0.5,
        "text": plot.stamp,
        "textangle": -18,
        "showarrow": False,
        "opacity": 0.3,
        "font": {"color": "limit", "size": 40},
    }
    for each in found:
        each.layout["annotations"] = [*each.layout.get("annotations", []), across]
    return found


@singledispatch
def _drawings(plot: Plot) -> list[Drawing]:
    raise TypeError(f"a plot of {type(plot).__name__} cannot be shown in a report")


@_drawings.register(Lines)
def _lines(plot: Lines) -> list[Drawing]:
    factor = (plot.y.unit or RATE).factor
    xs = [x for each in plot.series for x in each.xs]
    traces: list[Trace] = []
    shapes: list[Layout] = []
    labels: list[Layout] = []
    for mark in plot.marks:
        match mark:
            case Plateau():
                bar, label = _plateau(mark, factor * mark.y)
                traces.append(bar)
                labels.append(label)
            case Upright() if xs and min(xs) <= mark.x <= max(xs):
                shape, label = _upright(mark)
                shapes.append(shape)
                labels.append(label)
            case Guide() if mark.name:
                traces.append(_guide(mark))
            case _:
                continue
    reach = reach_of(
        [figure for each in plot.series for figure in each.figures], log=plot.y.scale == "log"
    )
    at = [points_of(each.xs, each.figures, reach, plot.y.unit) for each in plot.series]
    traces += [_line(each, points) for each, points in zip(plot.series, at, strict=True)]
    cut = [(each, points) for each, points in zip(plot.series, at, strict=True) if points.arrows]
    traces += [_arrows(p, _colour(e.look), first=e is cut[0][0]) for e, p in cut]
    rings = [each for each in plot.marks if isinstance(each, Ring)]
    if rings and plot.rings:
        traces.append(_symbols(rings, plot.rings, factor, "circle-open"))
    crosses = [each for each in plot.marks if isinstance(each, Cross)]
    if crosses:
        traces.append(_symbols(crosses, plot.crosses, factor, "x-thin-open"))
    ends = [factor * reach.low, factor * reach.high]
    layout: Layout = {"xaxis": _axis_of(plot.x, xs), "yaxis": _axis_of(plot.y, ends)}
    if shapes:
        layout["shapes"] = shapes
    if labels:
        layout["annotations"] = labels
    return [Drawing("", traces, layout)]


def _line(series: Series, points: Points[float]) -> Trace:
    """A series with its intervals; a figure of ``None`` interrupts the line."""
    colour, look = _colour(series.look), series.look % _COLOURS
    trace = {
        "type": "scatter",
        "mode": "lines+markers" if series.joined else "markers",
        "name": _plain(series.name),
        "x": list(series.xs),
        "y": points.values,
        "line": {"color": colour, "dash": _DASHES[look], "width": 2},
        "marker": {"color": colour, "symbol": _SYMBOLS[look], "size": 7},
        "error_y": _bars_of(points, colour),
    }
    return trace | _pointed(series.texts)


def _bars_of(points: Points[Any], colour: str) -> Trace:
    """The bars that show the intervals of the points."""
    return {
        "type": "data",
        "symmetric": False,
        "array": points.above,
        "arrayminus": points.below,
        "color": colour,
        "thickness": 1.2,
        "width": 3,
        "visible": any((*points.below, *points.above)),
    }


def _arrows(points: Points[Any], colour: str, *, lying: bool = False, first: bool) -> Trace:
    """Arrows where bars leave the axis, each with the bound that lies beyond it.

    ``lying``: the bars are horizontal. ``first``: these are the plot's first arrows, which carry
    the name in the legend.
    """
    at, along = [each.place for each in points.arrows], [each.at for each in points.arrows]
    up, down = ("triangle-right", "triangle-left") if lying else ("triangle-up", "triangle-down")
    symbols = [up if each.up else down for each in points.arrows]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": "the interval ends beyond the axis",
        "legendgroup": "arrows",
        "showlegend": first,
        "x": along if lying else at,
        "y": at if lying else along,
        "text": [each.text for each in points.arrows],
        "textposition": "top center" if lying else "middle right",
        "cliponaxis": False,
        "marker": {"color": colour, "size": 10, "symbol": symbols},
        "hoverinfo": "text",
    }


def _guide(mark: Guide) -> Trace:
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


def _upright(mark: Upright) -> tuple[Layout, Layout]:
    """A vertical dashed line on a logarithmic axis, and its name."""
    shape = {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": mark.x,
        "x1": mark.x,
        "y0": 0,
        "y1": 1,
        "line": {"color": "limit", "width": 1.2, "dash": "dash"},
    }
    name = {
        "x": log10(mark.x),
        "y": 0 if mark.at_foot else 1,
        "xref": "x",
        "yref": "paper",
        "xanchor": "right",
        "yanchor": "bottom" if mark.at_foot else "top",
        "text": _plain(mark.long_text),
        "textangle": -90,
        "showarrow": False,
        "font": {"color": "limit", "size": 11},
    }
    return shape, name


def _plateau(mark: Plateau, y: float) -> tuple[Trace, Layout]:
    """A broad horizontal bar on logarithmic axes, and its name above its middle."""
    bar = {
        "type": "scatter",
        "mode": "lines",
        "x": list(mark.ends),
        "y": [y, y],
        "line": {"color": "plateau", "width": 9},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    label = {
        "x": (log10(mark.ends[0]) + log10(mark.ends[1])) / 2,
        "y": log10(y),
        "yshift": 16,
        "text": _plain(mark.text),
        "showarrow": False,
        "font": {"color": "text", "size": 11},
    }
    return bar, label


@_drawings.register(Heat)
def _heat(plot: Heat) -> list[Drawing]:
    lead, *columns = plot.table.columns
    over = plot.table.over
    cells = [[each.cell(row) for each in columns] for row in plot.table.rows]
    figures = [each.value for row in cells for each in row if each.value is not None]
    trace = {
        "type": "heatmap",
        "zmin": 0,
        "zmax": max(figures, default=1.0),
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
        "xaxis": _axis(over, type="category", showgrid=False),
        "yaxis": _axis(lead.title, type="category", autorange="reversed", showgrid=False),
    }
    return [Drawing("", [trace], layout)]


@_drawings.register(Dots)
def _dots(plot: Dots) -> list[Drawing]:
    """A drawing with columns of dots for each kernel; all have the same axis."""
    ends = ends_of_dots(plot.values)
    return [
        Drawing(name, *_strips(plot, strips, ends))
        for name, strips in plot.panels.items()
        if strips
    ]


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
                "name": _plain(each.column),
                "x": [at + offset for offset in swarm(each.values)],
                "y": list(each.values),
                "marker": {"color": _colour(at), "size": 8, "opacity": 0.8},
                "text": [_plain(text) for text in each.texts],
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
        "xaxis": _axis(
            "",
            tickvals=list(range(len(plot.columns))),
            ticktext=[_plain(name) for name in plot.columns],
            range=[-0.6, len(plot.columns) - 0.4],
        ),
        "yaxis": _axis(plot.y.title, range=list(ends)),
    }
    return traces, layout


@_drawings.register(Bars)
def _bars(plot: Bars) -> list[Drawing]:
    unit = plot.axis.unit or RATE
    names = [_plain(each) for each in plot.names]
    at = _points_of_bars(plot, names, unit)
    traces: list[Trace] = [
        {
            "type": "bar",
            "orientation": "h",
            "offsetgroup": str(number),
            "name": _plain(name),
            "y": names,
            "x": points.values,
            "error_x": _bars_of(points, "text"),
            "marker": {"color": _colour(number)},
            "text": ["" if each is None else unit.write(each.value) for each in found],
            "textposition": "inside",
            "insidetextanchor": "start",
            "hovertemplate": f"%{{y}}: %{{text}} {unit.name}",
        }
        for number, ((name, found), points) in enumerate(zip(plot.series, at, strict=True))
    ]
    traces += _arrows_of_bars(at, lying=True)
    layout: Layout = {
        "barmode": "group",
        "scattermode": "group",
        "xaxis": _axis_of(plot.axis, []),
        "yaxis": _axis("", autorange="reversed", type="category"),
    }
    return [Drawing("", traces, layout)]


def _points_of_bars(plot: Bars, names: Sequence[str], unit: Unit) -> list[Points[str]]:
    reach = _reach_of_bars(plot)
    return [points_of(names, figures, reach, unit) for _, figures in plot.series]


def _reach_of_bars(plot: Bars) -> Reach:
    return reach_of([each for _, figures in plot.series for each in figures])


def _arrows_of_bars(at: Sequence[Points[str]], *, lying: bool) -> Iterator[Trace]:
    """Arrows at the bars whose intervals leave the axis."""
    cut = [(number, points) for number, points in enumerate(at) if points.arrows]
    for number, points in cut:
        trace = _arrows(points, "text", lying=lying, first=points is cut[0][1])
        yield trace | {"offsetgroup": str(number), "orientation": "h" if lying else "v"}


@_drawings.register(UprightBars)
def _upright_bars(plot: UprightBars) -> list[Drawing]:
    """Vertical bars in groups; the axis ends above the greatest bar and its name."""
    unit = plot.axis.unit or COUNT
    names = [_plain(each) for each in plot.names]
    at = _points_of_bars(plot, names, unit)
    traces: list[Trace] = [
        {
            "type": "bar",
            "name": _plain(name),
            "x": names,
            "y": points.values,
            "marker": {"color": _colour(number)},
            "error_y": _bars_of(points, "text"),
            "textposition": "none",
            "offsetgroup": str(number),
        }
        | _pointed(_texts_of_bars(plot.names, name, figures, unit))
        for number, ((name, figures), points) in enumerate(zip(plot.series, at, strict=True))
    ]
    traces += [_over(plot.over_name, each, unit, first=each is plot.over[0]) for each in plot.over]
    traces += _arrows_of_bars(at, lying=False)
    most = max(each.value for _, bars in plot.series for each in bars if each is not None)
    top = max(_TOP * most, _reach_of_bars(plot).end)
    layout: Layout = {
        "barmode": "group",
        "scattermode": "group",
        "xaxis": _axis("", showgrid=False),
        "yaxis": _axis(plot.axis.title, range=[0, top]),
    }
    if plot.limit is not None:
        height, name = plot.limit
        layout["yaxis"]["range"] = [0, max(top, 1.05 * height)]
        layout |= _across(height, name)
    return [Drawing("", traces, layout)]


def _texts_of_bars(
    names: Sequence[str], series: str, figures: Sequence[Estimate | None], unit: Unit
) -> list[str]:
    return [
        "" if each is None else f"{name} {series}: {unit.write(each.value)} {unit.name}"
        for name, each in zip(names, figures, strict=True)
    ]


def _over(name: str, over: BarMarks, unit: Unit, *, first: bool) -> Trace:
    """Short lines above the bars of a series.

    Those of the first series carry the name in the legend.
    """
    texts = []
    for group, value, known in over.points:
        ends = ends_text(value.low, value.high, value.value, unit)
        details = ", ".join(text for text in (ends, known) if text)
        texts.append(f"{group}: {unit.write(value.value)}{unit.suffix} {unit.name} {details}")
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "legendgroup": "crossed",
        "showlegend": first,
        "offsetgroup": str(over.series),
        "x": [_plain(group) for group, _, _ in over.points],
        "y": [value.value for _, value, _ in over.points],
        "marker": {
            "symbol": "line-ew",
            "size": 22,
            "color": "limit",
            "line": {"color": "limit", "width": 3},
        },
    } | _pointed(texts)


def _across(height: float, name: str) -> Layout:
    """A dashed line across the whole plot, with its name at its end."""
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


@_drawings.register(Courses)
def _courses(plot: Courses) -> list[Drawing]:
    return [_course(plot, each) for each in plot.courses]


def _course(plot: Courses, course: Course) -> Drawing:
    """The figures in the order measured, with their histogram to the right."""
    unit = plot.y.unit or COUNT
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
        "xaxis": _axis(plot.x.title, domain=[0, 0.74]),
        "xaxis2": _axis("how many", domain=[0.77, 1]),
        "yaxis": _axis(plot.y.title, range=_range(course.values)),
        "shapes": [*map(_break, breaks), *_middle(course.middle, unit)],
    }
    return Drawing(course.name, [over_time, spread], layout, shared=[floats(course.values)])


def _range(values: Sequence[float]) -> list[float]:
    """The range of the axis.

    It follows the figures, because the median of few figures may have a far wider interval.
    """
    least, most = min(values), max(values)
    room = 0.08 * (most - least) or 0.05 * most
    return [least - room, most + room]


def _break(x: float) -> Layout:
    """A dotted vertical line at ``x``."""
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


@_drawings.register(Histogram)
def _histogram(plot: Histogram) -> list[Drawing]:
    """A drawing for each panel of the histogram."""
    return [_stacked(plot, name, bins) for name, bins in plot.panels.items()]


def _stacked(plot: Histogram, name: str, bins: Sequence[Bin]) -> Drawing:
    write = (plot.x.unit or RATE).write
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
        | _pointed([f"{write(e.low)} to {write(e.high)}: {e.counts[number]} {of}" for e in bins])
        for number, of in enumerate(plot.names)
    ]
    layout: Layout = {
        "barmode": "stack",
        "bargap": 0.05,
        "xaxis": _axis(plot.x.title),
        "yaxis": _axis("how many"),
    }
    return Drawing(name, traces, layout)


@_drawings.register(HeatMap)
def _heat_map(plot: HeatMap) -> list[Drawing]:
    """The cells as shades without text, because a text in each of many cells slows a browser."""
    widest = max(map(len, plot.values), default=0)
    values = [[*row, *[None] * (widest - len(row))] for row in plot.values]
    texts = [[*map(_plain, row), *[""] * (widest - len(row))] for row in plot.texts]
    most = max((value for row in plot.values for value in row if value is not None), default=0.0)
    trace: Trace = {
        "type": "heatmap",
        "x": list(range(1, widest + 1)),
        "y": [_plain(each) for each in plot.rows],
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
        "xaxis": _axis(plot.x.title, showgrid=False),
        "yaxis": _axis(plot.y.title, type="category", autorange="reversed", showgrid=False),
    }
    return [Drawing("", [trace], layout)]


def _plain(text: str) -> str:
    """Text for Plotly, with its HTML tags escaped, so that it is shown unchanged."""
    return escape(text, quote=False)


def _pointed(texts: Sequence[str]) -> Trace:
    """The texts that the pointer shows at each point; without texts it shows the figures."""
    return {"text": [_plain(each) for each in texts], "hoverinfo": "text"} if texts else {}


def _colour(number: int) -> str:
    """The name of the colour of series ``number``, counted from 0."""
    return f"series{number % _COLOURS}"


def floats(values: Sequence[float]) -> Trace:
    """Pack numbers with seven digits into a third of the bytes that JSON needs."""
    return _packed("f", "f4", values)


def integers(values: Sequence[int]) -> Trace:
    """Pack whole numbers up to 2^53."""
    if max(values, default=0) >= 1 << 31:
        return _packed("d", "f8", values)
    return _packed("i", "i4", values)


def _packed(code: str, dtype: str, values: Sequence[float]) -> Trace:
    numbers = array(code, values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return {"dtype": dtype, "bdata": b64encode(numbers.tobytes()).decode()}


def _axis(title: str, **fields: object) -> Layout:
    return {"title": {"text": _plain(title)}, **fields}


def _axis_of(axis: Axis, values: Sequence[float]) -> Layout:
    """The axis of these values. ``counts`` has a tick for each, unless there are very many."""
    match axis.scale:
        case "bytes":
            sizes = fourfold_ticks(round(min(values)), round(max(values)))
            texts = [format_bytes(each) for each in sizes]
            return _axis(axis.title, type="log", tickvals=sizes, ticktext=texts, autorange=True)
        case "log":
            low, high = min(values) / 1.3, 1.6 * max(values)
            ticks = decimal_ticks(low, high)
            return _axis(
                axis.title,
                type="log",
                tickvals=ticks,
                ticktext=[f"{each:g}" for each in ticks],
                range=[log10(low), log10(high)],
            )
        case "counts" if 0 < len(axis.ticks) <= _MOST_TICKS:
            return _axis(
                axis.title,
                tickvals=list(axis.ticks),
                ticktext=[str(each) for each in axis.ticks],
                range=list(ends_of_counts(axis.ticks)),
            )
        case "linear" if axis.from_zero:
            return _axis(axis.title, rangemode="tozero")
        case _:
            return _axis(axis.title)
