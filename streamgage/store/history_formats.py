"""The list of kept results, in each format."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from streamgage.results.summary import Entry, KeptRate

_OF_RUN = (
    *("id", "started", "host", "processor", "kind", "tool", "threads", "array_bytes", "state"),
)
_OF_RATE = ("kernel", "store", "median_gbps", "low_gbps", "high_gbps")


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
            return _csv(entries, kernel)


def headlines(entry: Entry, kernel: str | None) -> list[KeptRate]:
    """The untuned figures of one kernel, one for each kind of stores in the order measured."""
    kernels = [each.kernel for each in entry.rates]
    wanted = kernel or ("triad" if "triad" in kernels else next(iter(kernels), None))
    found: dict[str, KeptRate] = {}
    for each in entry.rates:
        if each.kernel == wanted and not each.tuned and each.median_gbps is not None:
            found.setdefault(each.store, each)
    return list(found.values())


def _csv(entries: Sequence[Entry], kernel: str | None) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_OF_RUN, *_OF_RATE])
    for entry in entries:
        row = [getattr(entry, name) for name in _OF_RUN]
        rates = [[getattr(each, name) for name in _OF_RATE] for each in headlines(entry, kernel)]
        writer.writerows([*row, *rate] for rate in rates or [[None] * len(_OF_RATE)])
    return text.getvalue()
