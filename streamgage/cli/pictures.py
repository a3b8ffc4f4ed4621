"""``-o`` of commands that draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.show.formats import CurveFormat, SeriesFormat
from streamgage.show.output import Output, open_output
from streamgage.show.picture import SUFFIXES, is_picture


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


@dataclass(frozen=True)
class Drawing:
    """A picture that is to be written, and a file beside it that takes its data."""

    path: Path
    picture: Output
    data: Output

    def write(self, picture: bytes, data: str) -> None:
        """Write both. Raises ``StreamgageError`` where a file cannot take it."""
        self.picture.write_bytes(picture)
        self.data.write(data)


@contextmanager
def open_drawing(path: Path | None, data_suffix: str) -> Iterator[Drawing | None]:
    """Both files, which are known to be writable before anything runs; null without ``path``.

    The data goes to the same name with ``data_suffix``. Raises ``UsageError`` where one of them
    cannot be written.
    """
    if path is None:
        yield None
        return
    with open_output(path) as picture, open_output(path.with_suffix(data_suffix)) as data:
        yield Drawing(path, picture, data)
