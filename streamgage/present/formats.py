"""The formats by name, and the text of an answer in one of them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.present.detail import PLAIN, Detail

if TYPE_CHECKING:
    from streamgage.analysis.summary import Answer

FILE_WIDTH = 100
"""Characters a line in files and pipes, and the most on a terminal."""


class Format(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    STREAM = "stream"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def render(
    answer: Answer, form: Format, *, file: Path | None = None, detail: Detail = PLAIN
) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case Format.TABLE:
            return _table(answer, file, detail)
        case Format.STREAM:
            from streamgage.present.stream_table import render as stream

            return stream(answer)
        case Format.JSON:
            from streamgage.present.json_document import render as json

            return json(answer)
        case Format.CSV:
            from streamgage.present.csv_table import render as csv

            return csv(answer)
        case Format.MARKDOWN:
            if answer.run.reported is None:
                from streamgage.present.markdown_table import render as markdown
            else:
                from streamgage.present.reported_markdown import render as markdown

            return markdown(answer)


def _table(answer: Answer, file: Path | None, detail: Detail) -> str:
    from streamgage.present.page import terminal_for
    from streamgage.present.terminal import render as terminal_table

    return terminal_table(answer, terminal_for(file), detail)
