"""Findings: what a reader should know about a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, get_args

import msgspec

from streamgage.analysis.grade import Grade

Severity = Literal["error", "spoiled", "warning", "note", "fact"]
"""How severe a finding is. ``error``: a figure is wrong. ``spoiled``: something disturbed the run
so much that its figures must not be quoted. ``warning``: quote it together with the figures.
``note``: good to know. ``fact``: a property of this machine, which every run on it reports."""
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""All severities, the most important first."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a reader should know about a result. The ``code`` never changes."""

    code: str
    severity: Severity
    text: str
    reason: str = ""
    """The reason in a few words, such as ``other programs used 64 % of the CPUs``."""
    grade: Grade = "fact"
    """``fact``: it is about the run. Otherwise it concludes something from the run's figures, and
    is no firmer than they are."""

    @property
    def brief(self) -> str:
        """The reason if there is one, else the first sentence of the text."""
        return self.reason or self.text.partition(". ")[0].rstrip(".")

    @property
    def sentence(self) -> str:
        """The reason as a sentence; without a reason, the text."""
        return f"{self.brief[:1].upper()}{self.brief[1:]}."


@dataclass(frozen=True)
class PassedCheck:
    """A check that found nothing wrong; ``text`` says what was seen."""

    code: str
    text: str


class _HasSeverity(Protocol):
    @property
    def severity(self) -> Severity: ...


AnyFinding = TypeVar("AnyFinding", bound=_HasSeverity)


def by_weight(findings: Iterable[AnyFinding]) -> list[AnyFinding]:
    """Sort findings by severity, the most important first; equal ones keep their order."""
    return sorted(findings, key=lambda each: SEVERITIES.index(each.severity))
