"""The text of a comparison, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.comparison import Comparison
from streamgage.present.series_formats import SeriesFormat, as_json


def render(answer: Comparison, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.present.comparison.table import render as table
            from streamgage.present.page import terminal_for

            return table(answer, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(answer)
        case SeriesFormat.CSV:
            from streamgage.present.comparison.csv_table import render as csv

            return csv(answer)
        case SeriesFormat.MARKDOWN:
            from streamgage.present.comparison.markdown import render as markdown

            return markdown(answer)
