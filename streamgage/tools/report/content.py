"""What the page says of each result, in reading order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from streamgage.show import page as shown
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Page
from streamgage.show.symbols import UNICODE
from streamgage.tools.report import of_page
from streamgage.tools.report.attachments import Attachment, attachments
from streamgage.tools.report.circumstances import machine_facts
from streamgage.tools.report.findings import Told, told
from streamgage.tools.report.parts import Facts, Figure, Part
from streamgage.tools.topology.nest import Nest, nest
from streamgage.tools.topology.summary import not_this_system


class Subject(Protocol):
    """A result as a report takes it."""

    @property
    def name(self) -> str:
        """What the user called it."""

    @property
    def page(self) -> Page:
        """What it shows."""

    @property
    def best(self) -> shown.Cell | None:
        """The figure by which it is known, with what it is of."""

    @property
    def partial(self) -> str | None:
        """Why it is not whole, a sentence; ``None`` where it is."""

    @property
    def printed(self) -> msgspec.Struct:
        """The result as it is printed as JSON."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """What it was made from, by name."""


@dataclass(frozen=True)
class Content:
    """One result."""

    anchor: str
    name: str
    page: Page
    title: str
    when: str
    warnings: Sequence[str]
    """Above all else: that it is not whole, not this system's, not measured."""
    lines: Sequence[str]
    """What machine, and what was done to it."""
    nest: Nest | None
    tables: Sequence[Part]
    findings: Sequence[Told]
    passed: Sequence[tuple[str, str]]
    figures: Sequence[Figure]
    facts: Facts
    attachments: Sequence[Attachment]


def content(subject: Subject, number: int, *, with_files: bool = True) -> Content:
    """Result ``number`` of the page, from 1; ``with_files``: to be downloaded from it."""
    page = subject.page
    machine = page.machine
    return Content(
        anchor=f"result-{number}",
        name=subject.name,
        page=page,
        title=page.title,
        when=f"{machine.host}, {machine.time[:16].replace('T', ' ')} UTC" if machine else "",
        warnings=_warnings(subject),
        lines=[
            *([line_of_machine(machine, UNICODE, page.machine_more)] if machine else []),
            *page.setup,
        ],
        nest=None if machine is None else nest(machine),
        tables=of_page.tables(page),
        findings=told(page.findings),
        passed=page.passed,
        figures=list(of_page.figures(page)),
        facts=Facts([*page.settings, *(machine_facts(machine) if machine else ())]),
        attachments=attachments(subject, number) if with_files else [],
    )


def _warnings(subject: Subject) -> list[str]:
    """What is to be known before anything else."""
    found = [] if subject.partial is None else [f"Not whole: {subject.partial}"]
    machine = subject.page.machine
    if machine is not None and (sentence := not_this_system(machine)):
        found.append(sentence)
    return [*found, *subject.page.warnings]
