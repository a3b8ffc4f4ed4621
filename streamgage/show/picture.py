"""The plots of a page as one picture, SVG or PNG: a panel for each, with a title and a caption."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.records import Machine
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import (
    RATE,
    Axis,
    Dots,
    Guide,
    Heat,
    Limit,
    Lines,
    Mark,
    Page,
    Plateau,
    Plot,
    Ring,
    Upright,
    words,
)
from streamgage.show.swarm import swarm
from streamgage.show.symbols import UNICODE
from streamgage.units import format_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
READ = "#2a6f97"
WRITTEN = "#e9a03b"
LIMIT = "#9b2226"
TEXT = "#222222"
"""Colours that are distinguished without red and green, and in grey."""
FEW_TICKS = 16
"""Up to so many numbers of workers each has its tick."""
GREY = "#5a5a5a"
_GRID = "#e6e6e6"
_AXIS = "#bbbbbb"
_DOTS_PER_INCH = 150
_LETTERS_AN_INCH = 15
_CAPTION_SIZE = 7.5
_WIDTH = 10.0
_LEAST_WIDTH = 6.5
_ROW = 3.3
_NARROWEST = 6.8
"""Inches."""
_SHADES = "Blues"
"""One hue from light to dark: in grey it is the same."""
_LIGHTEST, _DARKEST = 0.06, 0.78
_CELL, _LARGEST_CELL = 0.62, 1.1
_SMALLEST_HEAT = 1.5
_LABELS, _FRAME, _ABOVE = 0.45, 1.05, 0.8
"""Inches that a matrix needs for its labels, for them and the margins, and above and below it."""
_HALF_LINE = 0.27
"""Of the line at a median, where columns of dots are 1 apart."""


@dataclass(frozen=True)
class Style:
    """How one series of points looks: distinguished by each of the three alone."""

    colour: str
    marker: str
    dash: str | tuple[int, tuple[int, ...]]


STYLES = (
    Style("#0072b2", "o", "-"),
    Style("#d55e00", "s", "--"),
    Style("#009e73", "^", "-."),
    Style("#cc79a7", "D", ":"),
    Style("#e69f00", "v", (0, (5, 1, 1, 1, 1, 1))),
    Style("#56b4e9", "P", (0, (3, 1))),
    Style("#222222", "X", (0, (1, 1))),
)
"""The colours of Okabe and Ito (Color Universal Design, 2008), which colour-blind people tell
apart; more series start again."""


def style(number: int) -> Style:
    """That of series ``number``, from 0."""
    return STYLES[number % len(STYLES)]


def is_picture(path: Path) -> bool:
    """Whether the name of the file is that of a picture that can be written."""
    return path.suffix.lower() in SUFFIXES


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, inches; it needs no display."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", dpi=_DOTS_PER_INCH)


def draw(page: Page, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return picture_bytes(figure_of(page), path)


def figure_of(page: Page) -> Figure:
    """The picture of a page: its plots in a column, or in rows where it says so."""
    plots = [panel for plot in page.plots for panel in _panels(plot)]
    dots = next((each for each in plots if isinstance(each, Dots)), None)
    across = max(1, page.across)
    down = max(1, -(-len(plots) // across))
    sizes = [_size(each, across) for each in plots] or [(_WIDTH / across, _ROW)]
    width = max(_NARROWEST, across * max(width for width, _ in sizes))
    row = max(height for _, height in sizes)
    lines = len(caption_lines(page.machine, page.caption, width))
    above = any(isinstance(each, Lines) and _has_legend_above(each) for each in plots)
    head_height = 0.85 if above else 0.6
    figure = new_figure(width, head_height + row * down + 0.16 * lines)
    if dots is not None:
        figure.supylabel(dots.y.title, fontsize=9, color=GREY)
    panels = list(figure.subplots(down, across, squeeze=False, sharey=dots is not None).flat)
    for axes, plot in zip(panels, plots, strict=False):
        _draw(plot, axes)
    for axes in panels[len(plots) :]:
        axes.set_axis_off()
    _legend(figure, panels, plots)
    head(figure, page.picture)
    foot(figure, page.machine, page.caption)
    return figure


@singledispatch
def _size(_: Plot, across: int) -> tuple[float, float]:
    """Width and height of a plot with its labels, inches."""
    return _WIDTH / across, _ROW


@_size.register(Heat)
def _size_of_heat(plot: Heat, _: int) -> tuple[float, float]:
    """What the number of cells needs: they are square, as wide as there is room."""
    columns, rows = len(plot.table.columns) - 1, len(plot.table.rows)
    cell = min(_LARGEST_CELL, max(_CELL, _SMALLEST_HEAT / max(columns, rows)))
    width = max(_SMALLEST_HEAT, cell * columns) + _FRAME
    return width, (width - _LABELS) * rows / columns + _ABOVE


@_size.register(Dots)
def _size_of_dots(plot: Dots, _: int) -> tuple[float, float]:
    """What the number of columns needs."""
    return 1.1 + 0.75 * len(plot.columns), _ROW


def _panels(plot: Plot) -> Sequence[Plot]:
    """What the picture shows next to each other, where a report lets one choose."""
    if not isinstance(plot, Dots):
        return [plot]
    return [replace(plot, panels={name: strips}) for name, strips in plot.panels.items()]


def _legend(figure: Figure, panels: Sequence[Axes], plots: Sequence[Plot]) -> None:
    """One for the whole picture, where a panel has several lines."""
    for axes, plot in zip(panels, plots, strict=False):
        if isinstance(plot, Lines) and plot.legend_inside and plot.series:
            axes.legend(loc="lower left", frameon=False, fontsize=8.5)
            return
        if isinstance(plot, Lines) and _has_legend_above(plot):
            handles, labels = axes.get_legend_handles_labels()
            figure.legend(
                handles,
                labels,
                loc="outside upper right",
                ncols=len(labels),
                frameon=False,
                fontsize=8.5,
            )
            return


def _has_legend_above(plot: Lines) -> bool:
    return plot.legend and not plot.legend_inside


@singledispatch
def _draw(plot: Plot, axes: Axes) -> None:
    raise TypeError(f"a plot of {type(plot).__name__} has no form in a picture")


@_draw.register(Lines)
def _draw_lines(plot: Lines, axes: Axes) -> None:
    factor = plot.y.unit.factor if plot.y.unit else 1.0
    for each in plot.series:
        thick = plot.x.scale == "counts"
        line(axes, each.xs, each.figures, style(each.look), each.name, scale=factor, thick=thick)
    dress(axes, title=plot.panel or plot.title, x=plot.x.title, y=plot.y.title)
    if not plot.series and plot.nothing:
        axes.text(0.5, 0.5, plot.nothing, ha="center", color=GREY, transform=axes.transAxes)
        return
    found = [each for series in plot.series for each in series.figures if each is not None]
    values = [v for each in found for v in (each.low, each.value, each.high) if v]
    _set_axis(axes, plot.x, [x for each in plot.series for x in each.xs])
    if plot.y.scale == "log":
        value_axis(axes, [factor * value for value in values])
    elif plot.y.from_zero:
        axes.set_ylim(bottom=0, top=plot.y.to)
    for mark_ in plot.marks:
        _mark(axes, mark_, factor)
    if plot.shares:
        _draw_shares(axes, plot)


@_draw.register(Heat)
def _draw_heat(plot: Heat, axes: Axes) -> None:
    lead, *columns = plot.table.columns
    rows = plot.table.rows
    cells = {(x, y): c.cell(row) for y, row in enumerate(rows) for x, c in enumerate(columns)}
    shades = _shades({place: e.value for place, e in cells.items() if e.value is not None})
    for (x, y), cell in cells.items():
        shade = shades.get((x, y))
        _fill(axes, x, y, shade)
        text = "–" if shade is None else words(cell)
        colour = "white" if shade is not None and shade > 0.5 else TEXT
        axes.text(x, y, text, ha="center", va="center", fontsize=8.5, color=colour)
        if cell.strong:
            _outline(axes, x, y)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), [each.title for each in columns])
    axes.set_yticks(range(len(rows)), [words(lead.cell(row)) for row in rows])
    dress(axes, title=plot.panel or plot.title, x=plot.table.over, y=lead.title, grid="none")
    axes.spines["bottom"].set_visible(False)


_Place = tuple[int, int]


def _shades(values: Mapping[_Place, float]) -> dict[_Place, float]:
    """From light to dark as figures grow; all light where they are the same."""
    least, most = min(values.values(), default=0.0), max(values.values(), default=0.0)
    span = most - least
    step = _DARKEST - _LIGHTEST
    return {
        place: _LIGHTEST + (step * (value - least) / span if span else 0.25 * step)
        for place, value in values.items()
    }


def _fill(axes: Axes, x: int, y: int, shade: float | None) -> None:
    """A cell in its shade; hatched where it has no figure."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    colour = "#f4f4f4" if shade is None else colormaps[_SHADES](shade)
    hatch = "////" if shade is None else None
    corner = (x - 0.5, y - 0.5)
    axes.add_patch(
        Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=1, hatch=hatch)
    )


