"""The formats of answers that come from a series of fresh runs, by name."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class SeriesFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class CurveFormat(StrEnum):
    """Formats of ``--format`` where the answer is curves."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    DAT = "dat"


def as_json(document: msgspec.Struct) -> str:
    """The document as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
