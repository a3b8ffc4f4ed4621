"""The text of scaling curves, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.present.series_formats import CurveFormat, as_json
from streamgage.scaling import Scaling


def render(answer: Scaling, form: CurveFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case CurveFormat.TABLE:
            from streamgage.present.page import terminal_for
            from streamgage.present.scaling.table import render as table

            return table(answer, terminal_for(file))
        case CurveFormat.JSON:
            return as_json(answer)
        case CurveFormat.CSV:
            from streamgage.present.scaling.csv_table import render as csv

            return csv(answer)
        case CurveFormat.MARKDOWN:
            from streamgage.present.scaling.markdown import render as markdown

            return markdown(answer)
        case CurveFormat.DAT:
            from streamgage.present.scaling.dat import render as dat

            return dat(answer)