def _outline(axes: Axes, x: int, y: int) -> None:
    from matplotlib.patches import Rectangle

    corner = (x - 0.47, y - 0.47)
    axes.add_patch(
        Rectangle(corner, 0.94, 0.94, fill=False, edgecolor=TEXT, linewidth=1.6, zorder=3)
    )


@_draw.register(Dots)
def _draw_dots(plot: Dots, axes: Axes) -> None:
    write = (plot.y.unit or RATE).write
    for strip in (each for strips in plot.panels.values() for each in strips):
        at = plot.columns.index(strip.column)
        colour = style(at).colour
        axes.scatter(
            [at + offset for offset in swarm(strip.values)],
            list(strip.values),
            s=22,
            color=colour,
            alpha=0.75,
            linewidths=0.4,
            edgecolors="white",
            zorder=3,
        )
        ends = (at - _HALF_LINE, at + _HALF_LINE)
        axes.hlines(strip.middle, *ends, color=colour, linewidth=1.8, zorder=2)
        axes.annotate(
            write(strip.middle),
            (at + _HALF_LINE + 0.03, strip.middle),
            fontsize=7.5,
            color=colour,
            va="center",
            annotation_clip=False,
        )
    dress(axes, title=next(iter(plot.panels), ""))
    axes.set_xticks(range(len(plot.columns)), plot.columns, fontsize=9)
    axes.set_xlim(-0.6, len(plot.columns) - 0.3)
    axes.margins(y=0.12)


