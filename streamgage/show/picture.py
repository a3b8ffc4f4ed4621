"""The plots of a page as one picture: a panel for each, with a title and a footer."""

from __future__ import annotations

import io
import logging
import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, singledispatch
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.errors import StreamgageError
from streamgage.process.installation import require
from streamgage.records.plain_text import one_line
from streamgage.show.footer import ABOVE_ZERO, ARROWS, footer
from streamgage.show.geometry import (
    decimal_ticks,
    ends_of_counts,
    fourfold_ticks,
    points_of,
)
from streamgage.show.page import (
    RATE,
    Axis,
    Cross,
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
    Series,
    Upright,
    words,
)
from streamgage.show.picture_file import DOTS_PER_INCH, DRAWS, Width
from streamgage.show.reach import Reach, ends_of_dots, reach_of
from streamgage.show.swarm import swarm
from streamgage.show.ticks import part_ticks, turn_names
from streamgage.units import format_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

READ = "#2a6f97"
WRITTEN = "#e9a03b"
LIMIT = "#9b2226"
TEXT = "#222222"
"""Colours that are easy to distinguish without red and green, and in grey."""
GREY = "#5a5a5a"
_GRID = "#e6e6e6"
_AXIS = "#bbbbbb"
_LETTERS_AN_INCH = 17
"""Letters per inch in the footer."""
_TITLE_LETTERS_AN_INCH = 11.5
_PANEL_LETTERS_AN_INCH = 10.5
"""Letters per inch in the titles of panels, which are bold."""
_TITLE_SIZE, _LEGEND_SIZE, _TICK_SIZE, _FOOTER_SIZE = 11, 8.5, 8, 7.5
_WIDTH = 10.0
_ROW, _LOWEST_ROW = 3.3, 2.0
_NARROWEST = 6.8
"""The width of the narrowest picture, in inches."""
_HEIGHT = 0.66
"""The height of a panel of lines, as a share of its width, up to the height of a whole row."""
_NARROW = 0.6
"""The least width of a panel next to others, as a share of the width that it takes alone."""
_SMALLEST, _SMALLEST_LETTERS = 0.75, 6.5
"""The smallest letters and marks of a narrow picture: as a share of their usual size, and in
points."""
_SHADES = "Blues"
"""A single hue from light to dark, which looks the same in grey."""
_LIGHTEST, _DARKEST = 0.06, 0.78
_CELL, _LARGEST_CELL = 0.62, 1.1
_SMALLEST_HEAT = 1.5
_LABELS, _FRAME, _ABOVE = 0.45, 1.05, 0.8
"""Inches that a matrix needs: for its labels; for labels and margins; above and below it."""
_ROOM, _ROOM_FOR_NAMES = 1.6, 3.2
"""How far a logarithmic axis reaches, as a multiple of its greatest figure. The room is for the
name of a plateau, and above it the name of a cache."""
_CROWD = 20
"""From this number of unjoined points on, they are drawn smaller and fainter."""
_STAMP_WIDTH, _POINTS_AN_INCH = 0.95, 72
"""The width of a stamp, as a share of that of the picture: a letter is as wide as high, nearly."""
_HALF_LINE = 0.27
"""Half the length of the line at a median; neighbouring columns of dots are 1 apart."""


_VARIABLES = ("MPLBACKEND", "SOURCE_DATE_EPOCH", "MATPLOTLIBRC")
_FOR_PRINT = (".pdf", ".eps")
"""Suffixes of pictures for print. They use Times, the font of the text in most LaTeX classes."""
_STAMPS: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "eps": {},
}
"""Metadata left out of files, so that the same figure always gives the same file."""


@dataclass(frozen=True)
class Style:
    """How one series of points looks. Colour, marker and dash each distinguish series."""

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
"""The colours of Okabe and Ito (Color Universal Design, 2008), which colour-blind people can
distinguish; further series start again from the first."""


