"""The page of transfers: tables of rates, and a heat map for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest
from streamgage.results.links.judge import MEMORIES
from streamgage.results.reported import source_words
from streamgage.results.rounds import bounds_of_rounds, failures, settings_of
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
    figure,
)
from streamgage.units import count, format_bytes, format_gbps, some_of

_MOST_NAMED = 6
_UNEVEN = 0.9
"""A link below this share of the highest figure of its test is named."""
_MOST_IN_A_ROW = 3
_WAYS = {"to-device": "to it", "from-device": "from it", "both-ways": "both"}


def page(links: Links) -> Page:
    """The page of a result of ``streamgage links``."""
    by_test = [_table(each) for each in links.tests]
    return Page(
        command="links",
        title="Transfers",
        machine=links.machine,
        lines=[_series(links)],
        tables=by_test if links.reported is not None else _own_tables(links),
        nothing="Nothing was measured.",
        note=_note(links),
        remarks=[*_waived(links), *_failed(links)],
        settings=settings_of(_series(links), links.runs, *_drivers(links)),
        picture=f"Transfers between the host and {_devices(links)}",
        caption=_caption(links),
        plots=[_heat(each, table) for each, table in zip(links.tests, by_test, strict=True)],
        across=min(_MOST_IN_A_ROW, max(1, len(by_test))),
        data=_data(links),
    )


def _series(links: Links) -> str:
    """What ran, or the benchmark whose output it is."""
    if links.reported is not None:
        return " · ".join([*source_words(links.reported), *links.devices[:1]])
    parts = [each.title for each in links.described]
    if links.copy_bytes is not None:
        parts.append(f"copies of {format_bytes(links.copy_bytes)}")
    order = f", devices in mixed order (seed {links.seed})" if len(links.devices) > 1 else ""
    return " · ".join([*parts, f"{count(links.rounds, 'round')}{order}"])


def _devices(links: Links) -> str:
    """What is at the other end; another benchmark's are GPUs."""
    number = len(links.devices)
    if links.reported is None and any(each.kind != "gpu" for each in links.described):
        return "its device" if number == 1 else "its devices"
    return "its GPU" if number == 1 else "its GPUs"


def _note(links: Links) -> str:
    if links.reported is not None:
        return "GB/s count each byte once, as printed: a single figure each."
    return (
        f"GB/s count each byte once; median; ± or a to b: {_bounds(links)}. pageable: memory as"
        " programs get it; pinned: memory that the device reaches by itself, as the driver gives"
        " it. both: a copy each way at once, the bytes of both together. Every byte of a copy is"
        " compared at the end."
    )


def _bounds(links: Links) -> str:
    figures = [_estimate(cell) for test in links.tests for cell in test.cells]
    return bounds_of_rounds(links.rounds, figures, single="samples")


def _caption(links: Links) -> str:
    if links.reported is not None:
        return f"{source_words(links.reported)[0]}. Darker is more, from 0 on."
    return f"streamgage links ({_series(links)}). Darker is more, from 0 on."


def _drivers(links: Links) -> Iterator[tuple[str, str]]:
    for each in links.described:
        yield f"Driver of {each.id}", each.driver


def verdict(links: Links) -> list[str]:
    """What each link gives; of another benchmark each test, and the link that falls behind."""
    if links.reported is None:
        return [text for each in links.described if (text := _of_device(links, each.id))]
    return [_sentence(each) for each in links.tests]


def _of_device(links: Links, device: str) -> str:
    """``opencl:0, pinned memory: 24.1 GB/s to it, 25.3 GB/s from it, 45.0 GB/s both at once.``."""
    rates = {
        test.test: cell.value
        for test in links.tests
        for cell in test.cells
        if (cell.row, cell.column) == (MEMORIES[-1], device)
    }
    parts = [
        f"{format_gbps(rates[test])} {words}{' at once' if words == 'both' else ''}"
        for test, words in _WAYS.items()
        if test in rates
    ]
    return f"{device}, {MEMORIES[-1]} memory: {', '.join(parts)}." if parts else ""


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


def _failed(links: Links) -> list[str]:
    return failures(links.rounds, links.runs, lambda each: each.device)


def _own_tables(links: Links) -> list[Table[Any]]:
    """A row for each device, a group of columns for each kind of the host's memory."""
    if not links.tests:
        return []
    return [
        Table(
            title="copies",
            about="GB/s between the host's memory and the device",
            columns=[
                Column("device", Cell, left=True),
                *(
                    Column(words, _figure_of(links, test, memory), group=memory)
                    for memory in MEMORIES
                    for test, words in _WAYS.items()
                ),
            ],
            rows=links.devices,
            gap=3,
            split="groups",
        )
    ]


def _figure_of(links: Links, test: str, memory: str) -> Callable[[str], Cell]:
    found = {
        cell.column: cell
        for each in links.tests
        if each.test == test
        for cell in each.cells
        if cell.row == memory
    }

    def cell(device: str) -> Cell:
        return figure(_estimate(found[device])) if device in found else Cell(DASH)

    return cell


def _estimate(cell: LinkCell) -> Estimate:
    return Estimate(value=cell.value, low=cell.low, high=cell.high, bounded_by=cell.bounded_by)


def _table(test: LinkTest) -> Table[str]:
    return Table(
        title=test.test,
        about=test.description,
        columns=[
            Column(test.row_axis, Cell, left=True),
            *(_column(test, each) for each in test.columns),
        ],
        rows=test.rows,
        gap=3,
        split="columns",
        even=True,
        over=test.column_axis,
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
        about=f"{test.description}; darker is more, from 0 on.",
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
            Datum("low", lambda each: _bound(each[0], each[1].low)),
            Datum("high", lambda each: _bound(each[0], each[1].high)),
            Datum("n", lambda each: each[1].n),
        ],
        rows=[(test, cell) for test in links.tests for cell in test.cells],
    )


def _bound(test: LinkTest, value: float | None) -> float | None:
    return None if value is None else _unit(test).factor * value
