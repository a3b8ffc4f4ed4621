"""The text of a ladder, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.ladders import Ladder
from streamgage.present.series_formats import CurveFormat, as_json


def render(answer: Ladder, form: CurveFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case CurveFormat.TABLE:
            from streamgage.present.ladder.table import render as table
            from streamgage.present.page import terminal_for

            return table(answer, terminal_for(file))
        case CurveFormat.JSON:
            return as_json(answer)
        case CurveFormat.CSV:
            from streamgage.present.ladder.csv_table import render as csv

            return csv(answer)
        case CurveFormat.MARKDOWN:
            from streamgage.present.ladder.markdown import render as markdown

            return markdown(answer)
        case CurveFormat.DAT:
            from streamgage.present.ladder.dat import render as dat

            return dat(answer)
