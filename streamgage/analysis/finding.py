"""Something to know about a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, get_args

import msgspec

Severity = Literal["error", "spoiled", "warning", "note", "fact"]
"""``error``: a figure is wrong; ``spoiled``: something disturbed the run so much that its figures
must not be quoted; ``warning``: say it together with the figures; ``note``: good to know;
``fact``: a property of this machine, which every run on it reports."""
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The most important first."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know about the result; ``code`` is stable."""

    code: str
    severity: Severity
    text: str
    reason: str = ""
    """The reason in a few words, such as ``other programs used 64 % of the CPUs``."""

    @property
    def brief(self) -> str:
        """The reason if there is one, else the first sentence of the text."""
        return self.reason or self.text.partition(". ")[0].rstrip(".")

    @property
    def sentence(self) -> str:
        """The reason as a sentence."""
        return f"{self.brief[:1].upper()}{self.brief[1:]}."


@dataclass(frozen=True)
class Passed:
    """A check that found nothing wrong; ``text`` says what was seen."""

    code: str
    text: str


class _Weighty(Protocol):
    @property
    def severity(self) -> Severity: ...


Weighty = TypeVar("Weighty", bound=_Weighty)


def by_weight(findings: Iterable[Weighty]) -> list[Weighty]:
    """Sort findings, the most important first; those of one severity keep their order."""
    return sorted(findings, key=lambda each: SEVERITIES.index(each.severity))
