"""Makes the page of a program's time: the ratio next to the time, and every run as data."""

from __future__ import annotations

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.programs.ratio.document import Against, RatioPair, RatioRound, Spread, TimeRatio
from streamgage.show.page import (
    DASH,
    Cell,
    Column,
    Data,
    Datum,
    Page,
    Table,
    Unit,
    Words,
    figure,
)
from streamgage.units import count, format_bytes, format_figure, format_share

FIGURE = Unit("", format_figure, lambda half, _: format_figure(half))
_Row = tuple[str, Estimate, Spread]


def page_of(timed: TimeRatio) -> Page:
    """Make the page: the table of the two figures, and their verdict."""
    against = timed.against
    if against is not None:
        return _page_against(timed, against)
    return Page(
        f"{timed.name} by the speed of memory",
        None,
        headline=f"{timed.name}: {format_figure(timed.ratio.value)} GB of triad",
        trust=timed.trust,
        body=[Words([_about(timed)], quiet=True), _table(timed), Words(timed.sentences)],
        data=_data(timed),
    )


def _page_against(timed: TimeRatio, against: Against) -> Page:
    names = f"{timed.name} against {against.name}"
    return Page(
        names,
        None,
        headline=f"{names}: {'not decided' if against.decided_by is None else against.decision}",
        trust=timed.trust,
        body=[
            Words([_about(timed)], quiet=True),
            _table_against(timed, against),
            Words(timed.sentences),
        ],
        data=_data_against(timed, against),
    )


_Clocks = tuple[str, float, float, Estimate]


def _table_against(timed: TimeRatio, against: Against) -> Table[_Clocks]:
    pairs = against.pairs
    cpu = median(sorted(each.cpu_seconds for each in pairs))
    other_cpu = median(sorted(each.other_cpu_seconds for each in pairs))
    return Table(
        columns=[
            Column("", lambda row: Cell(row[0]), left=True),
            Column(timed.name, lambda row: Cell("", row[1], unit=FIGURE)),
            Column(against.name, lambda row: Cell("", row[2], unit=FIGURE)),
            Column("ratio", lambda row: Cell(f"{row[3].value:.3f}", row[3].value)),
            Column("from - to", lambda row: Cell(_bounds(row[3]))),
        ],
        rows=[
            ("time, s", timed.seconds.value, against.seconds, against.ratio),
            ("CPU time, s", cpu, other_cpu, against.cpu_ratio),
        ],
        foot=[
            f"{count(len(pairs), 'pair')} of runs, {_how(against)}. Medians; the ratio is the"
            " median of the pairs' ratios. Both intervals hold in 95 % of comparisons, however"
            " often one looked."
        ],
    )


def _how(against: Against) -> str:
    if against.together:
        return "both at the same time, each on half of the CPUs, which change at random"
    return "one after the other in random order"


def _bounds(ratio: Estimate) -> str:
    if ratio.low is None or ratio.high is None:
        return DASH
    return f"{ratio.low:.3f} - {ratio.high:.3f}"


def _data_against(timed: TimeRatio, against: Against) -> Data[tuple[int, RatioPair]]:
    return Data(
        columns=[
            Datum("name", lambda _: timed.name),
            Datum("other_name", lambda _: against.name),
            Datum("pair", lambda row: row[0]),
            Datum("first", lambda row: int(row[1].first)),
            Datum("seconds", lambda row: row[1].seconds),
            Datum("cpu_seconds", lambda row: row[1].cpu_seconds),
            Datum("other_seconds", lambda row: row[1].other_seconds),
            Datum("other_cpu_seconds", lambda row: row[1].other_cpu_seconds),
        ],
        rows=list(enumerate(against.pairs, 1)),
    )


def _about(timed: TimeRatio) -> str:
    parts = [timed.name, f"{timed.host}, {timed.time[:10]}"]
    if timed.processor is not None:
        parts.append(timed.processor)
    if timed.threads is not None and timed.array_bytes is not None:
        probe = f"{count(timed.threads, 'thread')}, 3 arrays of {format_bytes(timed.array_bytes)}"
        parts.append(f"probe: {timed.kernel}, {probe}, {timed.probe_seconds:g} s at a time")
    if timed.taken is not None and timed.taken >= 0.01:
        parts.append(f"others took up to {format_share(timed.taken)} of the CPUs' time")
    return " · ".join(parts)


def _table(timed: TimeRatio) -> Table[_Row]:
    return Table(
        columns=[
            Column("", lambda row: Cell(row[0]), left=True),
            Column("median", lambda row: figure(row[1], FIGURE)),
            Column("middle half", lambda row: _share(row[2].middle_half)),
            Column("least to most", lambda row: _share(row[2].whole)),
        ],
        rows=[
            ("time, s", timed.seconds, timed.seconds_spread),
            ("ratio, GB of triad", timed.ratio, timed.ratio_spread),
        ],
        foot=[
            f"{count(len(timed.rounds), 'run')}. The ratio is a run's time over the time in which"
            " triad moves 1 GB just before and after it. Spreads are shares of the median."
        ],
    )


def _share(value: float) -> Cell:
    return Cell(format_share(value), value)


def _data(timed: TimeRatio) -> Data[tuple[int, RatioRound]]:
    return Data(
        columns=[
            Datum("name", lambda _: timed.name),
            Datum("run", lambda row: row[0]),
            Datum("seconds", lambda row: row[1].seconds),
            Datum("before_gbps", lambda row: row[1].before_gbps),
            Datum("after_gbps", lambda row: row[1].after_gbps),
            Datum("ratio", lambda row: row[1].ratio),
        ],
        rows=list(enumerate(timed.rounds, 1)),
    )
