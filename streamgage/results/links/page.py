"""The page of transfers: tables of rates, and a heat map for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from streamgage.analysis.conclusion import Conclusion, sound
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.records import LinkPath
from streamgage.results.links.document import RATE_UNIT, LinkCell, Links, LinkTest
from streamgage.results.links.judge import MEMORIES
from streamgage.results.links.ways import BETWEEN, BOTH_BETWEEN
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
from streamgage.units import count, format_bytes, format_gbps, format_range, some_of

_MOST_NAMED = 6
_UNEVEN = 0.9
"""A link below this share of the highest figure of its test is named."""
_MOST_IN_A_ROW = 3
_PATHS: dict[LinkPath, str] = {
    "peer-access": "peer access",
    "through-host": "through the host",
}
_WAYS = {"to-device": "to it", "from-device": "from it", "both-ways": "both"}


def page(links: Links) -> Page:
    """The page of a result of ``streamgage links``."""
    by_test = [_table(each) for each in links.tests]
    return Page(
        title=_title(links),
        machine=links.machine,
        lines=[_series(links)],
        tables=by_test if links.reported is not None else _own_tables(links),
        nothing="Nothing was measured.",
        note=_note(links),
        remarks=[*_waived(links), *_failed(links)],
        settings=settings_of(_series(links), links.runs, *_drivers(links)),
        picture=_picture(links),
        caption=_caption(links),
        plots=[_heat(each, table) for each, table in zip(links.tests, by_test, strict=True)],
        across=min(_MOST_IN_A_ROW, max(1, len(by_test))),
        data=_data(links),
    )


def _series(links: Links) -> str:
    """What ran, or the benchmark whose output it is."""
    if links.reported is not None:
        words = source_words(links.reported)
        return " · ".join([*words, *(each for each in links.devices[:1] if each not in words)])
    parts = [each.title for each in links.described]
    if links.copy_bytes is not None:
        parts.append(f"copies of {format_bytes(links.copy_bytes)}")
    order = f", devices in mixed order (seed {links.seed})" if len(links.devices) > 1 else ""
    return " · ".join([*parts, f"{count(links.rounds, 'round')}{order}"])


def _title(links: Links) -> str:
    counted = links.reported is not None and links.reported.prints == "traffic"
    return "Traffic" if counted else "Transfers"


def _picture(links: Links) -> str:
    """The title of the picture; another benchmark's devices are GPUs."""
    if links.reported is not None and not links.devices:
        return _title(links)
    kinds = {each.kind for each in links.described}
    word = "GPU" if links.reported is not None or kinds == {"gpu"} else "device"
    title = f"Transfers between the host and its {word}{'' if len(links.devices) == 1 else 's'}"
    between = any(each.test == BETWEEN for each in links.tests)
    return f"{title}, and between two of these" if between else title


def _note(links: Links) -> str:
    if links.reported is not None:
        return "GB/s as printed: a single figure each."
    return (
        f"GB/s count each byte once; median; ± or a to b: {_bounds(links)}. pageable: memory as"
        " programs get it; pinned: memory that the device reaches by itself, as the driver gives"
        " it. both: a copy each way at once, the bytes of both together. Every byte of a copy is"
        f" compared at the end.{_note_between(links)}"
    )


def _note_between(links: Links) -> str:
    """How copies between devices go, or why there are none."""
    if any(each.test == BETWEEN for each in links.tests):
        return (
            " peer access: a device reaches the other one's memory by itself; through the host: the"
            " driver takes each copy through the host's memory."
        )
    by_opencl = [each.id for each in links.described if each.interface == "OpenCL"]
    return " Copies between devices are not measured by OpenCL." if len(by_opencl) > 1 else ""


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


def conclusions(links: Links) -> list[Conclusion]:
    """What each link gives; of another benchmark each test, and the link that falls behind."""
    if links.reported is None:
        of_host = [text for each in links.devices if (text := _of_device(links, each))]
        return [sound(each) for each in (*of_host, *_sentence_between(links))]
    counted = links.reported.prints == "traffic"
    return [sound(_sentence(each, None if counted else _slowest(each))) for each in links.tests]


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


def _sentence_between(links: Links) -> Iterator[str]:
    """``Between two devices: 44.8 to 45.1 GB/s one way, 88.2 GB/s both ways at once.``."""
    parts = [
        f"{_span(test)} {words}"
        for name, words in ((BETWEEN, "one way"), (BOTH_BETWEEN, "both ways at once"))
        for test in links.tests
        if test.test == name
    ]
    if parts:
        yield f"Between two devices: {', '.join(parts)}."


def _span(test: LinkTest) -> str:
    """The figures of a test from the least to the greatest: ``21.8 to 26.4 GB/s``."""
    values = [each.value for each in test.cells]
    if test.unit == RATE_UNIT:
        return format_range(min(values), max(values))
    low, high = (NANOSECONDS.write(each) for each in (min(values), max(values)))
    return f"{low if low == high else f'{low} to {high}'} {NANOSECONDS.name}"


def _sentence(test: LinkTest, odd: LinkCell | None) -> str:
    """What a test gives, and the link that falls behind."""
    sentence = f"{test.test}: {_span(test)}."
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
    """The copies with the host, and those between devices."""
    tables: list[Table[Any]] = []
    if any(cell.row in MEMORIES for test in links.tests for cell in test.cells):
        tables.append(_table_of_host(links))
    tables += [_table_between(links, each) for each in links.tests if each.test == BETWEEN]
    return tables


def _table_of_host(links: Links) -> Table[str]:
    """A row for each device, a group of columns for each kind of the host's memory."""
    return Table(
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


def _table_between(links: Links, test: LinkTest) -> Table[LinkCell]:
    """A row for each pair of devices and each way. Both ways at once are one figure of a pair."""
    both = {
        frozenset((cell.row, cell.column)): cell
        for each in links.tests
        if each.test == BOTH_BETWEEN
        for cell in each.cells
    }

    def both_of(cell: LinkCell) -> Cell:
        found = both.get(frozenset((cell.row, cell.column)))
        return Cell(DASH) if found is None else figure(_estimate(found))

    return Table(
        title="between devices",
        about="GB/s from one device's memory to another's",
        columns=[
            Column("from", lambda cell: Cell(cell.row), left=True),
            Column("to", lambda cell: Cell(cell.column), left=True),
            Column("one way", lambda cell: figure(_estimate(cell))),
            Column("both", both_of),
            Column("path", lambda cell: Cell(_PATHS[cell.path] if cell.path else DASH), left=True),
        ],
        rows=test.cells,
        gap=3,
    )


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
            Datum("path", lambda each: each[1].path),
        ],
        rows=[(test, cell) for test in links.tests for cell in test.cells],
    )


def _bound(test: LinkTest, value: float | None) -> float | None:
    return None if value is None else _unit(test).factor * value