def style(number: int) -> Style:
    """The style of series ``number``, counted from 0."""
    return STYLES[number % len(STYLES)]


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure of this size in inches; it needs no display."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", dpi=DOTS_PER_INCH)


def draw(page: Page, path: Path, width: Width | None = None) -> bytes:
    """Draw the page's plots and return the content of the file, in the format of its suffix.

    ``width``: ``None`` gives the plots the width that they need.
    """
    with drawn_for(path):
        return picture_bytes(figure_of(page, None if width is None else width.inches(path)), path)


def figure_of(page: Page, width: float | None = None) -> Figure:
    """Draw the plots of a page as one figure, in a column, or in rows where the page asks for it.

    ``width``: in inches, with fewer plots in a row if it is small; ``None`` is what they need.
    """
    plots = [panel for plot in page.plots for panel in _panels(plot)]
    dots = next((each for each in plots if isinstance(each, Dots)), None)
    frame = _frame(page, plots, width)
    arrows = any(_reach(each).cuts(_figures(each)) for each in plots if isinstance(each, Lines))
    ends = ends_of_dots([v for e in plots if isinstance(e, Dots) for v in e.values])
    notes = [ARROWS] * arrows + [ABOVE_ZERO] * (dots is not None and ends[0] > 0)
    below = footer_lines(footer(page, *notes), frame.width, frame.size)
    title = frame.wrapped(page.picture, frame.width * _TITLE_LETTERS_AN_INCH)
    names = _legend_names(plots)
    in_a_row = _in_a_row(names, frame)
    next_to_title = names and _room(names, len(names), frame) < frame.width - _room(title, 1, frame)
    titles = [frame.wrapped(_title(e), frame.panel * _PANEL_LETTERS_AN_INCH) for e in plots]
    rows = -(-len(names) // in_a_row) if names else 0
    lines = len(title) + rows * (not next_to_title) + 0.5 * bool(next_to_title)
    lines += frame.down * (max(map(len, titles), default=1) - 1)
    height = 0.38 + 0.22 * frame.size * lines + frame.row * frame.down
    figure = new_figure(frame.width, height + 0.16 * frame.size * len(below))
    if dots is not None:
        figure.supylabel(dots.y.title, fontsize=9, color=GREY)
    panels = list(
        figure.subplots(frame.down, frame.across, squeeze=False, sharey=dots is not None).flat
    )
    for axes, plot, lines_ in zip(panels, plots, titles, strict=False):
        _draw(plot, axes)
        axes.set_title("\n".join(lines_), fontsize=10, fontweight="bold", color=TEXT)
    if dots is not None:  # the panels share their axis
        panels[0].set_ylim(*ends)
    for axes in panels[len(plots) :]:
        axes.set_axis_off()
    above = "" if next_to_title else "\n".join(title)
    if not _legend(figure, panels, plots, in_a_row, above) or next_to_title:
        figure.suptitle("\n".join(title), fontsize=_TITLE_SIZE, x=0.01, ha="left", color=TEXT)
    figure.supxlabel("\n".join(below), fontsize=_FOOTER_SIZE, color=GREY, x=0.01, ha="left")
    if frame.size < 1:
        _shrink(figure, frame.size)
    _part_labels(figure, panels, plots)
    for text in {each.stamp for each in page.plots if each.stamp}:
        stamp(figure, text)
    return figure


@dataclass(frozen=True)
class _Frame:
    """How the plots of a picture are arranged, and how large its letters are."""

    width: float
    """The width of the picture; all lengths here are in inches."""
    across: int
    down: int
    row: float
    """The height of a row of plots."""
    size: float
    """The scale of letters and marks, relative to their usual size."""

    @property
    def panel(self) -> float:
        """The width of a plot."""
        return self.width / self.across

    def wrapped(self, text: str, letters: float) -> list[str]:
        """Wrap text into lines of so many letters of the usual size; return at least one line."""
        return textwrap.wrap(text, max(10, int(letters / self.size))) or [""]


def _frame(page: Page, plots: Sequence[Plot], width: float | None) -> _Frame:
    across = max(1, page.across)
    own = max((_width(each, across) for each in plots), default=_WIDTH / across)
    needed = max(_NARROWEST, across * own)
    size, panel = 1.0, own
    if width is not None:
        size = min(1.0, max(_SMALLEST, (width / needed) ** 0.5))
        across = max(1, min(across, int(width / (_NARROW * own))))
        needed, panel = width, width / across
    row = max((_height(each, panel) for each in plots), default=_ROW)
    return _Frame(needed, across, max(1, -(-len(plots) // across)), row, size)


def _shrink(figure: Figure, size: float) -> None:
    """Make letters, lines and marks smaller, but keep the letters readable."""
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_fontsize(max(_SMALLEST_LETTERS, size * float(text.get_fontsize())))
    for each in figure.findobj(Line2D):
        each.set_linewidth(size * each.get_linewidth())
        each.set_markersize(size * each.get_markersize())
    for axes in figure.axes:
        axes.tick_params(labelsize=max(_SMALLEST_LETTERS, size * _TICK_SIZE))


def _part_labels(figure: Figure, panels: Sequence[Axes], plots: Sequence[Plot]) -> None:
    """Leave out numbers on axes that would touch each other, and turn names that would."""
    figure.draw_without_rendering()
    for axes, plot in zip(panels, plots, strict=False):
        if isinstance(plot, Lines):
            part_ticks(axes, plot.x.scale, plot.y.scale)
        elif isinstance(plot, Heat):
            _leave_out_figures(axes)
    if any(isinstance(each, Dots) for each in plots):
        turn_names(panels[: len(plots)])


def _leave_out_figures(axes: Axes) -> None:
    """Remove figures from cells that are too narrow for them, leaving the shades."""
    (left, _), (right, _) = axes.transData.transform([(0, 0), (1, 0)])
    if any(text.get_window_extent().width > right - left for text in axes.texts):
        for text in axes.texts:
            text.set_visible(False)


@singledispatch
def _width(_: Plot, across: int) -> float:
    """The width of a plot with its labels, in inches, if the picture's width is free."""
    return _WIDTH / across


@_width.register(Heat)
def _width_of_heat(plot: Heat, _: int) -> float:
    """The width that the cells need; each is as wide as there is room for."""
    columns, rows = len(plot.table.columns) - 1, len(plot.table.rows)
    cell = min(_LARGEST_CELL, max(_CELL, _SMALLEST_HEAT / max(columns, rows)))
    return max(_SMALLEST_HEAT, cell * columns) + _FRAME


@_width.register(Dots)
def _width_of_dots(plot: Dots, _: int) -> float:
    """The width that the columns of dots need."""
    return 1.1 + 0.75 * len(plot.columns)


@singledispatch
def _height(_: Plot, width: float) -> float:
    """The height of a plot of this width, in inches."""
    return min(_ROW, max(_LOWEST_ROW, _HEIGHT * width))


@_height.register(Heat)
def _height_of_heat(plot: Heat, width: float) -> float:
    """The height at which cells are square."""
    columns, rows = len(plot.table.columns) - 1, len(plot.table.rows)
    return (width - _LABELS) * rows / columns + _ABOVE


@_height.register(Dots)
def _height_of_dots(_: Dots, __: float) -> float:
    """The height of columns of dots, however narrow they are."""
    return _ROW


def _panels(plot: Plot) -> Sequence[Plot]:
    """The plots that a picture shows side by side, while a report shows one at a time."""
    if not isinstance(plot, Dots):
        return [plot]
    return [replace(plot, panels={name: strips}) for name, strips in plot.panels.items()]


def _legend(
    figure: Figure, panels: Sequence[Axes], plots: Sequence[Plot], in_a_row: int, title: str
) -> bool:
    """Add a legend for the whole picture if a panel has several lines.

    Return whether it is at the top. ``title``: the picture's title, which moves above the legend if
    both do not fit in a line.
    """
    for axes, plot in zip(panels, plots, strict=False):
        if isinstance(plot, Lines) and plot.legend_inside and plot.series:
            axes.legend(loc="best", frameon=False, fontsize=_LEGEND_SIZE)
    for axes, plot in zip(panels, plots, strict=False):
        if isinstance(plot, Lines) and _has_legend_above(plot):
            handles, labels = axes.get_legend_handles_labels()
            figure.legend(
                handles,
                labels,
                loc="outside upper left" if title else "outside upper right",
                ncols=in_a_row,
                frameon=False,
                fontsize=_LEGEND_SIZE,
                title=title or None,
                title_fontsize=_TITLE_SIZE,
                alignment="left",
                borderaxespad=0.2,
            )
            return True
    return False


def _legend_names(plots: Sequence[Plot]) -> list[str]:
    """The names in the legend above all plots."""
    above = [each for each in plots if isinstance(each, Lines) and _has_legend_above(each)]
    return [each.name for each in above[0].series] if above else []


def _in_a_row(names: Sequence[str], frame: _Frame) -> int:
    """The number of legend entries that fit side by side."""
    many = [n for n in range(1, len(names) + 1) if _room(names, n, frame) <= frame.width]
    return max(many, default=1)


def _room(names: Sequence[str], in_a_row: int, frame: _Frame) -> float:
    """The width in inches that so many legend entries take side by side."""
    widest = max(map(len, names), default=0)
    return frame.size * in_a_row * (0.65 + 0.085 * widest)


def _title(plot: Plot) -> str:
    """The title of a plot next to others."""
    if isinstance(plot, Dots):
        return next(iter(plot.panels), "")
    return plot.panel or plot.title if isinstance(plot, Lines | Heat) else plot.title


def _has_legend_above(plot: Lines) -> bool:
    return plot.legend and not plot.legend_inside


@singledispatch
def _draw(plot: Plot, axes: Axes) -> None:
    raise TypeError(f"a plot of {type(plot).__name__} cannot be shown in a picture")


@_draw.register(Lines)
def _draw_lines(plot: Lines, axes: Axes) -> None:
    factor = plot.y.unit.factor if plot.y.unit else 1.0
    reach = _reach(plot)
    for each in plot.series:
        line(axes, each, reach, plot.y, thick=plot.x.scale == "counts")
    dress(axes, x=plot.x.title, y=plot.y.title)
    if not plot.series and plot.nothing:
        axes.text(0.5, 0.5, plot.nothing, ha="center", color=GREY, transform=axes.transAxes)
        return
    _set_axis(axes, plot.x, [x for each in plot.series for x in each.xs])
    if plot.y.scale == "log":
        both = {type(each) for each in plot.marks} >= {Plateau, Upright}
        room = _ROOM_FOR_NAMES if both else _ROOM
        value_axis(axes, factor * reach.low, room * factor * reach.high)
    elif plot.y.from_zero:
        axes.set_ylim(factor * reach.low, max(factor * reach.end, plot.y.to or 0.0))
    for mark_ in plot.marks:
        _mark(axes, mark_, factor)
    if plot.shares:
        _draw_shares(axes, plot)


def _figures(plot: Lines) -> list[Estimate | None]:
    return [each for series in plot.series for each in series.figures]


def _reach(plot: Lines) -> Reach:
    return reach_of(_figures(plot), log=plot.y.scale == "log")


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
        figure = axes.text(x, y, text, ha="center", va="center", fontsize=8.5, color=colour)
        figure.set_in_layout(False)  # it lies within its cell, or is left out
        if cell.strong:
            _outline(axes, x, y)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(columns)), [each.title for each in columns])
    axes.set_yticks(range(len(rows)), [words(lead.cell(row)) for row in rows])
    dress(axes, x=plot.table.over, y=lead.title, grid="none")
    axes.spines["bottom"].set_visible(False)


_Place = tuple[int, int]


def _shades(values: Mapping[_Place, float]) -> dict[_Place, float]:
    """Shades from light at 0 to dark at the greatest figure, so that close figures look close."""
    most = max(values.values(), default=0.0) or 1.0
    step = _DARKEST - _LIGHTEST
    return {place: _LIGHTEST + step * value / most for place, value in values.items()}


def _fill(axes: Axes, x: int, y: int, shade: float | None) -> None:
    """Fill a cell with its shade, or hatch it if it has no figure."""
    from matplotlib.patches import Rectangle

    colour = "#f4f4f4" if shade is None else _colours()(shade)
    hatch = "////" if shade is None else None
    corner = (x - 0.5, y - 0.5)
    cell = Rectangle(corner, 1, 1, facecolor=colour, edgecolor="white", linewidth=1, hatch=hatch)
    cell.set_in_layout(False)
    axes.add_artist(cell)  # add_patch would compute the limits of the axes, which are known


@cache
def _colours() -> Colormap:
    """The colours of the shades; kept because Matplotlib builds them at every call."""
    from matplotlib import colormaps

    return colormaps[_SHADES]


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
            color=faint(colour, 0.75),
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
    dress(axes)
    axes.set_xticks(range(len(plot.columns)), plot.columns, fontsize=9)
    axes.set_xlim(-0.6, len(plot.columns) - 0.3)


def _draw_shares(axes: Axes, plot: Lines) -> None:
    """Draw thin lines in percent, on an axis of their own."""
    shares = axes.twinx()
    for each in plot.shares:
        known = [(x, 100 * e.value) for x, e in zip(each.xs, each.figures, strict=True) if e]
        colour = faint(style(each.look).colour, 0.55)
        shares.plot(*zip(*known, strict=True), color=colour, linewidth=0.9)
    most = max((100 * e.value for each in plot.shares for e in each.figures if e), default=0.0)
    shares.set_ylim(0, max(110.0, 1.05 * most))
    shares.set_yticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
    dress(shares, y="efficiency (thin lines)", grid="none")
    shares.yaxis.set_label_position("right")


def _set_axis(axes: Axes, axis: Axis, xs: Sequence[float]) -> None:
    if axis.scale == "bytes":
        size_axis(axes, [round(x) for x in xs])
    elif axis.scale == "log":
        log_axis(axes, min(xs), max(xs), axis.ticks)
    elif axis.scale == "counts" and axis.ticks:
        axes.set_xticks(axis.ticks, [str(n) for n in axis.ticks])
        axes.set_xlim(*ends_of_counts(axis.ticks))
    elif axis.from_zero:
        axes.set_xlim(left=0)


def _on_a_point(axes: Axes, x: float, y: float, look: Mapping[str, Any]) -> None:
    axes.scatter([x], [y], linewidths=1.3, clip_on=False, zorder=4, **look)


def _mark(axes: Axes, drawn: Mark, factor: float) -> None:
    match drawn:
        case Plateau():
            colour = style(drawn.look).colour
            plateau(axes, drawn.text, drawn.ends, factor * drawn.y, colour)
        case Upright():
            low, high = axes.get_xlim()
            if low <= drawn.x <= high:
                mark(axes, drawn.text, drawn.x)
        case Ring():
            colour = style(drawn.look).colour
            look: dict[str, Any] = {"s": 100, "facecolors": "none", "edgecolors": colour}
            _on_a_point(axes, drawn.x, factor * drawn.y, look)
        case Cross():
            look = {"s": 90, "marker": "x", "color": style(drawn.look).colour}
            _on_a_point(axes, drawn.x, factor * drawn.y, look)
        case Guide():
            (x0, y0), (x1, y1) = drawn.ends
            axes.plot([x0, x1], [y0, y1], color=GREY, linewidth=0.9, dashes=(4, 3), zorder=1)
            axes.annotate(
                drawn.name,
                (x1, y1),
                xytext=(-12, 0),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=8,
                color=GREY,
            )
        case Limit():
            axes.axhline(factor * drawn.y, color=LIMIT, linewidth=0.9, linestyle=":")
            low, high = axes.get_ylim()
            axes.set_ylim(low, max(high, 1.05 * factor * drawn.y))


@contextmanager
def drawn_for(path: Path) -> Iterator[None]:
    """Draw with the fonts for files of this suffix, such as those of LaTeX.

    Raises ``UsageError`` if Matplotlib is not installed, ``StreamgageError`` if it fails.
    """
    require("A picture", *DRAWS)
    with _without_variables():
        log = logging.getLogger("matplotlib")
        before = log.level
        log.setLevel(logging.CRITICAL)  # what it says of the user's settings, which are not used
        try:
            from matplotlib import rc_context, rcdefaults, rcParams
        except Exception as error:
            raise _drawing_failed(path, error) from error
        finally:
            log.setLevel(before)

    look: dict[Any, Any] = {"svg.hashsalt": "streamgage", "svg.fonttype": "none"}
    if path.suffix.lower() in _FOR_PRINT:
        look |= {"font.family": "STIXGeneral", "mathtext.fontset": "stix"}
        look |= {"pdf.fonttype": 42, "ps.fonttype": 42}  # text stays text, which can be searched
    with _without_variables(), rc_context():
        rcdefaults()  # the user's own settings, such as those for LaTeX, are not the picture's
        rcParams.update(look)
        try:
            yield
        except StreamgageError:
            raise
        except Exception as error:
            if _is_ours(error):
                raise
            raise _drawing_failed(path, error) from error


@contextmanager
def _without_variables() -> Iterator[None]:
    """Hide the variables that Matplotlib reads, whatever they hold."""
    hidden = {name: os.environ.pop(name) for name in _VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)


def _drawing_failed(path: Path, error: Exception) -> StreamgageError:
    return StreamgageError(
        f"{path} could not be drawn, because Matplotlib failed ({one_line(str(error))}): install it"
        " again, or write another format."
    )


def _is_ours(error: Exception) -> bool:
    """Return whether the error comes from streamgage's own code."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__", "")).startswith("streamgage.")


def picture_bytes(figure: Figure, path: Path) -> bytes:
    """The content of the file, in the format of its suffix.

    The same figure gives the same bytes.
    """
    content = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    with drawn_for(path):
        figure.savefig(content, format=kind, metadata=_STAMPS[kind])
    written = content.getvalue()
    return re.sub(rb"%%CreationDate: [^\n]*\n", b"", written, count=1) if kind == "eps" else written


def stamp(figure: Figure, text: str) -> None:
    """Write across the whole figure what nobody must overlook, such as that it was replayed."""
    letters = _STAMP_WIDTH * figure.get_figwidth() * _POINTS_AN_INCH / len(text)
    figure.text(
        0.5,
        0.5,
        text,
        ha="center",
        va="center",
        rotation=18,
        fontsize=letters,
        fontweight="bold",
        color=LIMIT,
        alpha=0.12,
        zorder=10,
    )


def faint(colour: str, share: float) -> tuple[float, ...]:
    """Mix the colour with white, because EPS has no transparency.

    ``share`` is the part that stays.
    """
    from matplotlib.colors import to_rgb

    return tuple(1 - share * (1 - part) for part in to_rgb(colour))


Grid = Literal["x", "y", "both", "none"]


def dress(axes: Axes, *, x: str = "", y: str = "", grid: Grid = "y") -> None:
    """Give axes the look of all plots: thin grid lines, no box, grey labels."""
    axes.set_xlabel(x, fontsize=8.5, color=GREY)
    axes.set_ylabel(y, fontsize=8.5, color=GREY)
    axes.tick_params(axis="both", labelsize=_TICK_SIZE, colors=GREY, length=0)
    axes.set_axisbelow(True)
    if grid != "none":
        axes.grid(axis=grid, which="major", color=_GRID, linewidth=0.7)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_AXIS)


def line(axes: Axes, series: Series, reach: Reach, axis: Axis, *, thick: bool) -> None:
    """Draw a series with its intervals; a figure of ``None`` interrupts the line.

    An interval that leaves the axis ends there, with an arrow and its bound.
    """
    points = points_of(series.xs, series.figures, reach, axis.unit)
    values = [float("nan") if each is None else each for each in points.values]
    look = style(series.look)
    if not series.joined:
        _points(axes, series, values)
        return
    axes.errorbar(
        series.xs,
        values,
        yerr=[points.below, points.above],
        color=look.colour,
        marker=look.marker,
        markersize=5 if thick else 4,
        linestyle=look.dash,
        linewidth=1.5 if thick else 1.3,
        elinewidth=0.9 if thick else 0.8,
        capsize=2.5 if thick else 2,
        label=series.name,
        zorder=3,
    )
    for each in points.arrows:
        marker = "^" if each.up else "v"
        _arrow(axes, (each.place, each.at), marker, each.text, look.colour)


def _points(axes: Axes, series: Series, values: Sequence[float]) -> None:
    """Draw marks that no line joins; many of them are small and faint."""
    crowd = len(series.xs) > _CROWD
    look = style(series.look)
    axes.plot(
        series.xs,
        values,
        color=faint(look.colour, 0.6) if crowd else look.colour,
        marker=look.marker,
        markersize=2.2 if crowd else 8,
        markeredgewidth=0,
        linestyle="none",
        label=series.name,
        zorder=2 if crowd else 4,
    )


def _arrow(axes: Axes, at: tuple[float, float], marker: str, text: str, colour: str) -> None:
    """Draw an arrow where a bar leaves the axis, with the bound that lies beyond it."""
    axes.plot([at[0]], [at[1]], marker=marker, markersize=6, color=colour, clip_on=False, zorder=4)
    axes.annotate(
        text,
        at,
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=7,
        color=colour,
        annotation_clip=False,
    )


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
    """Draw a dashed vertical line at ``x``, with its name at the top."""
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
        color=faint(GREY, 0.25),
        linewidth=5,
        solid_capstyle="butt",
        zorder=2,
    )
    name(axes, text, ((ends[0] * ends[1]) ** 0.5, y), colour)


def value_axis(axes: Axes, least: float, most: float) -> None:
    """Make the vertical axis logarithmic up to ``most``, with ticks at 1, 2, 5, 10, 20, ..."""
    axes.set_yscale("log")
    low, high = least / 1.3, most
    ticks = decimal_ticks(low, high)
    axes.set_yticks(ticks, [f"{each:g}" for each in ticks])
    axes.minorticks_off()
    axes.set_ylim(low, high)


def size_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """Make the horizontal axis one of bytes: logarithmic, with a tick for every factor of four."""
    low, high = min(sizes), max(sizes)
    axes.set_xscale("log", base=2)
    ticks = fourfold_ticks(low, high)
    axes.set_xticks(ticks, [format_bytes(each) for each in ticks])
    axes.minorticks_off()
    axes.set_xlim(low / 1.25, high * 1.25)


def log_axis(axes: Axes, least: float, most: float, at: Sequence[int] = ()) -> None:
    """Make the horizontal axis logarithmic, with ticks ``at`` numbers, or at powers of ten."""
    axes.set_xscale("log")
    known: Sequence[float] = at or [10.0**power for power in range(-6, 13)]
    ticks = [each for each in known if least / 1.3 <= each <= 1.3 * most]
    axes.set_xticks(ticks, [f"{each:g}" for each in ticks])
    axes.minorticks_off()
    axes.set_xlim(least / 1.3, most * 1.3)


def footer_lines(texts: Iterable[str], width: float, size: float = 1.0) -> list[str]:
    """Wrap the paragraphs of a footer to a picture of this width in inches.

    ``size``: the size of its letters, as a share of the usual size.
    """
    letters = int(width * _LETTERS_AN_INCH / max(size, _SMALLEST_LETTERS / _FOOTER_SIZE))
    return [line for text in texts for line in textwrap.wrap(text, letters)]
