"""Writes any result in a format that its kind has, or draws its picture."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.results.kinds import KINDS
from streamgage.results.result import Result
from streamgage.show.formats import FORMATS as EVERY_FORMAT
from streamgage.show.formats import ResultToWrite, suffixes_of, write

if TYPE_CHECKING:
    from streamgage.show.page import Page
    from streamgage.show.picture_file import Width

FORMATS = tuple(
    each.name for each in EVERY_FORMAT if any(each.name in kind.formats for kind in KINDS)
)
"""The names of all formats that some kind has."""


def render_result(
    result: Result[Any],
    form: str,
    *,
    file: Path | None = None,
    details: bool = False,
    shown_before: Collection[str] = (),
) -> str:
    """Write the result in the format ``form``.

    Raises ``UsageError`` if its kind lacks the format. A table leaves out the sentences in
    ``shown_before``, which the reader has already seen.
    """
    kind = result.kind
    if form not in kind.formats:
        raise UsageError(
            f"--format {form!r} is not available for a result of {kind.command}: use"
            f" {', '.join(kind.formats)}."
        )
    own = kind.own.get(form)
    if own is not None:
        return own(result)

    def page() -> Page:
        whole = result.page
        if form != "table" or not shown_before:
            return whole
        return replace(whole, remarks=[each for each in whole.remarks if each not in shown_before])

    return write(form, ResultToWrite(result.printed, page, file, details))


def draw_result(result: Result[Any], file: Path, width: Width | None = None) -> bytes:
    """Draw the picture in the format of ``file``'s suffix.

    ``width``: ``None`` is what it needs. Raises ``UsageError`` if there is nothing to draw.
    """
    kind = result.kind
    if "picture" not in kind.gives:
        raise UsageError(
            f"There is no picture of a result of {kind.command}: write it as"
            f" {', '.join(suffixes_of(kind.formats))}, or draw it in a page with"
            f" {advice('report')}."
        )
    from streamgage.show.picture import draw

    return draw(result.page, file, width)
