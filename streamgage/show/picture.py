"""One set of axes, colours and captions for all plots, and the files that they are written to."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.records import Machine
from streamgage.show.machine_lines import line_of_machine
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
"""Colours that are told apart without red and green, and in grey."""
FEW_TICKS = 16
"""Up to so many numbers of workers each has its tick."""
GREY = "#5a5a5a"
_GRID = "#e6e6e6"
_AXIS = "#bbbbbb"
_DOTS_PER_INCH = 150
_LETTERS_AN_INCH = 15
_CAPTION_SIZE = 7.5


@dataclass(frozen=True)
class Style:
    """How one series of points looks: told apart by each of the three alone."""

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
apart; more series begin anew."""


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
    figures: Sequence[Bounded | None],
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


def _span(figure: Bounded, scale: float) -> tuple[float, float]:
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
