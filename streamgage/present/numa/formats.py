"""The text of a matrix, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.numa_matrix import NumaMatrix
from streamgage.present.series_formats import SeriesFormat, as_json


def render(matrix: NumaMatrix, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``matrix``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.present.numa.table import render as table
            from streamgage.present.page import terminal_for

            return table(matrix, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(matrix)
        case SeriesFormat.CSV:
            from streamgage.present.numa.csv_table import render as csv

            return csv(matrix)
        case SeriesFormat.MARKDOWN:
            from streamgage.present.numa.markdown import render as markdown

            return markdown(matrix)
