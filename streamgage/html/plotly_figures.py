"""Makes a Plotly figure for Python of a plot of the report.

The page's script does the same in the browser, where colours follow the theme. Here the colours are
those of the light theme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from streamgage.errors import UsageError
from streamgage.process.installation import require
from streamgage.show.page import Plot
from streamgage.show.traces import Drawing, drawings

if TYPE_CHECKING:
    import plotly.graph_objects

_VARIABLE = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6})([0-9a-f]{2})?,")
_AXIS = re.compile(r"[xy]axis[0-9]*")
_BUTTONS_THAT_SEND = ("sendChartToCloud", "sendDataToCloud")
"""These buttons send the figures to a service."""
_HEIGHT, _TALL = 380, 480
"""Pixels."""


def as_plotly(plot: Plot, choice: int | str | None) -> plotly.graph_objects.Figure:
    """Draw the plot with its title. ``choice`` is the place or name of one of its drawings.

    ``None`` is the drawing that the page shows first. Raises ``UsageError`` for an unknown one.
    """
    require("A plot", "plotly")
    from plotly.graph_objects import Figure

    known = drawings(plot)
    drawing = _chosen(plot, known, choice)
    traces = [_coloured(each, drawing.shared) for each in drawing.traces]
    title = plot.title if len(known) == 1 else f"{plot.title}: {drawing.name}"
    layout = _coloured(drawing.layout, ())
    axes = {name: _axis() for name in layout if _AXIS.fullmatch(name)}
    common = {
        "template": "none",
        "title": {"text": title, "font": {"size": 15}, "x": 0, "xanchor": "left", "pad": {"l": 10}},
        "height": _TALL if plot.tall else _HEIGHT,
        "font": {"size": 12, "color": colours()["text"]},
        "paper_bgcolor": colours()["ground"],
        "plot_bgcolor": colours()["ground"],
        "margin": {"l": 50, "r": 12, "t": 84, "b": 40},
        "hovermode": "closest",
        "modebar": {"remove": list(_BUTTONS_THAT_SEND)},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        **axes,
    }
    return Figure(data=traces, layout=_merged(common, layout))


def _chosen(plot: Plot, known: Sequence[Drawing], choice: int | str | None) -> Drawing:
    names = {each.name: each for each in known}
    if choice is None:
        return known[plot.first]
    if isinstance(choice, str) and choice in names:
        return names[choice]
    if isinstance(choice, int) and 0 <= choice < len(known):
        return known[choice]
    raise UsageError(f"{plot.title} has no drawing {choice!r}: use {', '.join(names)}.")


def _axis() -> dict[str, Any]:
    return {
        "automargin": True,
        "color": colours()["quiet"],
        "gridcolor": colours()["grid"],
        "linecolor": colours()["line"],
        "zeroline": False,
        "title": {"standoff": 8},
    }


@lru_cache(maxsize=1)
def colours() -> dict[str, str]:
    """The value of each colour in the light theme, from the page's style sheet."""
    text = (files("streamgage.html") / "assets" / "report.css").read_text("utf-8")
    return {name: _value(solid, alpha) for name, solid, alpha in _VARIABLE.findall(text)}


def _value(solid: str, alpha: str) -> str:
    if not alpha:
        return solid
    red, green, blue = (int(solid[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {int(alpha, 16) / 255:.3f})"


def _coloured(value: Any, shared: Sequence[Mapping[str, Any]], key: str = "") -> Any:  # noqa: ANN401 - of Plotly
    """Copy the trace, with values in place of the names of colours and of shared arrays."""
    if isinstance(value, list | tuple):
        return [_coloured(each, shared) for each in value]
    if isinstance(value, Mapping):
        if "shared" in value:
            return dict(shared[value["shared"]])
        return {name: _coloured(each, shared, name) for name, each in value.items()}
    if key == "colorscale":
        return [[0, colours()["heat-low"]], [1, colours()["heat-high"]]]
    return colours()[value] if key.endswith("color") and isinstance(value, str) else value


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(one)
    for key, value in other.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = _merged(result[key], value) if both else value
    return result