def _draw_shares(axes: Axes, plot: Lines) -> None:
    """Thin lines in percent, on an axis of their own."""
    shares = axes.twinx()
    for each in plot.shares:
        known = [(x, 100 * e.value) for x, e in zip(each.xs, each.figures, strict=True) if e]
        colour = style(each.look).colour
        shares.plot(*zip(*known, strict=True), color=colour, linewidth=0.9, alpha=0.55)
    shares.set_ylim(0, 110)
    shares.set_yticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
    dress(shares, y="efficiency (thin lines)", grid="none")
    shares.yaxis.set_label_position("right")


def _set_axis(axes: Axes, axis: Axis, xs: Sequence[float]) -> None:
    if axis.scale == "bytes":
        size_axis(axes, [round(x) for x in xs])
    elif axis.scale == "counts" and axis.ticks:
        if len(axis.ticks) <= FEW_TICKS:
            axes.set_xticks(axis.ticks, [str(n) for n in axis.ticks])
        room = max(0.3, 0.04 * (axis.ticks[-1] - axis.ticks[0]))
        axes.set_xlim(axis.ticks[0] - room, axis.ticks[-1] + room)
    elif axis.from_zero:
        axes.set_xlim(left=0)


def _mark(axes: Axes, given: Mark, factor: float) -> None:
    match given:
        case Plateau():
            colour = style(given.look).colour
            plateau(axes, given.text, given.ends, factor * given.y, colour)
        case Upright():
            low, high = axes.get_xlim()
            if low <= given.x <= high:
                mark(axes, given.text, given.x)
        case Ring():
            axes.scatter(
                [given.x],
                [factor * given.y],
                s=100,
                facecolors="none",
                edgecolors=style(given.look).colour,
                linewidths=1.3,
                zorder=4,
            )
        case Guide():
            (x0, y0), (x1, y1) = given.ends
            axes.plot([x0, x1], [y0, y1], color=GREY, linewidth=0.9, dashes=(4, 3), zorder=1)
            axes.annotate(
                given.name,
                (x1, y1),
                xytext=(-12, 0),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=8,
                color=GREY,
            )
        case Limit():
            axes.axhline(factor * given.y, color=LIMIT, linewidth=0.9, linestyle=":")
            low, high = axes.get_ylim()
            axes.set_ylim(low, max(high, 1.05 * factor * given.y))


