"""``-o`` of commands that draw."""

from __future__ import annotations

from pathlib import Path

from streamgage.errors import UsageError
from streamgage.present.picture import SUFFIXES, is_picture


def picture_file(path: Path | None) -> Path | None:
    """``path``, before anything runs. Raises ``UsageError`` where it is no name of a picture."""
    if path is None or is_picture(path):
        return path
    raise UsageError(
        f"{path} is no picture that can be written: give -o a name that ends in"
        f" {' or '.join(SUFFIXES)}."
    )
