"""The page: one HTML file that contains all it needs and fetches nothing."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from streamgage.process.installation import own_version
from streamgage.results.result import Result
from streamgage.tools.report.content import Content, content
from streamgage.tools.report.overview import overview
from streamgage.tools.report.parts import Figure, Part, Section

if TYPE_CHECKING:
    from markupsafe import Markup

_ESCAPED = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
"""Text that a script element must not contain: ends of elements, comments and lines."""
_LEVEL = 6
"""The level of gzip: a higher one takes twice as long, and saves three bytes in a thousand."""


@dataclass(frozen=True)
class _Script:
    """The program that draws, and the two hashes by which the page may run scripts."""

    own: str
    plotly: str
    """Compressed and in base64, or unchanged in a page that is printed."""
    policy: str


def page(
    results: Sequence[Result[Any]], *, comparison: Section | None = None, printed: bool = False
) -> str:
    """The page of one result or more, as HTML.

    ``comparison`` stands above them where there is one. ``printed``: without downloads, in the
    light theme, and every plot drawn before the page counts as loaded.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    shown = [
        content(each, number, with_files=not printed) for number, each in enumerate(results, 1)
    ]
    environment = Environment(
        loader=PackageLoader("streamgage.tools.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["json"] = embedded
    several = len(shown) > 1
    return environment.get_template("page.html.jinja").render(
        title=title_of(shown),
        heading=(shown[0].when or shown[0].name) if not several else title_of(shown),
        results=shown,
        overview=overview([*zip(results, shown, strict=True)]) if several else None,
        comparison=comparison,
        style=_asset("report.css"),
        script=_script(printed=printed) if _has_figures(shown, comparison) else _bare_script(),
        printed=printed,
        version=own_version() or "",
    )


def title_of(shown: Sequence[Content]) -> str:
    """What the page is called."""
    if len(shown) == 1:
        return f"{shown[0].title}: {shown[0].when or shown[0].name}"
    return f"{len(shown)} results of streamgage"


def embedded(value: object) -> Markup:
    """``value`` as JSON that may stand in a script element."""
    from markupsafe import Markup

    return Markup(_escaped(msgspec.json.encode(value).decode()))


def _escaped(text: str) -> str:
    for letter, written in _ESCAPED.items():
        text = text.replace(letter, written)
    return text


def _has_figures(shown: Iterable[Content], comparison: Section | None) -> bool:
    parts: Sequence[Part] = comparison.parts if comparison is not None else ()
    return any(each.figures for each in shown) or any(isinstance(e, Figure) for e in parts)


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
    return (files("streamgage.tools.report") / "assets" / name).read_text("utf-8")
