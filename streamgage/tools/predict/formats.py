"""The text of a prediction, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.show.formats import SeriesFormat, as_json
from streamgage.tools.predict.document import Prediction


def render(answer: Prediction, form: SeriesFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case SeriesFormat.TABLE:
            from streamgage.show.terminal import terminal_for
            from streamgage.tools.predict.text import render as text

            return text(answer, terminal_for(file))
        case SeriesFormat.JSON:
            return as_json(answer)
        case SeriesFormat.CSV:
            from streamgage.show.csv import render as csv
            from streamgage.tools.predict.data import data_of

            return csv(data_of(answer))
        case SeriesFormat.MARKDOWN:
            from streamgage.tools.predict.text import markdown

            return markdown(answer)
