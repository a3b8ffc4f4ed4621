"""The page of a check: its one line, the figures with their limits, and known causes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from streamgage.analysis.conclusion import Conclusion, fact, sound, supports, undecided
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.records.verdict import Verdict
from streamgage.results.check.document import Check, CheckLimit, NodePart
from streamgage.results.check.judge import deciding
from streamgage.results.check.words import line_of
from streamgage.results.result import Result
from streamgage.show.page import (
    DASH,
    RATE,
    Axis,
    Bars,
    Cell,
    Column,
    Data,
    Datum,
    Page,
    Table,
    Tone,
)
from streamgage.units import format_duration, format_nanoseconds

_GRADES: dict[Verdict, Callable[[str], Conclusion]] = {
    "fine": sound,
    "slow": sound,
    "wrong": fact,  # whatever disturbed the run, a wrong result is wrong
    "cannot-tell": undecided,
}
_TONES: dict[str, Tone] = {"fine": "good", "slow": "bad", "wrong": "bad", "cannot-tell": "doubtful"}


def line(result: Result[Check]) -> str:
    """The verdict in one line: what a prolog prints."""
    if _holds(result):
        return f"{line_of(result.document)}\n"
    return f"cannot tell: {result.trust.reasons[0].text}\n"


def _holds(result: Result[Check]) -> bool:
    """Return whether the verdict holds: whatever disturbed the run, a wrong result is wrong."""
    return supports(result.trust) or result.document.verdict in ("wrong", "cannot-tell")


def conclusions(check: Check) -> Iterator[Conclusion]:
    """The verdict as a sentence, and the known causes."""
    said = line_of(check)
    yield _GRADES[check.verdict](f"{said[:1].upper()}{said[1:]}.")
    for each in check.causes:
        yield sound(f"{each.words[:1].upper()}{each.words[1:]}.")


def page(result: Result[Check]) -> Page:
    """The page of a result of ``streamgage check``."""
    check = result.document
    verdict = check.verdict.replace("-", " ") if _holds(result) else "no conclusion"
    return Page(
        title=f"Check of {check.name}",
        machine=check.machine,
        headline=f"Check of {check.name}: {verdict}",
        lines=[_subject(check)],
        tables=[_limits(check), *([_parts(check)] if check.parts else [])],
        nothing="Nothing was measured.",
        note="GB/s by STREAM's counting: the median of a run. A node is slow if the whole"
        " 95 % interval of a figure lies below the limit that decides, and below what chance may"
        " explain; and if nothing disturbed the run.",
        settings=[("Length", check.length), ("Took", format_duration(check.seconds))],
        plots=[_plot(check)],
        data=_data(check),
    )


def _subject(check: Check) -> str:
    parts = [
        f"{check.time[:16].replace('T', ' ')} UTC",
        f"{check.length}, {format_duration(check.seconds)}",
        "measured twice" if len(check.runs) > 1 else "measured once",
    ]
    if check.latency_seconds is not None:
        parts.append(f"memory latency {format_nanoseconds(check.latency_seconds)} ns")
    return " · ".join(parts)


def _limits(check: Check) -> Table[CheckLimit]:
    by_chance = Column[CheckLimit]("by chance", lambda each: _rate(each.chance_gbps), may_go=2)
    return Table(
        [
            Column[CheckLimit]("kernel", lambda each: Cell(each.kernel), left=True),
            Column("GB/s", lambda each: _measured(check, each)),
            Column("limit", lambda each: _rate(each.limit_gbps)),
            *([by_chance] if any(each.chance_gbps for each in check.limits) else []),
            Column("expected", lambda each: _rate(each.expected_gbps), may_go=1),
            Column("source", lambda each: Cell(each.source), left=True),
            Column("counts", lambda each: _counts(check, each), left=True),
            Column("details", lambda each: Cell(each.why), left=True, roomy=True),
        ],
        deciding(check.limits),
        caption="Figures and limits",
        empty="There is nothing to compare the node with.",
    )


def _measured(check: Check, limit: CheckLimit) -> Cell:
    found = check.figure(limit.kernel)
    if found is None:
        return Cell(DASH)
    return Cell("", found.gbps, found.low, found.high, RATE, strong=limit.decides)


def _rate(gbps: float | None) -> Cell:
    return Cell(DASH) if gbps is None else Cell("", gbps, unit=RATE)


def _counts(check: Check, limit: CheckLimit) -> Cell:
    if not limit.decides:
        return Cell("for comparison", tone="quiet")
    return Cell("decides", tone=_TONES[check.verdict])


def _parts(check: Check) -> Table[NodePart]:
    return Table(
        [
            Column[NodePart]("part", lambda each: Cell(each.name), left=True),
            Column("triad GB/s", lambda each: _rate(each.gbps)),
            Column("usual", lambda each: _rate(each.usual_gbps)),
            Column(
                "verdict",
                lambda each: Cell("slow" if each.slow else "fine", tone="bad" if each.slow else ""),
                left=True,
            ),
        ],
        check.parts,
        caption="Each part by itself",
    )


def _plot(check: Check) -> Bars:
    """Each kernel, and the limit that decides."""
    limits = {each.kernel: each.limit_gbps for each in check.limits if each.decides}
    figures = check.last.figures
    bars = [Estimate(value=e.gbps, low=e.low, high=e.high) for e in figures]
    ends = [
        None
        if (least := limits.get(each.kernel)) is None
        else Estimate(value=least, low=None, high=None)
        for each in figures
    ]
    series: list[tuple[str, Sequence[Estimate | None]]] = [("measured", bars)]
    if any(ends):
        series.append(("limit", ends))
    return Bars(
        title="Figures and limits",
        about="Each kernel's bandwidth next to the limit that decides.",
        axis=Axis("GB/s", RATE, from_zero=True),
        names=[each.kernel for each in figures],
        series=series,
        table=_limits(check),
    )


_Row = tuple[CheckLimit | None, str]


def _data(check: Check) -> Data[_Row]:
    """A row for each kernel and limit."""
    rows: list[_Row] = [(each, each.kernel) for each in check.limits]
    limited = {each.kernel for each in check.limits}
    rows += [(None, each.kernel) for each in check.last.figures if each.kernel not in limited]

    def of_figure(kernel: str, name: str) -> float | None:
        found = check.figure(kernel)
        value: float | None = None if found is None else getattr(found, name)
        return value

    return Data(
        columns=[
            Datum("host", lambda row: check.host),
            Datum("verdict", lambda row: check.verdict),
            Datum("kernel", lambda row: row[1]),
            Datum("median_gbps", lambda row: of_figure(row[1], "gbps")),
            Datum("low_gbps", lambda row: of_figure(row[1], "low")),
            Datum("high_gbps", lambda row: of_figure(row[1], "high")),
            Datum("limit_gbps", lambda row: row[0].limit_gbps if row[0] else None),
            Datum("chance_gbps", lambda row: row[0].chance_gbps if row[0] else None),
            Datum("expected_gbps", lambda row: row[0].expected_gbps if row[0] else None),
            Datum("source", lambda row: row[0].source if row[0] else None),
            Datum("decides", lambda row: row[0].decides if row[0] else None),
            Datum("disturbance", lambda row: check.last.disturbance),
        ],
        rows=rows,
    )
