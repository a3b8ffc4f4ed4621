"""Marks and separators, with plain replacements for outputs whose encoding lacks them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Symbols:
    """The characters for each mark, one or a few."""

    error: str
    warning: str
    note: str
    passed: str
    separator: str
    plus_minus: str
    dash: str
    arrow: str
    read: str
    """The character of reads in bars of memory traffic; ``written`` is that of writes."""
    written: str
    levels: str
    """Characters of rising height, from empty to full."""

    def of(self, severity: str) -> str:
        """The mark for a severity."""
        marks = {"error": self.error, "spoiled": self.error, "warning": self.warning}
        return marks.get(severity, self.note)

    def text(self, text: str) -> str:
        """Replace the Unicode marks in ``text`` by these marks."""
        if self is UNICODE:
            return text
        for name in ("separator", "plus_minus", "dash", "arrow", "read", "written"):
            text = text.replace(getattr(UNICODE, name), getattr(self, name))
        return text


UNICODE = Symbols("✗", "▲", "●", "✓", " · ", "±", "–", "→", "█", "▒", "▁▂▃▄▅▆▇█")
ASCII = Symbols("X", "!", "*", "+", " | ", "+-", "-", "->", "#", "=", "_.:-=+*#")


def symbols_for(encoding: str | None) -> Symbols:
    """The marks that can be printed in ``encoding``."""
    try:
        "✗▲●✓·±–→▁▂█▒".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
