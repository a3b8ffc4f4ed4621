"""The page of transfers: a table and a heat map for each test."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest
from streamgage.results.reported import source_words
from streamgage.results.rounds import settings_of
from streamgage.show.page import (
    DASH,
    NANOSECONDS,
    RATE,
    Cell,
    Column,
    Data,
    Datum,
    Heat,
    Page,
    Table,
    Unit,
)
from streamgage.units import format_gbps, some_of

_MOST_NAMED = 6
_UNEVEN = 0.9
"""A link below this share of the highest figure of its test is named."""
_MOST_IN_A_ROW = 3


def page(links: Links) -> Page:
    """The page of a result of ``streamgage links``."""
    tables = [_table(each) for each in links.tests]
    return Page(
        command="links",
        title="Transfers",
        machine=None,
        lines=[" · ".join([*source_words(links.reported), *links.devices[:1]])],
        tables=tables,
        note="Single figures, as printed; GB/s count each byte once. The description of a test says"
        " whether the row or the column is read.",
        remarks=list(_waived(links)),
        settings=settings_of(", ".join(source_words(links.reported)), ()),
        picture="Transfers between the host and its GPUs",
        caption=f"{source_words(links.reported)[0]}. Darker: the greater figure.",
        plots=[_heat(each, table) for each, table in zip(links.tests, tables, strict=True)],
        across=min(_MOST_IN_A_ROW, len(tables)),
        data=_data(links),
    )


def verdict(links: Links) -> list[str]:
    """State the range of each test's figures, and the link that falls behind."""
    return [_sentence(each) for each in links.tests]


def _sentence(test: LinkTest) -> str:
    values = sorted(each.value for each in test.cells)
    unit = _unit(test)
    low, high = (unit.write(each) for each in (values[0], values[-1]))
    text = low if low == high else f"{low} to {high}"
    sentence = f"{test.test}: {text} {unit.name}."
    odd = _slowest(test)
    if odd is None:
        return sentence
    return (
        f"{sentence} {odd.row} and {odd.column} have only {format_gbps(odd.value)}: check that"
        " slot, its cable and its PCIe width."
    )


def _unit(test: LinkTest) -> Unit:
    return RATE if test.unit == RATE_UNIT else NANOSECONDS


def _slowest(test: LinkTest) -> LinkCell | None:
    """The only link that is well below all others of its test.

    ``None`` if there is not exactly one.
    """
    if test.unit != RATE_UNIT or len(test.cells) < 3:
        return None
    slowest, second, *_ = sorted(test.cells, key=lambda each: each.value)
    return slowest if slowest.value < _UNEVEN * second.value else None


def _waived(links: Links) -> Iterator[str]:
    if links.waived:
        yield f"Without a figure: {some_of(links.waived, _MOST_NAMED, 'test')}."


def _table(test: LinkTest) -> Table[str]:
    return Table(
        title=test.test,
        about=test.description,
        columns=[
            Column("row", Cell, left=True),
            *(_column(test, each) for each in test.columns),
        ],
        rows=test.rows,
        gap=3,
        split="columns",
        even=True,
        over="column",
    )


def _column(test: LinkTest, column: str) -> Column[str]:
    found = {each.row: each.value for each in test.cells if each.column == column}

    def cell(row: str) -> Cell:
        value = found.get(row)
        return Cell(DASH) if value is None else Cell("", value, unit=_unit(test))

    return Column(column, cell)


def _heat(test: LinkTest, table: Table[str]) -> Heat:
    return Heat(
        title=f"{test.test}, {_unit(test).name}",
        panel=f"{test.test}, {_unit(test).name}",
        about=f"{test.description}; darker is more.",
        table=table,
    )


def _data(links: Links) -> Data[tuple[LinkTest, LinkCell]]:
    return Data(
        columns=[
            Datum("test", lambda each: each[0].test),
            Datum("row", lambda each: each[1].row),
            Datum("column", lambda each: each[1].column),
            Datum("unit", lambda each: _unit(each[0]).name),
            Datum("value", lambda each: _unit(each[0]).factor * each[1].value),
        ],
        rows=[(test, cell) for test in links.tests for cell in test.cells],
    )
