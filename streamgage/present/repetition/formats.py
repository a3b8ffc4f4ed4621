"""The text of an answer of repeated runs, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.present.series_formats import SeriesFormat, as_json
from streamgage.repetition import Repetition


def render(answer: Repetition, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.present.page import terminal_for
            from streamgage.present.repetition.table import render as table

            return table(answer, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(answer)
        case SeriesFormat.CSV:
            from streamgage.present.repetition.csv_table import render as csv

            return csv(answer)
        case SeriesFormat.MARKDOWN:
            from streamgage.present.repetition.markdown import render as markdown

            return markdown(answer)
