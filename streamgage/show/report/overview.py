"""Several results at a glance: a row each, with a link to all that is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.headline import headline
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.report.content import Content
from streamgage.show.report.parts import Cell, Column, Table
from streamgage.show.symbols import UNICODE
from streamgage.store.load import Loaded
from streamgage.units import count, format_nanoseconds, format_rate

_UNKNOWN = "–"


def overview(results: Sequence[tuple[Loaded, Content]]) -> Table:
    """Name, command, machine, host, date, the figure by which it is known, and findings."""
    columns = [
        Column("result", left=True, roomy=True),
        Column("command", left=True),
        Column("machine", left=True, roomy=True),
        Column("host", left=True),
        Column("measured", left=True),
        Column("best figure"),
        Column("findings", left=True),
    ]
    rows = [
        [
            Cell(loaded.name, link=content.anchor),
            Cell(loaded.kind),
            Cell(_machine(loaded)),
            Cell(machine.host if machine else _UNKNOWN),
            Cell(machine.time[:16].replace("T", " ") if machine else _UNKNOWN),
            _best(loaded),
            Cell(findings_of(loaded), detail="; ".join(_short(w) for w in content.warnings)),
        ]
        for loaded, content in results
        for machine in (loaded.document.machine,)
    ]
    foot = "Best figure: triad where it was measured, in GB/s of nominal bytes; of latency, memory."
    return Table("Results on this page", columns, rows, foot)


def _machine(loaded: Loaded) -> str:
    machine = loaded.document.machine
    return "not known" if machine is None else line_of_machine(machine, UNICODE)


def _best(loaded: Loaded) -> Cell:
    found = headline(loaded.document)
    if found is None:
        return Cell(_UNKNOWN)
    if found.unit == "s":
        return Cell(f"{format_nanoseconds(found.value)} ns", found.value, found.what)
    return Cell(f"{format_rate(found.value)} GB/s", found.value, found.what)


def findings_of(loaded: Loaded) -> str:
    """``1 error, 2 warnings``; notes count where there is nothing else."""
    severities = [each.severity for each in loaded.document.findings]
    parts = [
        count(severities.count(name), name)
        for name in ("error", "warning")
        if severities.count(name)
    ]
    return ", ".join(parts) or (count(len(severities), "note") if severities else "none")


def _short(warning: str) -> str:
    """``Not whole``: what stands before the colon."""
    return warning.partition(":")[0]
