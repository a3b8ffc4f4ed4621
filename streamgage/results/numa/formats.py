"""The text of a matrix, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.results.numa.document import NumaMatrix
from streamgage.show.formats import SeriesFormat, as_json


def render(matrix: NumaMatrix, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``matrix``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.results.numa.table import render as table
            from streamgage.show.terminal import terminal_for

            return table(matrix, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(matrix)
        case SeriesFormat.CSV:
            from streamgage.results.numa.csv_table import render as csv

            return csv(matrix)
        case SeriesFormat.MARKDOWN:
            from streamgage.results.numa.markdown import render as markdown

            return markdown(matrix)
