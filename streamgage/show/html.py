"""Renders a page as HTML: what the templates in ``assets/`` need for tables, cells and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.records.plain_text import plain
from streamgage.show.footer import ABOVE_ZERO
from streamgage.show.page import (
    RATE,
    Bin,
    Cell,
    Column,
    Dots,
    Histogram,
    Lines,
    Page,
    Plot,
    Table,
    Unit,
    ends_text,
    figure,
)
from streamgage.show.reach import ends_of_dots
from streamgage.show.symbols import UNICODE
from streamgage.show.traces import drawings

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_UNKNOWN = "–"
_ESCAPED = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
"""Characters that a script element must not contain, because they end elements, comments or
lines."""


def _without_controls(value: object) -> object:
    """Remove what controls a terminal from a text; markup was made of such texts."""
    return plain(value) if type(value) is str else value


def environment(package: str) -> Environment:
    """The templates of ``package``, with the macros that all pages share."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(each, "assets") for each in (package, __package__)]),
        autoescape=True,
        finalize=_without_controls,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.tests["table"] = lambda each: isinstance(each, Table)
    made.filters |= {
        "about": about,
        "detail": detail,
        "drawings": drawings,
        "foot": _foot,
        "json": embedded,
        "numbers": numbers,
        "plots": plots_of,
        "text": text,
        "without_figures": _without_figures,
    }
    return made


def embedded(value: object) -> Markup:
    """Encode ``value`` as JSON that may stand in a script element."""
    from markupsafe import Markup

    written = msgspec.json.encode(value).decode()
    for letter, escaped in _ESCAPED.items():
        written = written.replace(letter, escaped)
    return Markup(written)


def text(cell: Cell) -> str:
    """The words of a cell, or its figure without bounds."""
    mark = f"{UNICODE.error} " if cell.wrong else ""
    if cell.text or cell.unit is None or cell.value is None:
        return mark + cell.text
    return f"{mark}{cell.unit.write(cell.value)}{cell.unit.suffix}"


def detail(cell: Cell) -> str:
    """The lighter text next to a cell: the bounds of a figure, or where it comes from."""
    if cell.text or cell.unit is None or cell.value is None:
        return cell.detail
    bounds = ends_text(cell.low, cell.high, cell.value, cell.unit)
    return ", ".join(each for each in (bounds, cell.detail) if each)


def _foot(table: Table[Any], note: str) -> str:
    """The text below a table: its notes and its foot."""
    notes = "; ".join(f"{name}: {text}" if name else text for name, text in table.notes)
    below = (f"{notes}." if notes else "", *table.lines_below, table.report_note or note)
    return " ".join(each for each in below if each)


def _without_figures(page: Page) -> Table[tuple[str, str]]:
    """The table that says why rows have no figures."""
    return Table(
        [
            Column(page.facts_of, lambda fact: Cell(fact[0]), left=True),
            Column("why", lambda fact: Cell(fact[1]), left=True),
        ],
        page.facts,
        caption="Without figures",
    )


def plots_of(page: Page) -> list[Plot]:
    """The plots of the page that have figures."""
    return [each for each in page.plots if not isinstance(each, Lines) or each.series]


def about(plot: Plot) -> str:
    """Describe what a plot shows, and how to read its axis."""
    above = isinstance(plot, Dots) and ends_of_dots(plot.values)[0] > 0
    return " ".join([plot.about, *[ABOVE_ZERO] * above])


def numbers(plot: Plot) -> Table[Any]:
    """The figures of a plot as a table."""
    if isinstance(plot, Histogram):
        return _bins(plot)
    if isinstance(plot, Lines) and plot.table is None:
        return _points(plot)
    assert plot.table is not None, "only lines may be without one"
    return plot.table


def _points(plot: Lines) -> Table[float]:
    """The table of a plot of lines: a row for each x, a column for each line."""
    unit = plot.x.unit

    def place(x: float) -> Cell:
        return Cell(unit.write(x) if unit else f"{x:g}", x)

    at = [dict(zip(each.xs, each.figures, strict=True)) for each in plot.series]
    return Table(
        [
            Column(plot.x.head or plot.x.title, place),
            *(
                _figures(each.name, known, plot.y.unit)
                for each, known in zip(plot.series, at, strict=True)
            ),
        ],
        sorted({x for known in at for x in known}),
        caption=plot.caption or plot.y.title,
    )


def _figures(name: str, known: dict[float, Estimate | None], unit: Unit | None) -> Column[float]:
    def cell(x: float) -> Cell:
        estimate = known.get(x)
        return Cell(_UNKNOWN) if estimate is None else figure(estimate, unit or RATE)

    return Column(name, cell)


def _bins(plot: Histogram) -> Table[tuple[str, Bin]]:
    """The table of a histogram, with one row per bar."""
    unit = plot.x.unit or RATE

    def counts(number: int, name: str) -> Column[tuple[str, Bin]]:
        return Column(name, lambda row: Cell(str(row[1].counts[number]), row[1].counts[number]))

    return Table(
        [
            Column(plot.select, lambda row: Cell(row[0]), left=True),
            Column("from", lambda row: Cell("", row[1].low, unit=unit)),
            Column("to", lambda row: Cell("", row[1].high, unit=unit)),
            *(counts(number, name) for number, name in enumerate(plot.names)),
        ],
        [(name, each) for name, bins in plot.panels.items() for each in bins if any(each.counts)],
        caption=plot.title,
    )
