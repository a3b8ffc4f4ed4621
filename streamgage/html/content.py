"""Collects what the page says about each result, in reading order."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from streamgage.html.circumstances import Fact, machine_facts
from streamgage.html.findings import ShownFinding, shown_findings
from streamgage.machine.topology.nest import Nest, nest
from streamgage.machine.topology.summary import not_this_system
from streamgage.results.result import Result
from streamgage.show.formats import as_json
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Page
from streamgage.show.symbols import UNICODE
from streamgage.units import format_volume

_RECORD = b'{"record":'
_SAMPLE = b'{"record":"sample"'
_LEVEL = 6
"""The level of gzip: a higher one takes twice as long, and makes records 1 % smaller."""


@dataclass(frozen=True)
class Content:
    """One result on the page, with everything that is shown about it."""

    anchor: str
    result: Result[Any]
    page: Page
    when: str
    warnings: Sequence[str]
    """Shown first: the result is not complete, not of this system, or not measured."""
    lines: Sequence[str]
    """The machine, and how it was measured."""
    nest: Nest | None
    findings: Sequence[ShownFinding]
    settings: Sequence[Fact]
    """How it was measured, and on which machine."""
    attachments: Sequence[Attachment]

    @property
    def name(self) -> str:
        """The name of the result."""
        return self.result.name

    @property
    def folded(self) -> bool:
        """``True`` if the tables are folded at first, because they are long."""
        return self.page.first is not None and self.page.first.folds


def content(subject: Result[Any], number: int, *, with_files: bool = True) -> Content:
    """Return result ``number`` of the page, from 1. ``with_files`` adds its files to download."""
    page = subject.page
    machine = page.machine
    return Content(
        anchor=f"result-{number}",
        result=subject,
        page=page,
        when=f"{machine.host}, {machine.time[:16].replace('T', ' ')} UTC" if machine else page.when,
        warnings=_warnings(subject),
        lines=[
            *([line_of_machine(machine, UNICODE, page.machine_more)] if machine else []),
            *page.setup,
        ],
        nest=None if machine is None else nest(machine),
        findings=shown_findings(page.findings),
        settings=[*page.settings, *(machine_facts(machine) if machine else ())],
        attachments=attachments(subject, number) if with_files else [],
    )


def _warnings(subject: Result[Any]) -> list[str]:
    """Return what the reader must know before anything else."""
    found = [] if subject.partial is None else [f"Not whole: {subject.partial}"]
    machine = subject.page.machine
    if machine is not None and (sentence := not_this_system(machine)):
        found.append(sentence)
    return [*found, *subject.page.warnings]


@dataclass(frozen=True)
class Attachment:
    """A file in the page; ``content`` is base64 of its bytes, compressed by gzip."""

    name: str
    about: str
    kind: str
    """Its MIME type."""
    size: int
    content: str
    has_samples: bool = False
    """``True`` if it holds records with samples."""

    @property
    def shown_size(self) -> str:
        """The size as text, such as ``1.2 MB``."""
        return format_volume(self.size)

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return PurePath(self.name).stem


def attachments(subject: Result[Any], number: int) -> list[Attachment]:
    """Return the JSON document of result ``number``, then the files that it was made from."""
    stem = PurePath(subject.name.replace(" ", "-")).stem or f"result-{number}"
    found = []
    if not any(_is_document(content) for content in subject.files.values()):
        text = as_json(subject.printed).encode()
        found.append(_attachment(f"{stem}.{subject.kind.name}.json", "the result as JSON", text))
    for name, content in subject.files.items():
        records = _is_records(content)
        about = "the original records" if records else "the original file"
        samples = records and _SAMPLE in content
        found.append(_attachment(PurePath(name).name, about, content, has_samples=samples))
    return found


def _is_records(content: bytes) -> bool:
    return content.lstrip().startswith(_RECORD)


def _is_document(content: bytes) -> bool:
    """Return whether the file is a result's JSON document already."""
    return content.lstrip().startswith(b"{") and not _is_records(content)


def _attachment(name: str, about: str, content: bytes, *, has_samples: bool = False) -> Attachment:
    kind = "application/json" if name.endswith((".json", ".jsonl")) else "text/plain"
    packed = b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode()
    return Attachment(name, about, kind, len(content), packed, has_samples)
