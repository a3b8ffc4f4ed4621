"""Writes a picture, and its data in a file next to it that the user did not name.

The picture holds the digest of its data. Only the data of the picture that is drawn again is
replaced; any other file of that name stays, and nothing is measured.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.plain_text import plain_but_coloured
from streamgage.show.output import Output, open_output
from streamgage.show.picture_file import SUFFIXES

_END_OF_PNG = b"\0\0\0\0IEND\xaeB`\x82"


@dataclass(frozen=True)
class PictureOutput:
    """A picture to be written, with the file for its data."""

    path: Path
    """The picture, as the user named it."""
    data_path: Path
    _picture: Output
    _data: Output
    _of_other: bytes | None
    """The digest of the data that is there now, if it is that of another picture."""

    def write(self, picture: bytes, data: str) -> None:
        """Write both. Raises ``StreamgageError`` if one cannot be written."""
        content = plain_but_coloured(data).encode()
        if self._of_other is not None and self._of_other != _digest(content):
            raise StreamgageError(_refusal(self.path, self.data_path))
        self._picture.write_bytes(with_digest(picture, self.path, content))
        self._data.write_bytes(content)


@contextmanager
def open_picture(path: Path, form: str) -> Iterator[PictureOutput]:
    """Open a picture and the file for its data, so that one that cannot be written fails at once.

    The data goes next to the picture, with the suffix ``.form``. Raises ``UsageError``, also if a
    file of that name is not the data of the picture that is there now.
    """
    next_to_it = path.with_suffix(f".{form}")
    with open_output(path) as picture, open_output(next_to_it) as data:
        yield PictureOutput(path, next_to_it, picture, data, _of_another(path, next_to_it))


def _of_another(picture: Path, data: Path) -> bytes | None:
    """The digest of data that another picture of that name has, too, in another format.

    The same data may be drawn in several formats. Raises ``UsageError`` for what is no data of a
    picture.
    """
    try:
        if not data.is_file():
            return None
        digest = _digest(data.read_bytes())
        pictures = {each for each in map(picture.with_suffix, SUFFIXES) if _has(each, digest)}
        if pictures - {picture}:
            return digest
        if pictures:
            return None
    except OSError:
        pass
    raise UsageError(_refusal(picture, data))


def _has(picture: Path, digest: bytes) -> bool:
    return picture.is_file() and digest in picture.read_bytes()


def _refusal(picture: Path, data: Path) -> str:
    return (
        f"{data} would be replaced by the data of the picture {picture}, but is not the data of the"
        " picture that is there now: move it, or give the picture another name."
    )


def _digest(data: bytes) -> bytes:
    return b"data-sha256:" + hashlib.sha256(data).hexdigest().encode()


def with_digest(picture: bytes, path: Path, data: bytes) -> bytes:
    """The picture with a comment that holds the digest of its data, in the way of its format."""
    kind, digest = path.suffix.lower(), _digest(data)
    if kind == ".png" and picture.endswith(_END_OF_PNG):
        text = b"tEXtComment\0" + digest
        chunk = (len(text) - 4).to_bytes(4) + text + zlib.crc32(text).to_bytes(4)
        return picture.removesuffix(_END_OF_PNG) + chunk + _END_OF_PNG
    if kind == ".svg":
        return picture.rstrip(b"\n") + b"\n<!-- " + digest + b" -->\n"
    return picture.rstrip(b"\n") + b"\n%" + digest + b"\n"  # PDF and EPS have the same comments
