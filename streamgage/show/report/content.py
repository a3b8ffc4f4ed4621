"""What the page tells of each result, in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.results.document import Document
from streamgage.results.measure.document import Result
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.reported_lines import reported_line, reported_setting_line
from streamgage.results.render import answer_of as answer_of_document
from streamgage.results.report_parts import figures, tables, title_of
from streamgage.show.machine_lines import line_of_machine, setting_line
from streamgage.show.report.attachments import Attachment, attachments
from streamgage.show.report.circumstances import facts
from streamgage.show.report.parts import Facts, Figure, Part
from streamgage.show.report.told import Told, told
from streamgage.show.symbols import UNICODE
from streamgage.store.load import Loaded
from streamgage.tools.topology.nest import Nest, nest
from streamgage.tools.topology.summary import not_this_system

REPLAYED = (
    "REPLAYED: counters were played back from a recording. What crossed the memory bus was not"
    " measured on this machine."
)


@dataclass(frozen=True)
class Content:
    """One result."""

    anchor: str
    name: str
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


def content(loaded: Loaded, number: int, *, with_files: bool = True) -> Content:
    """Result ``number`` of the page, from 1; ``with_files``: to be downloaded from it."""
    document = loaded.document
    answer = answer_of(loaded)
    machine = document.machine
    return Content(
        anchor=f"result-{number}",
        name=loaded.name,
        title=title_of(document, answer),
        when=f"{machine.host}, {machine.time[:16].replace('T', ' ')} UTC" if machine else "",
        warnings=warnings_of(loaded),
        lines=_lines(document, answer),
        nest=None if machine is None else nest(machine),
        tables=tables(document, answer),
        findings=told(document.findings),
        passed=[(each.code, each.text) for each in answer.passed] if answer else [],
        figures=figures(document, answer),
        facts=Facts(facts(document, answer)),
        attachments=attachments(loaded, number) if with_files else [],
    )


def answer_of(loaded: Loaded) -> Answer | None:
    """Of ``measure``: the answer, without samples where only the document is there."""
    return answer_of_document(loaded.document, loaded.answer)


def warnings_of(loaded: Loaded) -> list[str]:
    """What is to be known before anything else."""
    found = [] if loaded.partial is None else [f"Not whole: {loaded.partial}"]
    machine = loaded.document.machine
    if machine is not None and (sentence := not_this_system(machine)):
        found.append(sentence)
    if is_replayed(loaded.document):
        found.append(REPLAYED)
    return found


def is_replayed(document: Document) -> bool:
    """Whether counters were played back from a recording."""
    if not isinstance(document, Result):
        return False
    records = (document.counters, document.calibration)
    return any(each is not None and each.replayed for each in records) or any(
        each.alpha.evidence == "replayed" for each in document.kernels
    )


def _lines(document: Document, answer: Answer | None) -> list[str]:
    if answer is not None and answer.run.reported is not None:
        told_lines = [reported_line(answer, UNICODE), reported_setting_line(answer, UNICODE)]
        return [line for line in told_lines if line]
    machine = document.machine
    if machine is None:
        return []
    peak = document.peak if isinstance(document, Result) else None
    lines = [line_of_machine(machine, UNICODE, peak)]
    if answer is not None and (line := setting_line(answer, UNICODE)):
        lines.append(line)
    return lines
