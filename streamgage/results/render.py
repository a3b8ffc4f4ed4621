"""The text of any result in a format that its kind has, and its picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from streamgage.errors import UsageError
from streamgage.results.document import Document
from streamgage.results.kinds import KINDS, headline, kind_of, words_of
from streamgage.show.formats import FORMATS as EVERY_FORMAT
from streamgage.show.formats import Shown, suffixes_of, write
from streamgage.show.page import Page, with_column

if TYPE_CHECKING:
    from streamgage.results.measure.variant_rates import Answer
    from streamgage.show.picture_file import Width

FORMATS = tuple(
    each.name for each in EVERY_FORMAT if any(each.name in kind.formats for kind in KINDS)
)
"""All that some kind has."""


def render_result(
    document: Document,
    found: Answer | None,
    form: str,
    *,
    file: Path | None = None,
    details: bool = False,
) -> str:
    """The text; ``found`` is the answer with its run, where there is one.

    Raises ``UsageError`` where results of this kind have no such format.
    """
    kind = kind_of(document)
    if form not in kind.formats:
        raise UsageError(
            f"--format {form!r} is none of a result of {kind.name}: use {', '.join(kind.formats)}."
        )
    if form == "stream" and found is None:
        raise UsageError(
            "A document has no samples to print as STREAM does: name the records, or leave"
            " --format stream out."
        )
    own = kind.own.get(form)
    if own is not None:
        return own(found or document)
    printed = kind.printed(document)
    return write(form, Shown(printed, lambda: page_of(document, found), file, details))


def page_of(document: Document, found: Answer | None = None) -> Page:
    """What a result shows."""
    words = words_of(document)
    page = kind_of(document).page(found or document)
    return replace(
        page,
        verdict=words.verdict,
        findings=words.findings,
        trust=words.trust,
        taken=document.taken,
        headline=page.headline or _headline(document, page.title),
        data=with_column(page.data, "trust", words.trust.verdict),
    )


def _headline(document: Document, title: str) -> str:
    """``Scaling of node7: 52.7 GB/s (triad compact)``: the figure by which it is known."""
    machine, best = document.machine, headline(document)
    name = f"{title} of {machine.host}" if machine is not None and machine.host else title
    return name if best is None else f"{name}: {best.figure} ({best.what})"


def draw_result(document: Document, file: Path, width: Width | None = None) -> bytes:
    """The picture, by the suffix of ``file``; ``width``: default: what it needs.

    Raises ``UsageError`` where there is none to draw.
    """
    kind = kind_of(document)
    if "picture" not in kind.gives:
        raise UsageError(
            f"There is no picture of a result of {kind.name}: write it as"
            f" {', '.join(suffixes_of(kind.formats))}, or draw it in a page with `streamgage"
            " report`."
        )
    from streamgage.show.picture import draw

    return draw(page_of(document), file, width)
