"""The formats by name, and the text of an answer in one of them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.show.detail import PLAIN, Detail

if TYPE_CHECKING:
    from streamgage.results.measure.judge import Answer

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
            from streamgage.results.measure.stream_table import render as stream

            return stream(answer)
        case Format.JSON:
            from streamgage.show.json import render as json

            return json(answer)
        case Format.CSV:
            from streamgage.results.measure.csv_table import render as csv

            return csv(answer)
        case Format.MARKDOWN:
            if answer.run.reported is None:
                from streamgage.results.measure.markdown import render as markdown
            else:
                from streamgage.results.measure.reported_markdown import render as markdown

            return markdown(answer)


def _table(answer: Answer, file: Path | None, detail: Detail) -> str:
    from streamgage.results.measure.table import render as terminal_table
    from streamgage.show.terminal import terminal_for

    return terminal_table(answer, terminal_for(file), detail)
