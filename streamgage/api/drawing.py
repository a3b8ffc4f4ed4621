"""How the command line shows results that are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamgage.api.declaration import Shown
from streamgage.errors import UsageError
from streamgage.results.kind import Kind
from streamgage.show.picture import SUFFIXES, is_picture

CURVES = "Draw the curves in FILE.svg or FILE.png, with their data in FILE.{data}"


def drawn(kind: Kind[Any], what: str = CURVES) -> Shown:
    """A kind of result that has a picture; ``what`` is drawn, ``{data}`` the suffix of its data."""
    data = "dat" if "columns" in kind.gives else "csv"
    return Shown(
        kind.formats,
        output=f"{what.format(data=data)}, beside printing the result; with another --format and"
        " another name, write that to FILE.",
        data=data,
        measures=True,
    )


def picture_file(path: Path | None) -> Path | None:
    """``path``, before anything runs. Raises ``UsageError`` where it is no name of a picture."""
    if path is None or is_picture(path):
        return path
    raise UsageError(
        f"{path} is no picture that can be written: give -o a name that ends in"
        f" {' or '.join(SUFFIXES)}."
    )
