"""The tables of a scaling or of a series over sizes, each judged as it would be by itself.

A table in a series may be wrong, disturbed or impossible like any other. So each member keeps the
verdicts on its stores, its share of the peak, and its findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from streamgage.analysis.finding import SEVERITIES, Finding, Severity
from streamgage.analysis.user_facts import UserFacts
from streamgage.interop.tables import Table as ReportedTable
from streamgage.interop.tables import records_of
from streamgage.records.run import collect
from streamgage.results.measure.crossing import crossed, verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.headline import headline_kernel
from streamgage.results.member import Member
from streamgage.show.page import DASH, RATE, SHARE, Cell, Column, Table


def member_of(tables: Sequence[ReportedTable], n: int | None, user_facts: UserFacts) -> Member:
    """Judge the tables of one number of workers and one size."""
    from streamgage.results.measure.judge import judge_measure

    run = collect(records_of(tables))
    judged = judge_measure(run, user_facts).document
    return Member(
        n=n,
        array_bytes=None if run.reported is None else run.reported.array_bytes,
        peak=judged.peak,
        kernels=judged.kernels,
        findings=judged.findings,
    )


_OF_THE_WHOLE = frozenset({"unproved", "cut-off", "contradicts-itself", "invalid"})
"""The findings that the whole has itself."""


def findings_of_members(
    members: Sequence[Member], name: Callable[[Member], str], *, counts: Callable[[Member], bool]
) -> Iterator[Finding]:
    """Yield what was found in members, each code once, in the words of the worst of them.

    ``name``: the member in words. ``counts``: whether its figures count for the whole; the
    findings of others are notes at most.
    """
    found: dict[str, list[tuple[Member, Finding]]] = {}
    for member in members:
        for fact in member.findings:
            if fact.code not in _OF_THE_WHOLE:
                finding = fact.finding()
                if not counts(member):
                    finding = msgspec.structs.replace(finding, severity=_note(finding.severity))
                found.setdefault(fact.code, []).append((member, finding))
    for each in found.values():
        # Of equally severe ones the last: it has the most workers, or the largest arrays.
        member, worst = min(reversed(each), key=lambda pair: SEVERITIES.index(pair[1].severity))
        more = len(each) - 1
        where = name(member) + (f", and {more} more" if more else "")
        yield msgspec.structs.replace(
            worst,
            text=f"{where[:1].upper()}{where[1:]}: {worst.text}",
            reason=f"{worst.brief} ({where})",
        )


def _note(severity: Severity) -> Severity:
    return max(severity, "note", key=SEVERITIES.index)


def table_of_members(members: Sequence[Member], column: Column[Member]) -> Table[Member] | None:
    """What crossed the memory bus, member by member; ``None`` if no member shows it."""
    kernel = headline_kernel([result for each in members for result in each.kernels])
    shown = {id(each): _of(each, kernel) for each in members}
    known = [each for each in shown.values() if each is not None]
    if not any(
        each.peak_share is not None or each.alpha.verdict in ("full", "none", "at-most")
        for each in known
    ):
        return None

    def cell(read: Callable[[KernelResult], Cell]) -> Callable[[Member], Cell]:
        def of_row(member: Member) -> Cell:
            result = shown[id(member)]
            return Cell(DASH) if result is None else read(result)

        return of_row

    def rate(result: KernelResult) -> Cell:
        return Cell("", result.median_gbps, unit=RATE, wrong=result.valid is False)

    def share(result: KernelResult) -> Cell:
        return Cell(DASH) if result.peak_share is None else Cell("", result.peak_share, unit=SHARE)

    peaks = any(each.peak_share is not None for each in known)
    return Table(
        title=f"{kernel}: what crossed the memory bus",
        about="each table by itself, GB/s",
        columns=[
            column,
            Column("GB/s", cell(rate)),
            Column("crossed the bus", cell(crossed)),
            *([Column("of peak", cell(share))] if peaks else []),
            Column("write-allocate", cell(lambda each: Cell(verdict(each))), left=True),
        ],
        rows=list(members),
    )


def _of(member: Member, kernel: str | None) -> KernelResult | None:
    return next((each for each in member.kernels if each.kernel == kernel), None)
