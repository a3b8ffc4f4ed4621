"""Findings with their marks and the pages that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from streamgage.analysis.finding import Finding, by_weight
from streamgage.explanations import codes, page
from streamgage.show.symbols import UNICODE

if TYPE_CHECKING:
    from markupsafe import Markup

_HEADINGS_BELOW = 4
"""The level of headings in a finding's page: the finding's own heading has level four."""


@dataclass(frozen=True)
class ShownFinding:
    """A finding as the page has it."""

    code: str
    severity: str
    mark: str
    text: str

    @property
    def explanation(self) -> Markup | None:
        """Its page; ``None`` if none explains the code, as in the result of a newer version."""
        return _explanation(self.code)


def shown_findings(findings: Sequence[Finding]) -> list[ShownFinding]:
    """Findings, most important first; equally important ones keep the given order."""
    return [
        ShownFinding(e.code, e.severity, UNICODE.of(e.severity), e.text)
        for e in by_weight(findings)
    ]


@lru_cache(maxsize=128)
def _explanation(code: str) -> Markup | None:
    """The page of a code as HTML without its title, its headings below that of the finding."""
    if code not in codes():
        return None
    from markdown_it import MarkdownIt
    from markupsafe import Markup

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(page(code))[3:]  # without the title, which is the code
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            level = min(6, int(token.tag[1]) - 1 + _HEADINGS_BELOW)
            token.tag = f"h{level}"
    return Markup(parser.renderer.render(tokens, parser.options, {}))
