"""What can be downloaded from the page: the files that a result was made from, and its document."""

from __future__ import annotations

import gzip
from base64 import b64encode
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from streamgage.show.formats import as_json
from streamgage.units import format_volume

if TYPE_CHECKING:
    from streamgage.tools.report.content import Subject

_RECORD = b'{"record":'
_SAMPLE = b'{"record":"sample"'
_LEVEL = 6
"""Of gzip: more takes twice as long, and makes records smaller by a hundredth."""


@dataclass(frozen=True)
class Attachment:
    """A file in the page; ``content`` is base64 of its bytes, compressed by gzip."""

    name: str
    about: str
    kind: str
    """Its MIME type."""
    size: int
    content: str
    has_samples: bool = False
    """Whether it is records that have samples."""

    @property
    def shown_size(self) -> str:
        """``1.2 MB``."""
        return format_volume(self.size)

    @property
    def stem(self) -> str:
        """The name without what tells its kind."""
        return PurePath(self.name).stem


def attachments(subject: Subject, number: int) -> list[Attachment]:
    """The document of result ``number``, then what it was made from."""
    stem = PurePath(subject.name.replace(" ", "-")).stem or f"result-{number}"
    kind = subject.page.command
    found = []
    if not any(_is_document(content) for content in subject.files.values()):
        text = as_json(subject.printed).encode()
        found.append(_attachment(f"{stem}.{kind}.json", "the result as JSON", text))
    for name, content in subject.files.items():
        records = _is_records(content)
        about = "the original records" if records else "the original file"
        samples = records and _SAMPLE in content
        found.append(_attachment(PurePath(name).name, about, content, has_samples=samples))
    return found


def _is_records(content: bytes) -> bool:
    return content.lstrip().startswith(_RECORD)


def _is_document(content: bytes) -> bool:
    """Whether it is the result as JSON already."""
    return content.lstrip().startswith(b"{") and not _is_records(content)


def _attachment(name: str, about: str, content: bytes, *, has_samples: bool = False) -> Attachment:
    kind = "application/json" if name.endswith((".json", ".jsonl")) else "text/plain"
    packed = b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode()
    return Attachment(name, about, kind, len(content), packed, has_samples)
