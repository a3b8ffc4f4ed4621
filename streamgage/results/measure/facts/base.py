"""How a finding of a run is stored: its code, its severity, and the observed values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from streamgage.analysis.finding import Finding, Severity
from streamgage.analysis.grade import Grade


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="code"):
    """A finding without its words, which ``finding`` makes of the values."""

    severity: Severity
    grade: ClassVar[Grade] = "fact"
    """``sound`` if it concludes something from the figures, and is no firmer than they are."""

    @property
    def code(self) -> str:
        """The same for every finding of its type."""
        return str(self.__struct_config__.tag)

    def finding(self) -> Finding:
        """The finding in words. Raises ``ValueError`` where the values do not fit each other."""
        raise NotImplementedError

    def said(self, *, reason: str, text: str, grade: Grade | None = None) -> Finding:
        """The finding with these words; ``grade`` replaces that of its type."""
        return Finding(
            code=self.code,
            severity=self.severity,
            reason=reason,
            text=text,
            grade=grade or self.grade,
        )

    def consistent(self) -> None:
        """Raise ``ValueError`` where the values do not fit each other."""
        self.finding()


def some(texts: Sequence[str], most: int = 3) -> str:
    """The first texts as a list in words, with the number of the rest."""
    shown = ", ".join(texts[:most])
    return shown if len(texts) <= most else f"{shown} and {len(texts) - most} more"
