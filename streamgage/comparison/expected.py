"""The page of ``streamgage expected``: published bandwidths, with the source of each."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.expected.words import amount
from streamgage.show.page import DASH, Cell, Column, Data, Datum, Listing, Page, Table, Value
from streamgage.units import format_share

_LEAD = "Others published these values; streamgage did not measure them."
_NOTE = (
    "GB/s as STREAM counts, for all cores. Compare with your best figure for the same kernel and"
    " the same stores."
)


def page_of(values: Sequence[ExpectedValue]) -> Page:
    """Make the page with one row per value; numbers refer to the sources."""
    sources = list(dict.fromkeys((each.who, each.benchmark, each.page) for each in values))
    notes = {each.hardware: each.note for each in values if each.note}

    def number(value: ExpectedValue) -> int:
        return 1 + sources.index((value.who, value.benchmark, value.page))

    return Page(
        "expected",
        "Published bandwidths",
        None,
        lines=[_LEAD],
        tables=[
            Table(
                columns=[
                    Column("hardware", lambda each: Cell(each.hardware), left=True, roomy=True),
                    Column("kernel", lambda each: Cell(each.kernel), left=True),
                    Column("stores", lambda each: Cell(each.stores), left=True, may_go=1),
                    Column("GB/s", lambda each: Cell(_amount(each), each.low_gbps), left=True),
                    Column("memory", lambda each: Cell(each.memory), left=True, may_go=2),
                    Column("guest", _guest, left=True, may_go=3),
                    Column("source", lambda each: Cell(f"[{number(each)}]", number(each))),
                ],
                rows=values,
                merge=True,
            )
        ],
        note=_NOTE,
        lists=[
            Listing(
                [
                    (f"[{place}]", f"{who}, {benchmark}: {page}")
                    for place, (who, benchmark, page) in enumerate(sources, 1)
                ],
                title="Sources",
                heading="Sources",
            ),
            Listing(list(notes.items()), title="Notes", heading="Notes"),
        ],
        data=Data(_DATA, values),
    )


def _amount(value: ExpectedValue) -> str:
    less = f", -{format_share(value.tolerance)}" if value.tolerance else ""
    return f"{amount(value)}{less}"


def _guest(value: ExpectedValue) -> Cell:
    if value.device == "gpu":
        return Cell(DASH)
    return Cell("unknown" if value.guest is None else "yes" if value.guest else "no")


def _field(name: str) -> Callable[[ExpectedValue], Value]:
    """Make a function that reads a field; an empty text becomes ``None``."""

    def value(of: ExpectedValue) -> Value:
        found: Value | datetime.date = getattr(of, name)
        if isinstance(found, datetime.date):
            return found.isoformat()
        return None if found == "" else found

    return value


_DATA = [Datum(name, _field(name)) for name in ExpectedValue.__struct_fields__]
