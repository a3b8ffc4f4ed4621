"""Files of pictures: which names are those of pictures."""

from __future__ import annotations

from pathlib import Path

from streamgage.errors import UsageError
from streamgage.present.picture import PictureFormat


def picture_format(file: Path) -> PictureFormat:
    """The kind of picture that ``file`` names. Raises ``UsageError`` where it names none."""
    try:
        return PictureFormat(file.suffix.lower().removeprefix("."))
    except ValueError:
        raise UsageError(
            f"-o {file} is no picture's name, which ends in"
            f" {' or '.join(f'.{end}' for end in PictureFormat)}: name such a file."
        ) from None
