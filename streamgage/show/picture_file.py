"""Files of pictures: which can be written, and how wide. Nothing here loads what draws."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.process.installation import require
from streamgage.units import shortened

DRAWS = ("matplotlib",)
"""Packages that pictures need."""
SUFFIXES = (".svg", ".png", ".pdf", ".eps")
PICTURES = f"FILE{SUFFIXES[0]}, {', '.join(SUFFIXES[1:-1])} or {SUFFIXES[-1]}"
"""The suffixes as the help names them."""
WIDTH = "How wide the picture is, such as 85mm (a column of a journal); default: what it needs."
"""The help of ``--width``."""
DOTS_PER_INCH = 150
"""Resolution of PNG."""
_CSS_DOTS_PER_INCH = 96
_UNITS = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0, "pt": 1 / 72.27}
"""Inches; ``pt`` is TeX's, in which LaTeX prints the width of a column."""
_WIDTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,6})?) ?(mm|cm|in|pt|px)", re.ASCII)
_LEAST, _MOST = 60 / 25.4, 1000 / 25.4


@dataclass(frozen=True)
class Width:
    """How wide a picture is to be."""

    number: float
    unit: str

    def inches(self, path: Path) -> float:
        """The width in inches: pixels of a PNG are its own, those of others are CSS's."""
        if self.unit != "px":
            return self.number * _UNITS[self.unit]
        dots = DOTS_PER_INCH if path.suffix.lower() == ".png" else _CSS_DOTS_PER_INCH
        return self.number / dots


def is_picture(path: Path) -> bool:
    """Return whether the name of the file is that of a picture that can be written."""
    return path.suffix.lower() in SUFFIXES


def picture_file(path: Path | None) -> Path | None:
    """``path``, before anything runs.

    Raises ``UsageError`` if it is no name of a picture, or what draws is not installed.
    """
    if path is None:
        return path
    if is_picture(path):
        require("A picture", *DRAWS)
        return path
    raise UsageError(
        f"{path} is no picture that can be written: give -o a name that ends in"
        f" {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
    )


def width_of(text: str | None, path: Path | None) -> Width | None:
    """The requested width of the picture ``path``; ``None``: as wide as the picture needs.

    Raises ``UsageError`` if the text is no width, if it is too small or too large, or if there is
    no picture.
    """
    if text is None:
        return None
    shown = shortened(text)
    match = _WIDTH.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"--width {shown!r} is no width: write a number with mm, cm, in, pt or px, such as"
            " 85mm."
        )
    if path is None or not is_picture(path):
        raise UsageError("--width applies to pictures: name a file with -o, such as -o FILE.pdf.")
    width = Width(float(match[1]), match[2])
    if not _LEAST <= width.inches(path) <= _MOST:
        raise UsageError(f"--width {shown} is not from 60mm to 1000mm: give one such as 85mm.")
    return width
