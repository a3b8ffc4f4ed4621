"""The list of kept results, in each format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from streamgage.results.summary import Entry, KeptRate, Summary
from streamgage.show.page import Data, Datum, Value
from streamgage.store.migrations import columns

_OF_RUN = ("id", *columns(Summary))
_OF_RATE = ("kernel", "store", "median_gbps", "low_gbps", "high_gbps")
_Row = tuple[Entry, KeptRate | None]


class HistoryFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def render(
    entries: Sequence[Entry], kernel: str | None, form: HistoryFormat, *, file: Path | None = None
) -> str:
    """The text; ``kernel``: the one that is asked for, null: triad where there is one."""
    match form:
        case HistoryFormat.TABLE:
            from streamgage.show.terminal import terminal_for
            from streamgage.store.history_table import render as table

            return table(entries, kernel, terminal_for(file))
        case HistoryFormat.JSON:
            return msgspec.json.format(msgspec.json.encode(entries), indent=2).decode() + "\n"
        case HistoryFormat.CSV:
            from streamgage.show.csv import render as csv

            return csv(data_of(entries, kernel))


def headlines(entry: Entry, kernel: str | None) -> list[KeptRate]:
    """The untuned figures of one kernel, one for each kind of stores in the order measured."""
    kernels = [each.kernel for each in entry.rates]
    wanted = kernel or ("triad" if "triad" in kernels else next(iter(kernels), None))
    found: dict[str, KeptRate] = {}
    for each in entry.rates:
        if each.kernel == wanted and not each.tuned and each.median_gbps is not None:
            found.setdefault(each.store, each)
    return list(found.values())


def data_of(entries: Sequence[Entry], kernel: str | None) -> Data[_Row]:
    """A row for each headline of each result, one without figures where it has none."""
    return Data(
        columns=[
            *(Datum(name, _of_entry(name)) for name in _OF_RUN),
            *(Datum(name, _of_rate(name), None) for name in _OF_RATE),
        ],
        rows=[(entry, rate) for entry in entries for rate in headlines(entry, kernel) or (None,)],
    )


def _of_entry(name: str) -> Callable[[_Row], Value]:
    return lambda each: getattr(each[0], name)


def _of_rate(name: str) -> Callable[[_Row], Value]:
    return lambda each: getattr(each[1], name, None)