def picture_bytes(figure: Figure, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``; the same figure gives the same bytes."""
    from matplotlib import rc_context

    content = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    stamps = {"Date": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "streamgage", "svg.fonttype": "none"}):
        figure.savefig(content, format=kind, metadata=stamps)
    return content.getvalue()


def mark_replayed(figure: Figure) -> None:
    """Write across the whole figure that it shows no measurement of this machine."""
    figure.text(
        0.5,
        0.5,
        "REPLAYED",
        ha="center",
        va="center",
        rotation=18,
        fontsize=76,
        fontweight="bold",
        color=LIMIT,
        alpha=0.12,
        zorder=10,
    )


Grid = Literal["x", "y", "both", "none"]


def dress(axes: Axes, *, title: str = "", x: str = "", y: str = "", grid: Grid = "y") -> None:
    """Give axes the look of all plots: thin grid lines, no box, grey labels."""
    axes.set_title(title, fontsize=10, fontweight="bold", color=TEXT)
    axes.set_xlabel(x, fontsize=8.5, color=GREY)
    axes.set_ylabel(y, fontsize=8.5, color=GREY)
    axes.tick_params(axis="both", labelsize=8, colors=GREY, length=0)
    axes.set_axisbelow(True)
    if grid != "none":
        axes.grid(axis=grid, which="major", color=_GRID, linewidth=0.7)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_AXIS)


def line(
    axes: Axes,
    xs: Sequence[float],
    figures: Sequence[Estimate | None],
    look: Style,
    label: str,
    *,
    scale: float = 1.0,
    thick: bool = True,
) -> None:
    """A series with its intervals; a figure that is null breaks the line.

    ``scale``: from the figures' unit to that of the axis.
    """
    spans = [(0.0, 0.0) if each is None else _span(each, scale) for each in figures]
    axes.errorbar(
        xs,
        [float("nan") if each is None else scale * each.value for each in figures],
        yerr=[[below for below, _ in spans], [above for _, above in spans]],
        color=look.colour,
        marker=look.marker,
        markersize=5 if thick else 4,
        linestyle=look.dash,
        linewidth=1.5 if thick else 1.3,
        elinewidth=0.9 if thick else 0.8,
        capsize=2.5 if thick else 2,
        label=label,
        zorder=3,
    )


def _span(figure: Estimate, scale: float) -> tuple[float, float]:
    """What lies below the figure and above it; nothing where it has no bounds."""
    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return scale * (figure.value - low), scale * (high - figure.value)


def name(axes: Axes, text: str, at: tuple[float, float], colour: str, *, size: float = 8) -> None:
    """Write ``text`` above a point of the axes, readable where lines run through it."""
    from matplotlib.patheffects import withStroke

    axes.annotate(
        text,
        at,
        xytext=(0, 7),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=size,
        color=colour,
        zorder=5,
        path_effects=[withStroke(linewidth=2.5, foreground="white")],
    )


def mark(axes: Axes, text: str, x: float) -> None:
    """Draw a dashed line from the bottom to the top at ``x``, named at its top."""
    axes.axvline(x, color=LIMIT, linewidth=0.9, dashes=(4, 3), zorder=1)
    axes.annotate(
        text,
        (x, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-4, -3),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=8,
        color=LIMIT,
    )


def plateau(axes: Axes, text: str, ends: tuple[float, float], y: float, colour: str) -> None:
    """Draw a grey bar from end to end at ``y``, named above its middle on a logarithmic axis."""
    axes.plot(
        ends,
        [y] * 2,
        color=GREY,
        linewidth=5,
        alpha=0.25,
        solid_capstyle="butt",
        zorder=2,
    )
    name(axes, text, ((ends[0] * ends[1]) ** 0.5, y), colour)


def value_axis(axes: Axes, values: Sequence[float]) -> None:
    """Make the vertical axis logarithmic, with ticks at 1, 2 and 5 of each power of ten."""
    axes.set_yscale("log")
    low, high = min(values) / 1.3, 1.6 * max(values)
    steps = [digit * 10.0**power for power in range(-3, 7) for digit in (1, 2, 5)]
    ticks = [each for each in steps if low <= each <= high]
    axes.set_yticks(ticks, [f"{each:g}" for each in ticks])
    axes.minorticks_off()
    axes.set_ylim(low, high)


def size_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """Make the horizontal axis one of bytes: logarithmic, with a tick for every fourfold."""
    low, high = min(sizes), max(sizes)
    axes.set_xscale("log", base=2)
    ticks = [4**power for power in range(3, 24) if low / 1.2 <= 4**power <= 1.2 * high]
    axes.set_xticks(ticks, [format_bytes(each) for each in ticks])
    axes.minorticks_off()
    axes.set_xlim(low / 1.25, high * 1.25)


def head(figure: Figure, text: str) -> None:
    """The title of a whole figure."""
    figure.suptitle(text, fontsize=11, x=0.01, ha="left", color=TEXT)


def foot(figure: Figure, machine: Machine | None, told: str) -> int:
    """The caption: the machine, then host and date, and ``told``; the lines that it takes."""
    lines = caption_lines(machine, told, figure.get_figwidth())
    figure.supxlabel("\n".join(lines), fontsize=_CAPTION_SIZE, color=GREY, x=0.01, ha="left")
    return len(lines)


def caption_lines(machine: Machine | None, told: str, width: float) -> Sequence[str]:
    """The lines of ``foot`` in a figure of that width, inches."""
    where = "unknown machine" if machine is None else line_of_machine(machine, UNICODE)
    when = "" if machine is None else f"{machine.host}, {machine.time[:10]}; "
    letters = int(width * _LETTERS_AN_INCH)
    return [line for text in (where, f"{when}{told}") for line in textwrap.wrap(text, letters)]
