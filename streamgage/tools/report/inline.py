"""A result as a part of another page, such as a notebook: no scripts, and a style of its own.

All that it says is said by the report's page, too, whose templates and style sheet it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from streamgage.store.load import Loaded
from streamgage.tools.report.content import content
from streamgage.tools.report.parts import Part

if TYPE_CHECKING:
    from jinja2 import Template

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
"""A notebook tells its theme by what its body says; its own tables have stripes."""


def inline(subject: Loaded) -> str:
    """A result: what machine, the figures, and what to know of them."""
    shown = content(subject, 1, with_files=False)
    return _template().render(result=shown, parts_alone=(), style=_style())


def inline_parts(parts: Sequence[Part]) -> str:
    """Tables and words alone."""
    return _template().render(result=None, parts_alone=parts, style=_style())


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("streamgage.tools.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = str  # of plots alone, which it has none of
    return environment.get_template("inline.html.jinja")


@lru_cache(maxsize=1)
def _style() -> str:
    """The page's style, nested in a rule of the part's class, so that it changes nothing else.

    What is for paper is left out, and blanks with it.
    """
    page = (files("streamgage.tools.report") / "assets" / "report.css").read_text("utf-8")
    screen = _OF_PAPER.sub("", _COMMENT.sub("", page)).replace(":root", "&")
    return " ".join(f".{_CLASS} {{ {screen} {_THEMES} }}".split())
