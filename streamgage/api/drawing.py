"""How the command line shows results that are drawn."""

from __future__ import annotations

from pathlib import Path

from streamgage.api.declaration import Shown
from streamgage.errors import UsageError
from streamgage.show.formats import CurveFormat, SeriesFormat
from streamgage.show.picture import SUFFIXES, is_picture

CURVES = Shown(
    CurveFormat,
    output="Draw the curves in FILE.svg or FILE.png, with their data in FILE.dat, beside printing"
    " the result; with another --format and another name, write that to FILE.",
    data="dat",
    measures=True,
)


def drawn_from_csv(what: str) -> Shown:
    """What is drawn, with its data as CSV."""
    return Shown(
        SeriesFormat,
        output=f"{what}, beside printing the result; with --format json, csv or markdown and"
        " another name, write that to FILE.",
        data="csv",
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
