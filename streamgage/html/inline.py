"""Shows a result inside another page, such as a notebook, without scripts.

It uses the templates and the style sheet of the report's page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from streamgage.errors import UsageError
from streamgage.html.content import content
from streamgage.process.installation import require
from streamgage.results.result import Result
from streamgage.show.html import environment
from streamgage.show.page import Page

if TYPE_CHECKING:
    from jinja2 import Template

PAGES = ("jinja2", "markdown-it-py")
"""Packages that make HTML of a result."""
_CLASS = "streamgage"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_OF_PAPER = re.compile(r"@media print \{.*\Z", re.DOTALL)
_THEMES = """
& { color-scheme: light; background: var(--ground); color: var(--text); line-height: 1.45;
  padding: 0.25rem 0.75rem; max-width: 72rem; }
body[data-jp-theme-light="false"] &, body.vscode-dark & { color-scheme: dark; }
h3 { margin-top: 0.5rem; font-weight: 600; }
.finding h4 { font-weight: 600; }
.scroll table th.left, .scroll table td.left { text-align: left; }
tbody tr, thead tr { background: var(--ground); }
td, th { color: var(--text); }
summary { color: var(--link); }
"""
"""Rules that follow the notebook's theme and remove the stripes of its tables."""


def inline(subject: Result[Any]) -> str:
    """The HTML of a result: the machine, the figures and the findings."""
    return _missing() or _template().render(
        result=content(subject, 1, with_files=False), page=subject.page, style=_style()
    )


def inline_body(page: Page) -> str:
    """The HTML of a page that is not a result, such as a comparison."""
    return _missing() or _template().render(result=None, page=page, style=_style())


def _missing() -> str:
    """A text that says which packages are missing; empty if all are installed."""
    try:
        require("A result in a notebook", *PAGES)
    except UsageError as error:
        return f"<p>{escape(str(error))}</p>"
    return ""


@lru_cache(maxsize=1)
def _template() -> Template:
    return environment(__package__).get_template("inline.html.jinja")


@lru_cache(maxsize=1)
def _style() -> str:
    """The page's style sheet, limited to this part of the page by a class.

    Rules for printing and unnecessary blanks are left out.
    """
    page = (files("streamgage.html") / "assets" / "report.css").read_text("utf-8")
    screen = _OF_PAPER.sub("", _COMMENT.sub("", page)).replace(":root", "&")
    return " ".join(f".{_CLASS} {{ {screen} {_THEMES} }}".split())
