"""The findings of a page, each with its mark and its explanation."""

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
    """A finding as the page shows it."""

    code: str
    severity: str
    mark: str
    text: str

    @property
    def explanation(self) -> Markup | None:
        """The page that explains it; ``None`` for an unknown code, as of a newer version."""
        return _explanation(self.code)


def shown_findings(findings: Sequence[Finding]) -> list[ShownFinding]:
    """Sort the findings, most important first; equally important ones keep their order."""
    return [
        ShownFinding(e.code, e.severity, UNICODE.of(e.severity), e.text)
        for e in by_weight(findings)
    ]


@lru_cache(maxsize=128)
def _explanation(code: str) -> Markup | None:
    """The page of a code as HTML, without its title, with smaller headings.

    Its links are plain text: the other pages are not in the report.
    """
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
        token.children = [
            child for child in token.children or [] if child.type not in ("link_open", "link_close")
        ]
    return Markup(parser.renderer.render(tokens, parser.options, {}))
