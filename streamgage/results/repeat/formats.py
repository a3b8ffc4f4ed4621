"""The text of an answer of repeated runs, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.results.repeat.document import Repetition
from streamgage.show.formats import SeriesFormat, as_json


def render(answer: Repetition, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.results.repeat.table import render as table
            from streamgage.show.terminal import terminal_for

            return table(answer, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(answer)
        case SeriesFormat.CSV:
            from streamgage.results.repeat.csv_table import render as csv

            return csv(answer)
        case SeriesFormat.MARKDOWN:
            from streamgage.results.repeat.markdown import render as markdown

            return markdown(answer)
