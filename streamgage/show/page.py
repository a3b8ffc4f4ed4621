"""The content of a result without any format: tables, plots, sentences, findings and data.

Cells keep values with their bounds and units; only renderers make text of them. Texts are written
with the marks of Unicode (``·``, ``±``, ``–``), for which a renderer puts plain ones where its
output lacks them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Trust
from streamgage.records import Machine
from streamgage.units import (
    format_bytes,
    format_change,
    format_half_width,
    format_nanoseconds,
    format_rate,
    format_share,
)

Row = TypeVar("Row")
Value = float | int | str | bool | None
DASH = "-"


class Unit(msgspec.Struct, frozen=True):
    """How values are written: ``write`` takes a value as it is kept, without its unit."""

    name: str
    write: Callable[[float], str]
    half: Callable[[float, float], str]
    """Half of an interval, given the value that it belongs to: what stands after ±."""
    factor: float = 1.0
    """Factor from the stored value to the value on an axis or in a column of data."""
    suffix: str = ""
    """Written once, after the figure and half of its interval."""


RATE = Unit("GB/s", format_rate, format_half_width)
NANOSECONDS = Unit("ns", format_nanoseconds, lambda half, _: format_nanoseconds(half), 1e9)
SIZE = Unit("bytes", format_bytes, lambda half, _: format_bytes(half))
SHARE = Unit("", format_share, lambda half, _: format_share(half))
CHANGE = Unit("", format_change, lambda half, _: format_share(half))
COUNT = Unit("", lambda value: f"{value:g}", lambda half, _: f"{half:g}")
RATIO = Unit("", lambda value: f"{value:.2f}", lambda half, _: f"{half:.2f}")


class Code(str):
    """Text as people type it, such as a command."""

    __slots__ = ()


Tone = Literal["", "good", "bad", "doubtful", "quiet"]


class Cell(msgspec.Struct, frozen=True):
    """One figure or word of a table. A figure keeps its value; a word may have an order."""

    text: str = ""
    """The words; empty if ``unit`` writes the value."""
    value: float | None = None
    """The figure; with a text, what the column is sorted by."""
    low: float | None = None
    high: float | None = None
    unit: Unit | None = None
    strong: bool = False
    """Whether it stands out, such as a node's own memory."""
    detail: str = ""
    """Next to it on a page, less heavy: how it is known."""
    wrong: bool = False
    """Whether it does not count and is marked."""
    tone: Tone = ""
    """Its colour on a terminal."""
    ranged: bool = False
    """``True`` if its bounds are the range of a few figures, which ± would misstate."""


def figure(
    estimate: Estimate | None, unit: Unit = RATE, *, strong: bool = False, bounds: bool = True
) -> Cell:
    """The cell of an estimate; a dash if there is none. ``bounds``: whether they are shown."""
    if estimate is None:
        return Cell(DASH)
    low, high = (estimate.low, estimate.high) if bounds else (None, None)
    ranged = estimate.bounded_by == "range"
    return Cell("", estimate.value, low, high, unit, strong, ranged=ranged)


def size(known: int | None) -> Cell:
    """The cell of a size in bytes; a dash if it is not known."""
    return Cell(DASH) if known is None else Cell("", known, unit=SIZE)


class Column(msgspec.Struct, Generic[Row], frozen=True):
    """One column: its head, and the cell that it has of a row."""

    title: str
    cell: Callable[[Row], Cell]
    left: bool = False
    """``True`` if cells are aligned left, as words are and figures are not."""
    may_go: int = 0
    """A terminal that is too narrow leaves out the columns with the greatest number first; 0:
    never."""
    group: str = ""
    """What stands above it and the columns next to it that have the same."""
    about: str = ""
    """What the figures are, where the title is too short to say it."""
    long_title: str = ""
    """The title if there is room; default: the short one."""
    roomy: bool = False
    """``True`` if cells have long text, which may be wrapped."""
    widest: int = 0
    """The letters of a line on a terminal, for tables with roomy columns; 0: any number."""
    half: bool = False
    """Half of the interval of the figure before it: close to it on a terminal, without a title."""

    @property
    def whole_title(self) -> str:
        """The title with its group, where a format has one line of heads."""
        title = self.long_title or self.title
        return f"{self.group}: {title}" if self.group else title


Split = Literal["never", "columns", "groups"]


