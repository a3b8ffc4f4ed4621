"""Traces and axes of plots, in the words of Plotly.

Colours are names that the page's style sheet gives a value, one for each theme.
"""

from __future__ import annotations

import sys
from array import array
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from math import log10
from typing import NamedTuple

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.show.page import Unit
from streamgage.show.reach import Reach, Span
from streamgage.tools.report.parts import Layout, Trace
from streamgage.units import format_bytes

SERIES = 7
"""Colours that are easy to distinguish; more series start again."""
_SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x")
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot", "solid")
_TICK_DIGITS = (1, 2, 5)


def plain(text: str) -> str:
    """Text that Plotly shows unchanged: otherwise it interprets some HTML tags."""
    return escape(text, quote=False)


def floats(values: Sequence[float]) -> Trace:
    """Numbers with seven digits, in a third of the bytes that they take in JSON."""
    return _packed("f", "f4", values)


def integers(values: Sequence[int]) -> Trace:
    """Whole numbers, up to 2^53."""
    if max(values, default=0) >= 1 << 31:
        return _packed("d", "f8", values)
    return _packed("i", "i4", values)


def _packed(code: str, dtype: str, values: Sequence[float]) -> Trace:
    numbers = array(code, values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return {"dtype": dtype, "bdata": b64encode(numbers.tobytes()).decode()}


def colour(number: int) -> str:
    """The colour of series ``number``, from 0."""
    return f"series{number % SERIES}"


def line(
    name: str,
    xs: Sequence[float],
    figures: Sequence[Estimate | None],
    number: int,
    reach: Reach,
    *,
    scale: float = 1.0,
    texts: Sequence[str] = (),
    joined: bool = True,
) -> Trace:
    """A series with its intervals; a figure that is ``None`` breaks the line.

    ``reach``: the ends of the vertical axis, where intervals are cut. ``scale``: the factor from
    the figures' unit to that of the axis. ``texts``: what the pointer shows.
    """
    trace = {
        "type": "scatter",
        "mode": "lines+markers" if joined else "markers",
        "name": plain(name),
        "x": list(xs),
        "y": [None if each is None else scale * each.value for each in figures],
        "line": {"color": colour(number), "dash": _DASHES[number % SERIES], "width": 2},
        "marker": {"color": colour(number), "symbol": _SYMBOLS[number % SERIES], "size": 7},
        "error_y": bounds(figures, colour(number), reach, scale),
    }
    return trace | pointed(texts)


def pointed(texts: Sequence[str]) -> Trace:
    """What the pointer shows at each point; without texts the figures themselves."""
    return {"text": [plain(each) for each in texts], "hoverinfo": "text"} if texts else {}


def bounds(
    figures: Sequence[Estimate | None], shade: str, reach: Reach, scale: float = 1.0
) -> Trace:
    """The bars of their intervals, which end where the axis does."""
    spans = [(0.0, 0.0) if each is None else _span(each, reach, scale) for each in figures]
    return {
        "type": "data",
        "symmetric": False,
        "array": [above for _, above in spans],
        "arrayminus": [below for below, _ in spans],
        "color": shade,
        "thickness": 1.2,
        "width": 3,
        "visible": any(below or above for below, above in spans),
    }


def _span(figure: Estimate, reach: Reach, scale: float) -> tuple[float, float]:
    span = reach.span(figure)
    return scale * (figure.value - span.low), scale * (span.high - figure.value)


def arrows(
    places: Sequence[float | str],
    figures: Sequence[Estimate | None],
    reach: Reach,
    unit: Unit,
    shade: str,
    *,
    lying: bool = False,
    first: bool = True,
) -> Iterator[Trace]:
    """Arrows at the ends of bars that go on beyond the axis, each with the bound that is not on it.

    ``lying``: the bars lie; ``first``: of the plot, which has the name of all.
    """
    ends = [
        (place, end)
        for place, figure in zip(places, figures, strict=True)
        if figure is not None
        for end in _ends(reach.span(figure))
    ]
    if not ends:
        return
    at, along = [place for place, _ in ends], [unit.factor * end.at for _, end in ends]
    up, down = ("triangle-right", "triangle-left") if lying else ("triangle-up", "triangle-down")
    yield {
        "type": "scatter",
        "mode": "markers+text",
        "name": "the interval goes on",
        "legendgroup": "arrows",
        "showlegend": first,
        "x": along if lying else at,
        "y": at if lying else along,
        "text": [unit.write(end.bound) for _, end in ends],
        "textposition": "top center" if lying else "middle right",
        "cliponaxis": False,
        "marker": {"color": shade, "size": 10, "symbol": [up if e.up else down for _, e in ends]},
        "hoverinfo": "text",
    }


class _End(NamedTuple):
    """One end of a bar that is cut: where, and the bound beyond it."""

    at: float
    bound: float
    up: bool


def _ends(span: Span) -> Iterator[_End]:
    if span.above is not None:
        yield _End(span.high, span.above, up=True)
    if span.below is not None:
        yield _End(span.low, span.below, up=False)


def axis(title: str, **fields: object) -> Layout:
    """An axis with its title."""
    return {"title": {"text": plain(title)}, **fields}


def counts_axis(title: str, counts: Sequence[int], most_ticks: int = 16) -> Layout:
    """An axis of numbers of workers: a tick for each, unless there are very many."""
    if not counts or len(counts) > most_ticks:
        return axis(title)
    room = max(0.3, 0.04 * (counts[-1] - counts[0]))
    return axis(
        title,
        tickvals=list(counts),
        ticktext=[str(each) for each in counts],
        range=[counts[0] - room, counts[-1] + room],
    )


def size_axis(title: str, sizes: Sequence[int]) -> Layout:
    """A logarithmic axis of bytes, with a tick for every fourfold."""
    low, high = min(sizes), max(sizes)
    ticks = [4**power for power in range(3, 24) if low / 1.2 <= 4**power <= 1.2 * high]
    return axis(
        title,
        type="log",
        tickvals=ticks,
        ticktext=[format_bytes(each) for each in ticks],
        autorange=True,
    )


def value_axis(title: str, least: float, most: float) -> Layout:
    """A logarithmic axis of all from ``least`` to ``most``, with ticks at 1, 2, 5, 10, 20, ..."""
    low, high = least / 1.3, 1.6 * most
    steps = [digit * 10.0**power for power in range(-3, 7) for digit in _TICK_DIGITS]
    ticks = [each for each in steps if low <= each <= high]
    texts = [f"{each:g}" for each in ticks]
    ends = [log10(low), log10(high)]
    return axis(title, type="log", tickvals=ticks, ticktext=texts, range=ends)


def upright(x: float, text: str, *, at_foot: bool = False) -> tuple[Layout, Layout]:
    """A dashed line from the bottom to the top at ``x`` of a logarithmic axis, and its name.

    ``at_foot``: the name stands at its lower end, where curves that fall leave it room.
    """
    shape = {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "line": {"color": "limit", "width": 1.2, "dash": "dash"},
    }
    name = {
        "x": log10(x),
        "y": 0 if at_foot else 1,
        "xref": "x",
        "yref": "paper",
        "xanchor": "right",
        "yanchor": "bottom" if at_foot else "top",
        "text": plain(text),
        "textangle": -90,
        "showarrow": False,
        "font": {"color": "limit", "size": 11},
    }
    return shape, name


def plateau(name: str, ends: tuple[float, float], y: float) -> tuple[Trace, Layout]:
    """A broad bar from end to end at ``y`` of logarithmic axes, and its name above its middle."""
    bar = {
        "type": "scatter",
        "mode": "lines",
        "x": list(ends),
        "y": [y, y],
        "line": {"color": "plateau", "width": 9},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    label = {
        "x": (log10(ends[0]) + log10(ends[1])) / 2,
        "y": log10(y),
        "yshift": 16,
        "text": plain(name),
        "showarrow": False,
        "font": {"color": "text", "size": 11},
    }
    return bar, label
