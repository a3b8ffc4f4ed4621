"""How to recognise and read the output of one benchmark: what an importer declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from streamgage.interop.parsed import ParsedOutput
from streamgage.records.other_benchmark import Printed

Parser = Callable[[str], ParsedOutput]


@dataclass(frozen=True)
class OutputFormat:
    """How to recognise and read the output of one benchmark."""

    name: str
    headers: tuple[re.Pattern[str], ...]
    """Patterns of the headers of its tables; a text with such a header is from this benchmark."""
    parse: Parser
    beginning: re.Pattern[str] | None = None
    """A pattern of what it prints before its table, which is all that a stopped run has."""
    words: tuple[str, ...] = ()
    """Words in its headers, one of which every output has; if empty, every text is searched."""
    gap: re.Pattern[str] | None = None
    """A pattern of whole texts that it writes but that cannot be read."""
    why_gap: str = ""
    """Why such a text cannot be read, and what to do."""
    prints: Printed = "best"
    """What its rates are."""
    section: re.Pattern[str] | None = None
    """A pattern that begins a section in which tables that look like another benchmark's are its
    own. Where its group ``end`` matches, it ends a section."""

    def starts(self, text: str) -> list[int]:
        """The positions of the headers of its tables, ascending."""
        return sorted({each.start() for h in self.headers for each in h.finditer(text)})

    def sections(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the sections in which all tables are its own, whatever they look like."""
        begin: int | None = None
        for edge in self.section.finditer(text) if self.section is not None else ():
            if edge["end"] is None:
                begin = edge.start() if begin is None else begin
            elif begin is not None:
                yield begin, edge.start()
                begin = None
        if begin is not None:
            yield begin, len(text)

    def may_be_in(self, text: str) -> bool:
        """Return whether one of its words is in ``text``; this is far quicker than a search."""
        return not self.words or any(word in text for word in self.words)
