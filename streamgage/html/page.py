"""Writes the page: one HTML file that contains all it needs and fetches nothing."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from streamgage.html.content import Content, content
from streamgage.html.overview import overview
from streamgage.process.installation import own_version
from streamgage.results.result import Result
from streamgage.show.html import environment, plots_of
from streamgage.show.page import Page

_LEVEL = 6
"""The level of gzip: a higher one takes twice as long, and saves three bytes in a thousand."""


@dataclass(frozen=True)
class _Script:
    """The script that draws the plots, and the hashes that allow the page's scripts to run."""

    own: str
    plotly: str
    """The source of Plotly, compressed and in base64; unchanged in a page to be printed."""
    policy: str


def page(
    results: Sequence[Result[Any]], *, comparison: Page | None = None, printed: bool = False
) -> str:
    """The page of one or more results, as HTML.

    ``comparison`` stands above the results. With ``printed`` the page has no downloads, has the
    light theme, and draws every plot before it counts as loaded.
    """
    shown = [
        content(each, number, with_files=not printed) for number, each in enumerate(results, 1)
    ]
    several = len(shown) > 1
    drawn = any(plots_of(each.page) for each in shown)
    template = environment(__package__).get_template("page.html.jinja")
    return template.render(
        title=title_of(shown),
        heading=(shown[0].when or shown[0].name) if not several else title_of(shown),
        results=shown,
        overview=overview(shown) if several else None,
        comparison=comparison,
        style=_asset("report.css"),
        script=_script(printed=printed) if drawn else _bare_script(),
        printed=printed,
        version=own_version() or "",
    )


def title_of(shown: Sequence[Content]) -> str:
    """The title of the page."""
    if len(shown) == 1:
        return f"{shown[0].page.title}: {shown[0].when or shown[0].name}"
    return f"{len(shown)} results of streamgage"


def _script(*, printed: bool) -> _Script:
    from plotly.offline import get_plotlyjs

    own = _asset("report.js")
    # As a browser reads it, so that the hash is the same; and no end of an element within.
    plotly = get_plotlyjs().replace("\r\n", "\n").replace("</script", "<\\/script")
    return _Script(own, plotly if printed else _packed(plotly), f"{_hash(own)} {_hash(plotly)}")


def _packed(text: str) -> str:
    return b64encode(gzip.compress(text.encode(), _LEVEL, mtime=0)).decode()


def _bare_script() -> _Script:
    own = _asset("report.js")
    return _Script(own, "", _hash(own))


def _hash(text: str) -> str:
    """The hash by which a Content Security Policy names a script that may run."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files("streamgage.html") / "assets" / name).read_text("utf-8")
