"""Marks and separators, and plain ones where the output's encoding lacks them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Symbols:
    """One character or a few for each mark."""

    error: str
    warning: str
    note: str
    passed: str
    separator: str
    plus_minus: str
    dash: str
    arrow: str
    read: str
    """``read`` and ``written`` fill bars of memory traffic."""
    written: str

    def of(self, severity: str) -> str:
        """The mark of a severity."""
        marks = {"error": self.error, "spoiled": self.error, "warning": self.warning}
        return marks.get(severity, self.note)

    def text(self, text: str) -> str:
        """``text``, which has the marks of Unicode, with these marks."""
        if self is UNICODE:
            return text
        for name in ("separator", "plus_minus", "dash", "arrow", "read", "written"):
            text = text.replace(getattr(UNICODE, name), getattr(self, name))
        return text


UNICODE = Symbols("✗", "▲", "●", "✓", " · ", "±", "–", "→", "█", "▒")
ASCII = Symbols("X", "!", "*", "+", " | ", "+-", "-", "->", "#", "=")


def symbols_for(encoding: str | None) -> Symbols:
    """The marks that ``encoding`` can print."""
    try:
        "✗▲●✓·±–→▁█▒".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