class Table(msgspec.Struct, Generic[Row], frozen=True):
    """Columns over rows; the first column is the head of each row."""

    columns: Sequence[Column[Row]]
    rows: Sequence[Row]
    title: str = ""
    about: str = ""
    """What the figures are, after the title."""
    caption: str = ""
    """The caption on a page, where every table has one; default: the title and its subject."""
    notes: Sequence[tuple[str, str]] = ()
    """Sentences below it, each with what it is about, such as a group; empty: the table."""
    gap: int = 2
    """Blanks between columns of text."""
    split: Split = "never"
    """Where a narrow terminal splits the table into several, each with the first column."""
    even: bool = False
    """``True`` if text has all columns but the first equally wide."""
    over: str = ""
    """What stands above all columns but the first."""
    merge: bool = False
    """``True`` if the first column is empty if it would repeat the one above it."""
    empty: str = ""
    """Text instead of the rows if there are none; without columns, instead of the table."""
    foot: Sequence[str] = ()
    """What the figures are, right below the rows: sentences, in Markdown one paragraph each."""
    report_note: str = ""
    """What a report has instead of the page's note."""
    legend: bool = False
    """``True`` if its foot is one line of short phrases. A terminal says there what the columns
    are, and which are left out, and leaves out the note of the page."""

    @property
    def lines_below(self) -> Sequence[str]:
        """The foot as sentences: short phrases become one."""
        if not self.legend or not self.foot:
            return self.foot
        text = "; ".join(self.foot)
        return [f"{text[0].upper()}{text[1:]}."]

    @property
    def whole_title(self) -> str:
        """The caption."""
        return self.caption or ": ".join(text for text in (self.title, self.about) if text)


class Datum(msgspec.Struct, Generic[Row], frozen=True):
    """A column of data: its key, and the value that it has of a row; ``None``: not known."""

    key: str
    value: Callable[[Row], Value]
    digits: int | None = 6
    """Significant digits of a float written as text; ``None``: as many as it takes."""


class Data(msgspec.Struct, Generic[Row], frozen=True):
    """A row for each figure, for spreadsheets, programs and data frames."""

    columns: Sequence[Datum[Row]]
    rows: Sequence[Row]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(each.key for each in self.columns)

    def values(self) -> list[tuple[Value, ...]]:
        """The rows, a value for each column."""
        return [tuple(each.value(row) for each in self.columns) for row in self.rows]


def bounded(
    key: str, read: Callable[[Row], Estimate | None], factor: float = 1.0
) -> tuple[Datum[Row], Datum[Row], Datum[Row]]:
    """Three columns of data: an estimate, and its bounds as ``KEY_low`` and ``KEY_high``."""

    def part(name: str) -> Callable[[Row], Value]:
        def value(row: Row) -> Value:
            found = getattr(read(row), name, None)
            return None if found is None else factor * found

        return value

    names = {"value": key, "low": f"{key}_low", "high": f"{key}_high"}
    first, second, third = (Datum(shown, part(name)) for name, shown in names.items())
    return first, second, third


NO_DATA: Data[Any] = Data((), ())


def with_column(data: Data[Row], key: str, value: Value) -> Data[Row]:
    """The data with one more column, which has that value in every row."""
    return Data((*data.columns, Datum(key, lambda _: value)), data.rows) if data.columns else data


