"""Several results at a glance: one row for each, with a link to its details."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamgage.analysis.trust import WORDS
from streamgage.results.result import Result
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Page
from streamgage.show.symbols import UNICODE
from streamgage.tools.report import of_page
from streamgage.tools.report.content import Content
from streamgage.tools.report.parts import Cell, Column, Table
from streamgage.units import count

_UNKNOWN = "–"


def overview(results: Sequence[tuple[Result[Any], Content]]) -> Table:
    """Name, command, machine, host, date, main figure, and findings."""
    columns = [
        Column("result", left=True, roomy=True),
        Column("command", left=True),
        Column("machine", left=True, roomy=True),
        Column("host", left=True),
        Column("measured", left=True),
        Column("best figure"),
        Column("trust", left=True),
        Column("findings", left=True),
    ]
    rows = [
        [
            Cell(content.name, link=content.anchor),
            Cell(content.page.command),
            Cell(line_of_machine(machine, UNICODE) if machine else "not known"),
            Cell(machine.host or _UNKNOWN if machine else _UNKNOWN),
            Cell(machine.time[:16].replace("T", " ") if machine else _UNKNOWN),
            of_page.cell(subject.best) if subject.best else Cell(_UNKNOWN),
            Cell(WORDS[subject.trust.verdict]),
            Cell(_findings(content.page), detail="; ".join(_short(w) for w in content.warnings)),
        ]
        for subject, content in results
        for machine in (content.page.machine,)
    ]
    foot = "Best figure: triad where it was measured, in GB/s of nominal bytes; of latency, memory."
    return Table("Results on this page", columns, rows, foot)


def _findings(page: Page) -> str:
    """``1 error, 2 warnings``; notes are counted if there is nothing else."""
    severities: list[str] = [each.severity for each in page.findings]
    parts = [
        count(severities.count(name), name, plural)
        for name, plural in (("error", None), ("spoiled", "spoiled"), ("warning", None))
        if severities.count(name)
    ]
    return ", ".join(parts) or (count(len(severities), "note") if severities else "none")


def _short(warning: str) -> str:
    """``Not whole``: what stands before the colon."""
    return warning.partition(":")[0]
