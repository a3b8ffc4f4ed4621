"""The formats of repeated runs by name, and the text of an answer in one of them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec

from streamgage.repetition import Repetition


class RepetitionFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def render(answer: Repetition, form: RepetitionFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case RepetitionFormat.TABLE:
            from streamgage.present.page import terminal_for
            from streamgage.present.repetition.table import render as table

            return table(answer, terminal_for(file))
        case RepetitionFormat.JSON:
            return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"
        case RepetitionFormat.CSV:
            from streamgage.present.repetition.csv_table import render as csv

            return csv(answer)
        case RepetitionFormat.MARKDOWN:
            from streamgage.present.repetition.markdown import render as markdown

            return markdown(answer)
