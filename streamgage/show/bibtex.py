"""``--format bibtex``: a result as an entry for a bibliography."""

from __future__ import annotations

import re

from streamgage.show.latex import escape_latex
from streamgage.show.page import Page

_KEY = re.compile(r"[^A-Za-z0-9]+")


def render(page: Page) -> str:
    """Write the entry: what the result says of itself, and by which records it is known."""
    machine = page.machine
    day = "" if machine is None else machine.time[:10]
    host = "memory" if machine is None else machine.host or "memory"
    key = "-".join(filter(None, ("streamgage", _KEY.sub("-", host), day, page.identity)))
    known = f" Records: {page.identity} (SHA-256)." if page.identity else ""
    fields = {
        "title": page.headline or page.title,
        "author": "streamgage" if machine is None else f"streamgage {machine.engine}",
        "year": day[:4],
        "note": f"{page.quote}{known}",
    }
    lines = [f"  {name} = {{{_text(name, value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}", ""])


def _text(name: str, value: str) -> str:
    braced = name == "author"  # so that BibTeX takes it for one name
    return f"{{{escape_latex(value)}}}" if braced else escape_latex(value)
