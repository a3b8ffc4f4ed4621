"""``-o`` of commands that draw."""

from __future__ import annotations

from pathlib import Path

from streamgage.errors import UsageError
from streamgage.present.plots import SUFFIXES, is_picture
from streamgage.present.series_formats import CurveFormat, SeriesFormat


def picture_beside_text(output: Path | None, shown_as: SeriesFormat | CurveFormat) -> Path | None:
    """The picture that ``-o`` names; null where it names none, or a file for a format of text.

    Raises ``UsageError`` for a name that is neither.
    """
    if output is None or (shown_as.value != SeriesFormat.TABLE and not is_picture(output)):
        return None
    return picture_file(output)


def picture_file(path: Path | None) -> Path | None:
    """``path``, before anything runs. Raises ``UsageError`` where it is no name of a picture."""
    if path is None or is_picture(path):
        return path
    raise UsageError(
        f"{path} is no picture that can be written: give -o a name that ends in"
        f" {' or '.join(SUFFIXES)}."
    )