class Block(msgspec.Struct, frozen=True):
    """Columns of numbers for gnuplot; ``None`` is ``NaN`` there."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[float | None]]
    width: int = 14
    """Width of the first column."""


class Columns(msgspec.Struct, frozen=True):
    """What ``--format dat`` has: sentences, those below the machine, and blocks."""

    about: Sequence[str]
    notes: Sequence[str]
    blocks: Sequence[Block]


Scale = Literal["linear", "log", "bytes", "counts"]


class Axis(msgspec.Struct, frozen=True):
    """One axis. ``bytes``: logarithmic, a tick for every fourfold; ``counts``: a tick for each."""

    title: str
    unit: Unit | None = None
    scale: Scale = "linear"
    from_zero: bool = False
    ticks: Sequence[int] = ()
    """The numbers of ticks, for ``counts`` and optionally for ``log``."""
    head: str = ""
    """Heading of its column in a table; default: the title."""
    to: float | None = None
    """The end in a picture, with ``from_zero``; default: a little above the figures."""


class Series(msgspec.Struct, frozen=True):
    """One line of a plot; a point without a figure breaks it."""

    name: str
    xs: Sequence[float]
    figures: Sequence[Estimate | None]
    texts: Sequence[str] = ()
    """What the pointer shows at each point."""
    look: int = 0
    """Its colour, mark and dash."""
    joined: bool = True
    """``True`` if a line joins its points."""


class Plateau(msgspec.Struct, frozen=True):
    """A broad bar from end to end, with its name: a level of the memory hierarchy."""

    text: str
    ends: tuple[float, float]
    y: float
    look: int = 0


class Upright(msgspec.Struct, frozen=True):
    """A dashed line from the bottom to the top; ``long_text`` if there is room."""

    x: float
    text: str
    long_text: str
    at_foot: bool = False


class Ring(msgspec.Struct, frozen=True):
    """A ring around a point."""

    x: float
    y: float
    look: int = 0


class Cross(msgspec.Struct, frozen=True):
    """A cross on a point that is not what it was meant to be."""

    x: float
    y: float
    look: int = 0


class Guide(msgspec.Struct, frozen=True):
    """A dashed line through two points, such as the ideal speedup."""

    name: str
    """The name; empty: only a picture has it."""
    ends: tuple[tuple[float, float], tuple[float, float]]


class Limit(msgspec.Struct, frozen=True):
    """A dotted line at a height."""

    y: float


Mark = Plateau | Upright | Ring | Cross | Guide | Limit


class _Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """How a page frames a plot."""

    select: str = ""
    """What the reader chooses between, where a page shows one drawing of several."""
    first: int = 0
    """The drawing that is shown at first."""
    wide: bool = False
    tall: bool = False


class _Wide(_Drawn, frozen=True, kw_only=True):
    """A plot as wide as the page."""

    wide: bool = True


class Lines(_Drawn, frozen=True):
    """A plot of lines."""

    title: str
    about: str
    """What it shows, for whoever does not see it."""
    x: Axis
    y: Axis
    series: Sequence[Series]
    marks: Sequence[Mark] = ()
    panel: str = ""
    """The title in a picture with several plots; default: ``title``."""
    rings: str = ""
    """What the rings mark."""
    crosses: str = ""
    """What the crosses mark."""
    table: Table[Any] | None = None
    """The figures; default: a row for each x, a column for each line."""
    caption: str = ""
    """Caption of that default; empty: the title of the vertical axis."""
    legend: bool = True
    legend_inside: bool = False
    """``True`` if a picture has the legend in this plot, not above all plots."""
    shares: Sequence[Series] = ()
    """Thin lines in percent on an axis of their own, in a picture alone."""
    nothing: str = ""
    """What a picture says if there is no point."""


class Heat(_Drawn, frozen=True):
    """A table whose figures have shades, too, and whose cells that stand out are outlined."""

    title: str
    about: str
    table: Table[Any]
    """The table; its ``over`` and the title of its first column name the axes."""
    panel: str = ""
    """The title in a picture with several plots; default: ``title``."""


class Strip(msgspec.Struct, frozen=True):
    """One column of dots: its name, its figures, and their median."""

    column: str
    values: Sequence[float]
    middle: float
    texts: Sequence[str]
    """What the pointer shows at each dot."""


class Dots(_Wide, frozen=True):
    """Columns of dots, each with its median: a kernel at a time."""

    title: str
    about: str
    y: Axis
    columns: Sequence[str]
    panels: Mapping[str, Sequence[Strip]]
    """The strips by kernel; a picture shows them all."""
    table: Table[Any]

    @property
    def values(self) -> list[float]:
        """All dots, of every kernel."""
        return [value for strips in self.panels.values() for e in strips for value in e.values]


class Bars(_Wide, frozen=True):
    """Groups of lying bars, a colour for each series."""

    title: str
    about: str
    axis: Axis
    names: Sequence[str]
    series: Sequence[tuple[str, Sequence[Estimate | None]]]
    table: Table[Any]


class Over(msgspec.Struct, frozen=True):
    """Short lines over the bars of a series: another figure of the same."""

    series: int
    points: Sequence[tuple[str, Estimate, str]]
    """The name of the group, the figure, and how it is known."""


class UprightBars(Bars, frozen=True):
    """Bars that stand, with a line across all of them if there is a limit."""

    over: Sequence[Over] = ()
    over_name: str = ""
    limit: tuple[float, str] | None = None
    """A height, and its name."""


class Course(msgspec.Struct, frozen=True):
    """Figures in the order measured."""

    name: str
    places: Sequence[int]
    values: Sequence[float]
    breaks: Sequence[float]
    """Places at which something changed, such as the arrays."""
    middle: Estimate | None
    """The median, and its interval."""


class Courses(_Wide, frozen=True):
    """Figures in the order measured and their histogram: of one course at a time."""

    title: str
    about: str
    x: Axis
    y: Axis
    courses: Sequence[Course]
    table: Table[Any]


class Bin(msgspec.Struct, frozen=True):
    """One bar of a histogram: its ends, and how many of each name it holds."""

    low: float
    high: float
    counts: Sequence[int]


class Histogram(_Wide, frozen=True):
    """Counts values by size, with the bars of several names stacked; shows one panel at a time."""

    title: str
    about: str
    x: Axis
    names: Sequence[str]
    panels: Mapping[str, Sequence[Bin]]


class HeatMap(_Wide, frozen=True):
    """Many small cells in rows of any length, their values as shades alone."""

    title: str
    about: str
    x: Axis
    y: Axis
    scale: str
    """What the shades are."""
    most: float
    """Cells with this value or more are as dark as can be."""
    rows: Sequence[str]
    values: Sequence[Sequence[float | None]]
    texts: Sequence[Sequence[str]]
    """What the pointer shows at each cell."""
    table: Table[Any]
    """The rows as figures."""


Plot = Lines | Heat | Dots | Bars | Courses | Histogram | HeatMap
Plots = Sequence[Plot]


class Listing(msgspec.Struct, frozen=True):
    """Names below the tables, each with a sentence."""

    pairs: Sequence[tuple[str, str]]
    title: str = ""
    """Above it in Markdown."""
    heading: str = ""
    """Above it on a terminal."""
    empty: str = ""
    """What a terminal says if there are none."""
    details: bool = False
    """``True`` if a terminal shows it with ``--details`` alone. A report has it among the settings,
    and Markdown leaves out what has no title."""
    quiet: bool = False
    """``True`` if it is of lesser weight, and shown so."""


class Words(msgspec.Struct, frozen=True):
    """Sentences, a line or a paragraph each."""

    sentences: Sequence[str]
    mark: Literal["", "note", "passed", "warning", "error"] = ""
    """Before each of them."""
    strong: bool = False
    quiet: bool = False
    title: str = ""
    """The heading before the first of them, on a page."""


class Point(msgspec.Struct, frozen=True):
    """What a figure means, in a sentence or two."""

    name: str
    """The name; empty below another point of the same name."""
    text: str
    may_go: int = 0
    """Above 0: it may be left out where the screen is full; the greatest goes first."""


class FirstScreen(msgspec.Struct, frozen=True):
    """The answer on one screen, below its first line; ``--details`` shows the page in its place."""

    subject: str
    """What was measured and how, in one line."""
    table: Table[Any]
    """The few figures that are read first."""
    points: Sequence[Point]
    """What they mean."""
    quote: str
    more: str
    """The commands that show more."""
    folds: bool = True
    """``True`` if a page folds the tables of the whole answer: they have more kernels and store
    modes than a reader wants at first."""
    before: Sequence[str] = ()
    """Sentences right below the first line: what is known all the same, and what to do."""


class Page(msgspec.Struct, frozen=True):
    """Everything that a result, or the answer of another command, shows."""

    command: str
    """The command that measures it."""
    title: str
    machine: Machine | None
    headline: str = ""
    """The figure by which a result is known, with what it is of."""
    trust: Trust | None = None
    """How far the figures can be trusted; ``None`` of what is no result."""
    first: FirstScreen | None = None
    """``None``: a terminal shows the whole page."""
    machine_more: Sequence[str] = ()
    """What is known of the machine beyond its record, such as its peak."""
    warnings: Sequence[str] = ()
    """Above all else on a page, such as that counters were played back."""
    setup: Sequence[str] = ()
    """What was done to the machine, in every format next to it."""
    lines: Sequence[str] = ()
    """What ran, and how; a report has it among the settings."""
    terms: Sequence[tuple[str, str]] = ()
    """Names that the tables use, each with its meaning."""
    body: Sequence[Table[Any] | Words] = ()
    """Everything below, in order, for an answer that is not a result."""
    tables: Sequence[Table[Any]] = ()
    nothing: str = "No point was measured."
    """Text instead of the tables if there are none."""
    facts: Sequence[tuple[str, str]] = ()
    """Below the tables: names with a sentence, such as why a row has no figures."""
    facts_of: str = "name"
    """What these names are of, as the head of a column."""
    sources: Sequence[str] = ()
    """What made it, such as the version of each compiler; a report has it in the settings."""
    note: str = ""
    """What the figures are."""
    remarks: Sequence[str] = ()
    """What was left out, and why."""
    verdict: Sequence[str] = ()
    """What it comes to."""
    verdict_in_tables: bool = False
    """``True`` if the tables say it, so that text leaves it out."""
    lists: Sequence[Listing] = ()
    """Names with sentences, below all that is said of the tables."""
    limit: str = ""
    """What the limit is, a sentence; Markdown leaves it out."""
    quote: str = ""
    """The sentence to quote it by."""
    findings: Sequence[Finding] = ()
    passed: Sequence[tuple[str, str]] = ()
    """Checks that found nothing: their codes, and what they saw."""
    settings: Sequence[tuple[str, str]] = ()
    """How it was measured: terms, and what is known of each."""
    when: str = ""
    """When it was measured, and of what, where no machine says it."""
    picture: str = ""
    """The title of the picture."""
    caption: str = ""
    """Below the picture: how it was measured, and what it shows."""
    taken: float | None = None
    """Share of the CPUs' time that others took while it ran; ``None``: not known."""
    plots: Plots = ()
    across: int = 1
    """How many plots stand in a row of the picture."""
    data: Data[Any] = NO_DATA
    columns: Columns | None = None
    """The columns for gnuplot."""


