"""When the figures of a machine changed, and which recorded settings changed then.

Stored results that were measured in the same way are a series: the same host, processor or device,
command, threads and arrays.
What all kernels of a result have in common is one value of it: the median of their rates over what
is usual for each. A change of that level counts; see ``analysis/statistics/changes.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

import msgspec

from streamgage.analysis.statistics.changes import FEWEST, find_changes
from streamgage.analysis.statistics.intervals import median
from streamgage.comparison.compare.differences import differences
from streamgage.comparison.compare.document import Difference
from streamgage.comparison.compare.side import Side
from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.quantities import Count, Rate, Time
from streamgage.records.reader import Note
from streamgage.results.summary import Entry
from streamgage.show.page import DASH, Cell, Column, Data, Datum, Page, Table, Words
from streamgage.store.load import load_all
from streamgage.units import count, format_change, listed

_MOSTLY = 0.8
"""A kernel that fewer of the results have says nothing of them."""
_ON_EACH_SIDE = 3
"""Results before and after a change whose settings are compared."""
_MOST_SETTINGS = 4


class SpeedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of all figures of a machine."""

    host: str
    kind: str
    """The command that measured the series."""
    run: Count
    """The first result with the new level."""
    started: Time
    last_before: Count
    """The last result with the level before."""
    factor: Rate
    """The new level over the one before."""
    kernel: str
    """One of the kernels, with its kind of stores."""
    before_gbps: Rate
    after_gbps: Rate
    """Its medians over the results of both levels."""
    settings: list[Difference]
    """The recorded settings that changed with it."""


@dataclass(frozen=True)
class Changes:
    """The changes of all series, newest first."""

    found: list[SpeedChange]
    series: int
    """In which a change was looked for."""
    short: int
    """The series that have too few results."""
    left_out: int
    """The results whose figures are not to be relied on."""

    @property
    def notes(self) -> Iterator[str]:
        """Sentences on what was not looked at."""
        if self.left_out:
            yield f"{count(self.left_out, 'result')} left out: not quotable, or not whole."
        if self.short and self.series:
            groups = count(self.short, "group")
            yield f"{groups} of results measured in the same way: too few to see a change."


def changes_in(entries: Sequence[Entry], store: StorePlace | None, note: Note) -> Changes:
    """The changes in stored results, which are in any order. Raises ``UsageError``."""
    series: dict[tuple[object, ...], list[Entry]] = {}
    left_out = 0
    for entry in entries:
        if entry.host is None or entry.started is None or not entry.rates:
            continue
        if not entry.is_sound:
            left_out += 1
            continue
        series.setdefault(entry.set_up, []).append(entry)
    long = [own for own in series.values() if len(own) >= FEWEST]
    found = [
        change
        for own in long
        for change in _of_series(sorted(own, key=lambda e: (e.started or "", e.id)), store, note)
    ]
    found.sort(key=lambda each: (each.started, each.run), reverse=True)
    return Changes(found, len(long), len(series) - len(long), left_out)


def _of_series(entries: Sequence[Entry], store: StorePlace | None, note: Note) -> list[SpeedChange]:
    rates = [entry.medians for entry in entries]
    names = {name for each in rates for name in each}
    usual = {
        name: median(sorted(each[name] for each in rates if name in each))
        for name in names
        if sum(name in each for each in rates) >= _MOSTLY * len(rates)
    }
    known = [place for place, each in enumerate(rates) if usual.keys() & each.keys()]
    levels = [
        math.exp(
            median(sorted(math.log(rates[p][n] / usual[n]) for n in usual.keys() & rates[p].keys()))
        )
        for p in known
    ]
    changes = find_changes(levels)
    edges = [0, *(change.place for change in changes), len(known)]
    mains = (each.main_kernel for each in reversed(entries))
    kernel = next((name for name in mains if name in usual), None) or min(usual, default="")
    found = []
    for number, change in enumerate(changes):
        before = known[edges[number] : change.place]
        after = known[change.place : edges[number + 2]]
        first = entries[after[0]]
        found.append(
            SpeedChange(
                host=first.host or DASH,
                kind=first.kind,
                run=first.id,
                started=first.started or first.added,
                last_before=entries[before[-1]].id,
                factor=change.after / change.before,
                kernel=kernel,
                before_gbps=_usual_of(kernel, [rates[place] for place in before]),
                after_gbps=_usual_of(kernel, [rates[place] for place in after]),
                settings=_changed(
                    [entries[place].id for place in before[-_ON_EACH_SIDE:]],
                    [entries[place].id for place in after[:_ON_EACH_SIDE]],
                    store,
                    note,
                ),
            )
        )
    return found


def _usual_of(kernel: str, rates: Sequence[dict[str, float]]) -> float:
    known = sorted(each[kernel] for each in rates if kernel in each)
    return median(known) if known else 0.0


def _changed(
    before: Sequence[int], after: Sequence[int], store: StorePlace | None, note: Note
) -> list[Difference]:
    """The settings that differ between the results on both sides; none if they cannot be read."""
    try:
        sides = [
            Side(label, load_all([str(each) for each in ids], store, note, rates_alone=True))
            for label, ids in (("A", before), ("B", after))
        ]
    except UsageError:
        return []
    return differences(sides)


def page_of_changes(answer: Changes) -> Page:
    """Make the page with one row per change."""
    several = len({each.host for each in answer.found}) > 1
    host = Column[SpeedChange]("host", lambda each: Cell(each.host), left=True, widest=16)
    table = Table(
        [
            Column[SpeedChange]("since (UTC)", lambda e: Cell(_when(e)), left=True),
            Column("run", lambda each: Cell(str(each.run))),
            *([host] if several else []),
            Column("change", lambda each: Cell(format_change(each.factor - 1), strong=True)),
            Column("GB/s, nominal", lambda each: Cell(_rates_in_words(each)), left=True),
            Column("changed with it", lambda each: Cell(_settings(each)), left=True, roomy=True),
        ],
        answer.found,
        caption="Changes of all figures of a machine",
        foot=(
            "medians of the results before and after; results that are not quotable or not whole"
            " are left out",
        ),
    )
    body = [table] if answer.found else [Words([_nothing(answer)], strong=True)]
    return Page("Changes", None, body=body, data=_data(answer.found))


def _when(change: SpeedChange) -> str:
    return change.started[:16].replace("T", " ")


def _rates_in_words(change: SpeedChange) -> str:
    return f"{change.kernel} {change.before_gbps:.4g} to {change.after_gbps:.4g}"


def _settings(change: SpeedChange) -> str:
    if not change.settings:
        return "no recorded setting"
    shown = [
        f"{each.what}: {each.values[0]} to {each.values[1]}"
        for each in change.settings[:_MOST_SETTINGS]
    ]
    more = len(change.settings) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _nothing(answer: Changes) -> str:
    if answer.series:
        of = f" in {count(answer.series, 'series')}" if answer.series > 1 else ""
        return f"No figure changed{of}."
    return (
        f"No change can be seen: no machine has {FEWEST} results that can be relied on and were"
        " measured in the same way, with the same threads and arrays."
    )


def _data(found: Sequence[SpeedChange]) -> Data[SpeedChange]:
    names = (
        *("host", "kind", "run", "started", "last_before", "factor", "kernel"),
        *("before_gbps", "after_gbps"),
    )
    return Data(
        columns=[
            *(Datum(name, attrgetter(name)) for name in names),
            Datum("settings", lambda each: listed([e.what for e in each.settings]) or None),
        ],
        rows=found,
    )
