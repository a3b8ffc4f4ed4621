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
from msgspec.structs import replace

from streamgage.analysis.conclusion import Conclusion, supports
from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Trust
from streamgage.records import Machine
from streamgage.units import (
    capitalised,
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
    """How values are written. ``write`` takes the stored value and writes it without the unit."""

    name: str
    write: Callable[[float], str]
    half: Callable[[float, float], str]
    """Writes the number after ± from half of the interval's width and the figure itself."""
    factor: float = 1.0
    """The factor from the stored value to the value on an axis or in a column of data."""
    suffix: str = ""
    """A suffix that is written once, after the figure and its bounds."""


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
    """One cell of a table: a figure, which keeps its value, or words."""

    text: str = ""
    """The words; empty if ``unit`` writes the value."""
    value: float | None = None
    """The figure; in a cell with words, the value that the column is sorted by."""
    low: float | None = None
    high: float | None = None
    unit: Unit | None = None
    strong: bool = False
    """``True`` if it stands out, such as the bandwidth of a node's own memory."""
    detail: str = ""
    """Lighter text next to it on an HTML page, such as where the figure comes from."""
    wrong: bool = False
    """``True`` if the figure is wrong; it is then marked."""
    tone: Tone = ""
    """The colour on a terminal."""
    ranged: bool = False
    """``True`` if its bounds are the range of a few figures, which must not be written with ±."""


def figure(
    estimate: Estimate | None, unit: Unit = RATE, *, strong: bool = False, bounds: bool = True
) -> Cell:
    """Make the cell of an estimate, or a dash if there is none.

    ``bounds``: whether to show them.
    """
    if estimate is None:
        return Cell(DASH)
    low, high = (estimate.low, estimate.high) if bounds else (None, None)
    ranged = estimate.bounded_by == "range"
    return Cell("", estimate.value, low, high, unit, strong, ranged=ranged)


def size(known: int | None) -> Cell:
    """Make the cell of a size in bytes, or a dash if it is unknown."""
    return Cell(DASH) if known is None else Cell("", known, unit=SIZE)


class Column(msgspec.Struct, Generic[Row], frozen=True):
    """One column of a table: its title, and the function that makes its cell for a row."""

    title: str
    cell: Callable[[Row], Cell]
    left: bool = False
    """``True`` if its cells are aligned left, which suits words; figures are aligned right."""
    may_go: int = 0
    """A terminal that is too narrow drops the columns with the greatest number first; 0 is never
    dropped."""
    group: str = ""
    """The heading above it and its neighbours that have the same group."""
    about: str = ""
    """What the figures are, if the title is too short to say it."""
    long_title: str = ""
    """The title for formats with more room; empty if it is the short title."""
    roomy: bool = False
    """``True`` if its cells hold long text, which may be wrapped."""
    widest: int = 0
    """The most characters in a line on a terminal, for tables with roomy columns; 0 is no limit."""
    half: bool = False
    """``True`` if it holds half of the interval of the column before it. A terminal then prints it
    close to that column, without a title."""

    @property
    def whole_title(self) -> str:
        """The title with its group, for formats with a single line of titles."""
        title = self.long_title or self.title
        return f"{self.group}: {title}" if self.group else title


Split = Literal["never", "columns", "groups"]


class Table(msgspec.Struct, Generic[Row], frozen=True):
    """A table; the first column names the rows."""

    columns: Sequence[Column[Row]]
    rows: Sequence[Row]
    title: str = ""
    about: str = ""
    """What the figures are, written after the title."""
    caption: str = ""
    """The caption on an HTML page; by default the title and what the figures are."""
    notes: Sequence[tuple[str, str]] = ()
    """Sentences below the table, each with its subject, such as a group of columns. An empty
    subject is the table itself."""
    gap: int = 2
    """The number of blanks between columns of text."""
    split: Split = "never"
    """Where a narrow terminal splits the table into parts, each of which repeats the first
    column."""
    even: bool = False
    """``True`` if all columns but the first are equally wide in text."""
    over: str = ""
    """The heading above all columns but the first."""
    merge: bool = False
    """``True`` if a cell in the first column is left empty when it would repeat the one above
    it."""
    empty: str = ""
    """The text that replaces the rows if there are none; without columns, the table itself."""
    foot: Sequence[str] = ()
    """Sentences right below the rows that say what the figures are; each is a paragraph in
    Markdown."""
    report_note: str = ""
    """The note that replaces the page's note in a report."""
    legend: bool = False
    """``True`` if the foot is one line of short phrases. A terminal then adds to it what the
    columns are and which are left out, and omits the note of the page."""

    @property
    def lines_below(self) -> Sequence[str]:
        """The foot as sentences; short phrases are joined into one."""
        if not self.legend or not self.foot:
            return self.foot
        text = "; ".join(self.foot)
        return [f"{capitalised(text)}."]

    @property
    def whole_title(self) -> str:
        """The caption; by default the title and what the figures are."""
        return self.caption or ": ".join(text for text in (self.title, self.about) if text)


class Datum(msgspec.Struct, Generic[Row], frozen=True):
    """A column of data: its key, and the function that reads its value from a row.

    An unknown value is ``None``.
    """

    key: str
    value: Callable[[Row], Value]
    digits: int | None = 6
    """The significant digits of a float in text; ``None`` writes as many as are needed."""


class Data(msgspec.Struct, Generic[Row], frozen=True):
    """The figures as rows of plain values, for spreadsheets, programs and data frames."""

    columns: Sequence[Datum[Row]]
    rows: Sequence[Row]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(each.key for each in self.columns)

    def values(self) -> list[tuple[Value, ...]]:
        """The rows, each with one value per column."""
        return [tuple(each.value(row) for each in self.columns) for row in self.rows]


_MEDIANS = ("gbps", "ns", "seconds")
"""Figures whose column is named by their statistic, too, as in every table of ``measure``."""


def bounded(
    key: str, read: Callable[[Row], Estimate | None], factor: float = 1.0
) -> tuple[Datum[Row], Datum[Row], Datum[Row]]:
    """Make three columns of data: an estimate, and its bounds as ``low_KEY`` and ``high_KEY``.

    A rate or a time is called ``median_KEY``, and a ratio ``KEY``.
    """

    def part(name: str) -> Callable[[Row], Value]:
        def value(row: Row) -> Value:
            found = getattr(read(row), name, None)
            return None if found is None else factor * found

        return value

    value_key = f"median_{key}" if key in _MEDIANS else key
    names = {"value": value_key, "low": f"low_{key}", "high": f"high_{key}"}
    first, second, third = (Datum(shown, part(name)) for name, shown in names.items())
    return first, second, third


NO_DATA: Data[Any] = Data((), ())


def with_column(data: Data[Row], key: str, value: Value) -> Data[Row]:
    """Add a column that has the same value in every row; data without columns stays as it is."""
    return Data((*data.columns, Datum(key, lambda _: value)), data.rows) if data.columns else data


class Block(msgspec.Struct, frozen=True):
    """A block of columns of numbers for gnuplot; ``None`` becomes ``NaN``."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[float | None]]
    width: int = 14
    """The width of the first column, in characters."""


class Columns(msgspec.Struct, frozen=True):
    """The output of ``--format dat``: comments, notes below the machine, and blocks of numbers."""

    about: Sequence[str]
    notes: Sequence[str]
    blocks: Sequence[Block]


Scale = Literal["linear", "log", "bytes", "counts"]


class Axis(msgspec.Struct, frozen=True):
    """One axis of a plot.

    ``bytes`` is logarithmic with a tick for every factor of four; ``counts`` has a tick for each
    count.
    """

    title: str
    unit: Unit | None = None
    scale: Scale = "linear"
    from_zero: bool = False
    ticks: Sequence[int] = ()
    """The numbers that have ticks, with ``counts`` and optionally with ``log``."""
    head: str = ""
    """The heading of its column in a table; by default the title."""
    to: float | None = None
    """The end of the axis in a picture, with ``from_zero``; by default a little above the
    figures."""


class Series(msgspec.Struct, frozen=True):
    """One line of a plot. A point without a figure interrupts the line."""

    name: str
    xs: Sequence[float]
    figures: Sequence[Estimate | None]
    texts: Sequence[str] = ()
    """The text that the pointer shows at each point."""
    look: int = 0
    """The number of its colour, mark and dash."""
    joined: bool = True
    """``True`` if a line joins the points."""


class Plateau(msgspec.Struct, frozen=True):
    """A broad bar between two places, with a name: a level of the memory hierarchy."""

    text: str
    ends: tuple[float, float]
    y: float
    look: int = 0


class Upright(msgspec.Struct, frozen=True):
    """A vertical dashed line with a text, or with ``long_text`` if there is room."""

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
    """A cross on a point that was not measured as intended."""

    x: float
    y: float
    look: int = 0


class Guide(msgspec.Struct, frozen=True):
    """A dashed line between two points, such as the ideal speedup."""

    name: str
    """The name of the line; with an empty name only a picture draws it."""
    ends: tuple[tuple[float, float], tuple[float, float]]


class Limit(msgspec.Struct, frozen=True):
    """A dotted horizontal line at the height ``y``."""

    y: float


Mark = Plateau | Upright | Ring | Cross | Guide | Limit


class _PlotFrame(msgspec.Struct, frozen=True, kw_only=True):
    """How an HTML page frames a plot."""

    select: str = ""
    """What the reader selects, if the page shows one drawing of several."""
    first: int = 0
    """The number of the drawing that is shown at first."""
    wide: bool = False
    tall: bool = False
    stamp: str = ""
    """A text across the plot, such as that nobody may quote it."""


class _WidePlot(_PlotFrame, frozen=True, kw_only=True):
    """A plot as wide as the page."""

    wide: bool = True


class Lines(_PlotFrame, frozen=True):
    """A plot of lines."""

    title: str
    about: str
    """What the plot shows, for readers who cannot see it."""
    x: Axis
    y: Axis
    series: Sequence[Series]
    marks: Sequence[Mark] = ()
    panel: str = ""
    """The title in a picture with several plots; by default ``title``."""
    rings: str = ""
    """The meaning of the rings."""
    crosses: str = ""
    """The meaning of the crosses."""
    table: Table[Any] | None = None
    """The table of the figures; by default it has a row for each x and a column for each line."""
    caption: str = ""
    """The caption of that default table; if empty, the title of the vertical axis."""
    legend: bool = True
    legend_inside: bool = False
    """``True`` if a picture puts the legend into this plot instead of above all plots."""
    shares: Sequence[Series] = ()
    """Thin lines in percent on an axis of their own; only a picture draws them."""
    nothing: str = ""
    """The text of a picture in which there is no point."""


class Heat(_PlotFrame, frozen=True):
    """A table whose cells are shaded by their figures; cells that stand out are outlined."""

    title: str
    about: str
    table: Table[Any]
    """The table. Its ``over`` and the title of its first column name the axes."""
    panel: str = ""
    """The title in a picture with several plots; by default ``title``."""


class Strip(msgspec.Struct, frozen=True):
    """One column of dots: its name, its figures, and their median."""

    column: str
    values: Sequence[float]
    middle: float
    texts: Sequence[str]
    """The text that the pointer shows at each dot."""


class Dots(_WidePlot, frozen=True):
    """Columns of dots, each with its median; an HTML page shows one kernel at a time."""

    title: str
    about: str
    y: Axis
    columns: Sequence[str]
    panels: Mapping[str, Sequence[Strip]]
    """The strips of each kernel; a picture shows all of them."""
    table: Table[Any]

    @property
    def values(self) -> list[float]:
        """The values of all dots, of every kernel."""
        return [value for strips in self.panels.values() for e in strips for value in e.values]


class Bars(_WidePlot, frozen=True):
    """Groups of horizontal bars, with a colour for each series."""

    title: str
    about: str
    axis: Axis
    names: Sequence[str]
    series: Sequence[tuple[str, Sequence[Estimate | None]]]
    table: Table[Any]


class BarMarks(msgspec.Struct, frozen=True):
    """Short lines above the bars of a series, such as the traffic that a rate comes to."""

    series: int
    points: Sequence[tuple[str, Estimate, str]]
    """For each line: the name of the group, the figure, and where the figure comes from."""


class UprightBars(Bars, frozen=True):
    """Groups of vertical bars, with a line across all of them if there is a limit."""

    over: Sequence[BarMarks] = ()
    over_name: str = ""
    limit: tuple[float, str] | None = None
    """The height of that line, and its name."""


class Course(msgspec.Struct, frozen=True):
    """Figures in the order in which they were measured."""

    name: str
    places: Sequence[int]
    values: Sequence[float]
    breaks: Sequence[float]
    """Places in the order at which something changed, such as the arrays."""
    middle: Estimate | None
    """The median, with its interval."""


class Courses(_WidePlot, frozen=True):
    """Figures in the order measured, with their histogram; the page shows one course at a time."""

    title: str
    about: str
    x: Axis
    y: Axis
    courses: Sequence[Course]
    table: Table[Any]


class Bin(msgspec.Struct, frozen=True):
    """One bar of a histogram: its ends, and the number of values of each name in it."""

    low: float
    high: float
    counts: Sequence[int]


class Histogram(_WidePlot, frozen=True):
    """A histogram whose bars stack the counts of several names.

    A page shows one panel at a time.
    """

    title: str
    about: str
    x: Axis
    names: Sequence[str]
    panels: Mapping[str, Sequence[Bin]]


class HeatMap(_WidePlot, frozen=True):
    """Many small cells in rows of any length, shaded by their values, without text."""

    title: str
    about: str
    x: Axis
    y: Axis
    scale: str
    """What the shades mean."""
    most: float
    """The value from which on cells have the darkest shade."""
    rows: Sequence[str]
    values: Sequence[Sequence[float | None]]
    texts: Sequence[Sequence[str]]
    """The text that the pointer shows at each cell."""
    table: Table[Any]
    """The rows as figures."""


Plot = Lines | Heat | Dots | Bars | Courses | Histogram | HeatMap
Plots = Sequence[Plot]


class Listing(msgspec.Struct, frozen=True):
    """A list of names below the tables, each with a sentence."""

    pairs: Sequence[tuple[str, str]]
    title: str = ""
    """The heading in Markdown."""
    heading: str = ""
    """The heading on a terminal."""
    empty: str = ""
    """The text on a terminal if the list is empty."""
    details: bool = False
    """``True`` if a terminal shows the list only with ``--details``. A report shows it among the
    settings, and Markdown omits it if it has no title."""
    quiet: bool = False
    """``True`` if it is less important and shown in lighter text."""


class Words(msgspec.Struct, frozen=True):
    """Sentences, each on a line or in a paragraph of its own."""

    sentences: Sequence[str]
    mark: Literal["", "note", "passed", "warning", "error"] = ""
    """The mark before each sentence."""
    strong: bool = False
    quiet: bool = False
    title: str = ""
    """The heading on an HTML page."""


class Point(msgspec.Struct, frozen=True):
    """The meaning of a figure, in one or two sentences."""

    name: str
    """The heading of the point; empty if the point above it has the same heading."""
    text: str
    may_go: int = 0
    """Above 0: a full screen may drop the point; points with the greatest number go first."""


class FirstScreen(msgspec.Struct, frozen=True):
    """The most important answers on one screen, below its first line.

    With ``--details`` a terminal shows the whole page instead.
    """

    subject: str
    """What was measured and how, in one line."""
    table: Table[Any]
    """The few figures that are read first."""
    points: Sequence[Point]
    """The meaning of these figures."""
    quote: str
    more: str
    """The commands that show more."""
    folds: bool = True
    """``True`` if an HTML page folds the tables of the whole result, because they have more kernels
    and store modes than most readers want at first."""
    before: Sequence[str] = ()
    """Sentences right below the first line: what is known despite the fault, and what to do."""


class Page(msgspec.Struct, frozen=True):
    """Everything that a result, or another command's answer, shows."""

    title: str
    machine: Machine | None
    headline: str = ""
    """The main figure of a result, with its name."""
    trust: Trust | None = None
    """How far the figures can be trusted; ``None`` if it is not a result."""
    first: FirstScreen | None = None
    """The first screen; ``None`` if a terminal shows the whole page."""
    machine_more: Sequence[str] = ()
    """Facts about the machine that its record lacks, such as the peak of its memory."""
    warnings: Sequence[str] = ()
    """Warnings at the top of the page, such as that the counters were played back."""
    setup: Sequence[str] = ()
    """Changes that were made to the machine, shown next to it in every format."""
    lines: Sequence[str] = ()
    """What ran, and how; a report shows it among the settings."""
    terms: Sequence[tuple[str, str]] = ()
    """Names that the tables use, each with its meaning."""
    body: Sequence[Table[Any] | Words] = ()
    """The whole content, in order, of an answer that is not a result."""
    tables: Sequence[Table[Any]] = ()
    nothing: str = "No point was measured."
    """The text that replaces the tables if there are none."""
    facts: Sequence[tuple[str, str]] = ()
    """Sentences below the tables, each with a name, such as why a row has no figures."""
    facts_of: str = "name"
    """What these names stand for, as the title of their column."""
    sources: Sequence[str] = ()
    """The programs that were used, such as each compiler's version; a report shows them among the
    settings."""
    note: str = ""
    """What the figures of the tables are."""
    remarks: Sequence[str] = ()
    """What was left out, and why."""
    conclusions: Sequence[Conclusion] = ()
    """The conclusions from the figures."""
    shown_in_tables: bool = False
    """``True`` if the tables already show what the conclusions say, so that text omits these."""
    lists: Sequence[Listing] = ()
    """Lists of names with sentences, below the tables."""
    limit: str = ""
    """A sentence on what limits the bandwidth; Markdown omits it."""
    quote: str = ""
    """The sentence by which the result is quoted."""
    identity: str = ""
    """Letters that only the records of this result have; empty without records."""
    findings: Sequence[Finding] = ()
    passed: Sequence[tuple[str, str]] = ()
    """Checks that found nothing wrong: the code of each, and what it saw."""
    settings: Sequence[tuple[str, str]] = ()
    """How it was measured: the name of each setting, and its value."""
    when: str = ""
    """When and where it was measured, if there is no record of the machine."""
    picture: str = ""
    """The title of the picture."""
    caption: str = ""
    """The text below the picture: how it was measured, and what it shows."""
    taken: float | None = None
    """Share of the CPUs' time that other programs took during the measurement; ``None`` if
    unknown."""
    plots: Plots = ()
    across: int = 1
    """The number of plots in a row of the picture."""
    data: Data[Any] = NO_DATA
    columns: Columns | None = None
    """The columns for gnuplot; ``None`` if the kind of result has none."""


NO_QUOTE = "NOT QUOTABLE"
"""The stamp on plots of a result that is not quotable."""


def stamped(plots: Plots, trust: Trust | None) -> Plots:
    """Stamp the plots of a result that is not quotable, and remove the rings of its conclusions."""
    if supports(trust):
        return plots
    return [
        replace(_without_rings(each), stamp=NO_QUOTE)
        if isinstance(each, Lines)
        else replace(each, stamp=NO_QUOTE)
        for each in plots
    ]


def _without_rings(plot: Lines) -> Lines:
    return replace(plot, marks=[each for each in plot.marks if not isinstance(each, Ring)])


def words(cell: Cell) -> str:
    """The words of a cell: ``23.9 ±0.2``, or only the bounds, ``10.1 to 18.2``.

    Only the bounds are written for the range of a few figures, unless it is tight.
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
    """Write a figure with its bounds for use outside of cells, without the suffix of its unit."""
    written = unit.write(value)
    if low is None or high is None:
        return written
    if ranged and high - low > TIGHT * abs(value) and unit.write(low) != unit.write(high):
        return f"{unit.write(low)} to {unit.write(high)}"
    bounds = bounds_text(low, high, value, unit)
    return f"{written} {bounds}" if bounds.startswith("±") else bounds


def rate_text(value: float, low: float | None, high: float | None, *, ranged: bool = False) -> str:
    """``29.1 ±0.2 GB/s`` or ``10.1 to 18.2 GB/s``; ``850 ±20 MB/s`` for small rates."""
    text = figure_text(value, low, high, ranged=ranged)
    return text if text.endswith("B/s") else f"{text} GB/s"


TIGHT = 0.01
"""The range of a few figures may be written with ± if it is narrower than this share of the
figure."""
WIDE = 0.20
"""Bounds farther apart than this share of the figure replace the figure."""
LOPSIDED = 2.0
"""Lopsided bounds also replace the figure: one is this many times as far from it as the other."""
MATTERS = 0.05
"""Lopsided bounds that are not farther apart than this share of the figure do not replace it."""


def bounds_text(low: float, high: float, value: float, unit: Unit) -> str:
    """Write the bounds: ``±0.2``, the wider half, or ``10.1 to 18.2`` where that would mislead."""
    below, above = max(value - low, 0.0), max(high - value, 0.0)
    apart = (below + above) / abs(value) if value else math.inf if below + above else 0.0
    lopsided = max(below, above) > LOPSIDED * min(below, above) and apart > MATTERS
    if lopsided or apart > WIDE:
        return f"{unit.write(low)} to {unit.write(high)}"
    return f"±{unit.half(max(below, above), value)}"


def ends_text(low: float | None, high: float | None, value: float, unit: Unit) -> str:
    """Write the bounds as ``29.6 to 29.8``.

    If the two texts are equal it is ``±0.1``, or nothing if that would be zero.
    """
    if low is None or high is None:
        return ""
    if unit.write(low) != unit.write(high):
        return f"{unit.write(low)} to {unit.write(high)}"
    half = unit.half((high - low) / 2, value)
    return "" if half == unit.half(0, value) else f"±{half}"
