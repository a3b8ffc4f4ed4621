"""History: the list of stored results, newest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from streamgage.analysis.trust import Verdict
from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.results.kinds import command_of
from streamgage.results.summary import Entry, Summary, SummaryRate
from streamgage.show.page import (
    DASH,
    Cell,
    Column,
    Data,
    Datum,
    Page,
    Table,
    Tone,
    Value,
    figure_text,
    size,
)
from streamgage.store import Filter
from streamgage.store.layout import columns
from streamgage.store.open import open_memory
from streamgage.units import format_bytes, shortened

_AGO = re.compile(r"([0-9]{1,5})([hdw])", re.ASCII)
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


def moment(option: str, text: str | None) -> str | None:
    """Convert a date such as 2026-11-22, a time, or 7d (days ago) to ISO 8601 in UTC.

    Raises ``UsageError`` for any other text.
    """
    if text is None:
        return None
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago:
            then = datetime.now(UTC) - timedelta(hours=int(ago[1]) * _HOURS[ago[2]])
        else:
            then = datetime.fromisoformat(text.strip())
            then = then.replace(tzinfo=UTC) if then.tzinfo is None else then.astimezone(UTC)
        return then.isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{option} {text!r} is not a time: write a date such as 2026-11-22 (UTC), a time such"
            " as 2026-11-22T13:00, or 12h, 7d or 2w for as long ago."
        ) from error


def stored_results(wanted: Filter, store: StorePlace | None, note: Note) -> list[Entry]:
    """The stored results that pass ``wanted``, newest first."""
    with open_memory(store, note) as memory:
        return memory.entries(note, wanted)


_OF_RUN = ("id", *columns(Summary))
_OF_RATE = ("kernel", "store", "median_gbps", "low_gbps", "high_gbps")
_STATES: dict[str, tuple[str, Tone]] = {
    "complete": ("", ""),
    "partial": ("cut off ", "doubtful"),
    "invalid": ("NOT VALID ", "bad"),
}
_TRUST: dict[Verdict, tuple[str, Tone]] = {
    "with-care": ("with care ", "doubtful"),
    "not-quotable": ("NOT QUOTABLE ", "bad"),
}
_ORDER = ("plain", "regular", "streaming")
_Row = tuple[Entry, SummaryRate | None]


def page_of(entries: Sequence[Entry], kernel: str | None) -> Page:
    """Make the page with one row per result.

    ``kernel``: the one whose figures are shown; ``None`` stands for the one of the headline.
    """
    foot = "median; ± or a to b: its 95 % interval, or the range of fewer than 6 values"
    if any(entry.started is None for entry in entries):
        foot += " · * time of import: its start is unknown"
    label = Column[Entry]("label", lambda each: Cell(each.label or ""), left=True, widest=24)
    table = Table(
        [
            Column[Entry]("run", lambda each: Cell(str(each.id))),
            Column("started (UTC)", lambda each: Cell(_start(each)), left=True),
            Column("host", lambda each: Cell(each.host or DASH), left=True, widest=16),
            Column("what", lambda each: Cell(each.tool or command_of(each.kind)), left=True),
            *([label] if any(each.label for each in entries) else []),
            Column("threads", lambda each: Cell(str(each.threads or DASH)), may_go=1),
            Column("arrays", _arrays, may_go=1),
            Column("GB/s, nominal", lambda each: _figures(each, kernel), left=True, roomy=True),
        ],
        entries,
        caption="Stored results",
        foot=(foot,),
    )
    return Page("Stored results", None, body=[table], data=_data_of(entries, kernel))


def _arrays(entry: Entry) -> Cell:
    cell = size(entry.array_bytes)
    if entry.array_setup is None:
        return cell
    known = "" if entry.array_bytes is None else f"{format_bytes(entry.array_bytes)}, "
    return Cell(f"{known}{entry.array_setup}", cell.value)


def _start(entry: Entry) -> str:
    return (entry.started or entry.added)[:16].replace("T", " ") + ("" if entry.started else " *")


def _figures(entry: Entry, kernel: str | None) -> Cell:
    """The figures in words, such as ``triad plain 47.9 ±0.7``, after a warning if there is one."""
    rates = _headlines(entry, kernel)
    known = [each for name in _ORDER for each in rates if each.store == name] or rates[:1]
    parts: list[str] = []
    for number, rate in enumerate(known):
        if number and rate.store == "regular":
            continue  # plain stores already show this
        name = shortened(f"{rate.kernel} {rate.store}") if not parts else rate.store
        parts.append(f"{name} {_figure(rate)}")
    state, tone = _STATES[entry.state]
    if entry.state != "invalid" and entry.trust in _TRUST:
        mark, tone = _TRUST[entry.trust]
        state += mark
    return Cell(f"{state}{', '.join(parts) or DASH}", tone=tone)


def _figure(rate: SummaryRate) -> str:
    median = rate.median_gbps or 0.0
    return figure_text(median, rate.low_gbps, rate.high_gbps)


def _headlines(entry: Entry, kernel: str | None) -> list[SummaryRate]:
    """The untuned figures of one kernel, one per kind of store, in the order measured."""
    wanted = kernel or next((each.kernel for each in entry.rates), None)
    found: dict[str, SummaryRate] = {}
    for each in entry.rates:
        if each.kernel == wanted and not each.tuned and each.median_gbps is not None:
            found.setdefault(each.store, each)
    return list(found.values())


def _data_of(entries: Sequence[Entry], kernel: str | None) -> Data[_Row]:
    """The data with one row per headline figure; a result without figures has one row."""
    return Data(
        columns=[
            *(Datum(name, _of_entry(name)) for name in _OF_RUN),
            *(Datum(name, _of_rate(name), None) for name in _OF_RATE),
        ],
        rows=[(entry, rate) for entry in entries for rate in _headlines(entry, kernel) or (None,)],
    )


def _of_entry(name: str) -> Callable[[_Row], Value]:
    return lambda each: getattr(each[0], name)


def _of_rate(name: str) -> Callable[[_Row], Value]:
    return lambda each: getattr(each[1], name, None)
