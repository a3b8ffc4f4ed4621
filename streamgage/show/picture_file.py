"""Names and widths of picture files. Nothing here loads Matplotlib."""

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
"""The resolution of PNG files."""
_CSS_DOTS_PER_INCH = 96
_UNITS = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0, "pt": 1 / 72.27}
"""Inches per unit. ``pt`` is TeX's point, in which LaTeX prints the width of a column."""
_WIDTH = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,6})?) ?(mm|cm|in|pt|px)", re.ASCII)
_LEAST, _MOST = 60 / 25.4, 1000 / 25.4


@dataclass(frozen=True)
class Width:
    """The width that the user wants a picture to have."""

    number: float
    unit: str

    def inches(self, path: Path) -> float:
        """The width in inches. A PNG's pixels are its own; in other formats they are CSS pixels."""
        if self.unit != "px":
            return self.number * _UNITS[self.unit]
        dots = DOTS_PER_INCH if path.suffix.lower() == ".png" else _CSS_DOTS_PER_INCH
        return self.number / dots


def is_picture(path: Path) -> bool:
    """Return whether ``path`` ends like a picture file that can be written."""
    return path.suffix.lower() in SUFFIXES


def picture_file(path: Path | None) -> Path | None:
    """Check that ``path`` names a picture, before anything runs.

    Raises ``UsageError`` if it does not, or if Matplotlib is not installed.
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
    """Read the width for the picture ``path``; ``None`` means as wide as the picture needs.

    Raises ``UsageError`` if the text is not a width, if it is too small or too large, or if there
    is no picture.
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
