"""The table at the top of a page of several results: a row for each, with a link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.analysis.trust import WORDS
from streamgage.html.content import Content
from streamgage.records import Machine
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Cell, Column, Page, Table
from streamgage.show.symbols import UNICODE
from streamgage.units import count

_UNKNOWN = "–"


def overview(shown: Sequence[Content]) -> Table[Content]:
    """The table: name, command, machine, host, date, main figure and findings of each result."""
    return Table(
        [
            Column("result", lambda each: Cell(each.name), left=True, roomy=True),
            Column("command", lambda each: Cell(each.result.kind.command), left=True),
            Column("machine", _machine(_line, "not known"), left=True, roomy=True),
            Column("host", _machine(lambda machine: machine.host), left=True),
            Column("measured", _machine(lambda machine: _minute(machine.time)), left=True),
            Column("best figure", lambda each: each.result.best or Cell(_UNKNOWN)),
            Column("trust", lambda each: Cell(WORDS[each.result.trust.verdict]), left=True),
            Column("findings", _findings, left=True),
        ],
        shown,
        caption="Results on this page",
        report_note="Main figure: triad if it was measured, in GB/s of nominal bytes; for latency,"
        " that of memory.",
    )


def _machine(
    read: Callable[[Machine], str | None], unknown: str = _UNKNOWN
) -> Callable[[Content], Cell]:
    def cell(each: Content) -> Cell:
        machine = each.page.machine
        return Cell((read(machine) if machine else "") or unknown)

    return cell


def _line(machine: Machine) -> str:
    return line_of_machine(machine, UNICODE)


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _findings(content: Content) -> Cell:
    return Cell(_counted(content.page), detail="; ".join(map(_short, content.warnings)))


def _counted(page: Page) -> str:
    """Such as ``1 error, 2 warnings``; notes are only counted if there is nothing else."""
    severities: list[str] = [each.severity for each in page.findings]
    parts = [
        count(severities.count(name), name, plural)
        for name, plural in (("error", None), ("spoiled", "spoiled"), ("warning", None))
        if severities.count(name)
    ]
    return ", ".join(parts) or (count(len(severities), "note") if severities else "none")


def _short(warning: str) -> str:
    """The words before the colon, such as ``Not whole``."""
    return warning.partition(":")[0]
