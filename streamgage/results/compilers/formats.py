"""The text of a comparison of compilers, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.results.compilers.document import Compilations
from streamgage.show.formats import SeriesFormat, as_json


def render(answer: Compilations, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.results.compilers.table import render as table
            from streamgage.show.terminal import terminal_for

            return table(answer, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(answer)
        case SeriesFormat.CSV:
            from streamgage.results.compilers.csv_table import render as csv

            return csv(answer)
        case SeriesFormat.MARKDOWN:
            from streamgage.results.compilers.markdown import render as markdown

            return markdown(answer)