def words(cell: Cell) -> str:
    """``23.9 ±0.2``: the figure with its bounds, or ``10.1 to 18.2``: the bounds alone.

    The range of a few figures is the latter unless it is tight.
    """
    if cell.text or cell.value is None or cell.unit is None:
        return cell.text
    known = figure_text(cell.value, cell.low, cell.high, cell.unit, ranged=cell.ranged)
    return f"{known}{cell.unit.suffix}"


def figure_text(
    value: float,
    low: float | None,
    high: float | None,
    unit: Unit = RATE,
    *,
    ranged: bool = False,
) -> str:
    """The text of a figure outside of cells, without its suffix."""
    written = unit.write(value)
    if low is None or high is None:
        return written
    if ranged and high - low > TIGHT * abs(value) and unit.write(low) != unit.write(high):
        return f"{unit.write(low)} to {unit.write(high)}"
    bounds = bounds_text(low, high, value, unit)
    return f"{written} {bounds}" if bounds.startswith("±") else bounds


TIGHT = 0.01
"""A range of a few figures within this share of the figure may stand after ±."""
WIDE = 0.20
"""Bounds farther apart than this share of the figure are shown instead of the figure."""
LOPSIDED = 2.0
"""So are bounds if one is this many times as far from the figure as the other,"""
MATTERS = 0.05
"""if they are also farther apart than this share of the figure."""


def bounds_text(low: float, high: float, value: float, unit: Unit) -> str:
    """``±0.2``, the wider half; ``10.1 to 18.2`` where that would mislead."""
    below, above = max(value - low, 0.0), max(high - value, 0.0)
    apart = (below + above) / abs(value) if value else math.inf if below + above else 0.0
    lopsided = max(below, above) > LOPSIDED * min(below, above) and apart > MATTERS
    if lopsided or apart > WIDE:
        return f"{unit.write(low)} to {unit.write(high)}"
    return f"±{unit.half(max(below, above), value)}"


def ends_text(low: float | None, high: float | None, value: float, unit: Unit) -> str:
    """``29.6 to 29.8``; where these would be the same: ``±0.1``, unless that would be zero."""
    if low is None or high is None:
        return ""
    if unit.write(low) != unit.write(high):
        return f"{unit.write(low)} to {unit.write(high)}"
    half = unit.half((high - low) / 2, value)
    return "" if half == unit.half(0, value) else f"±{half}"
