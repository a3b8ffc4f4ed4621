"""The text of a study, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.present.series_formats import CurveFormat, as_json
from streamgage.studied import Study


def render(answer: Study, form: CurveFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case CurveFormat.TABLE:
            from streamgage.present.page import terminal_for
            from streamgage.present.study.table import render as table

            return table(answer, terminal_for(file))
        case CurveFormat.JSON:
            return as_json(answer)
        case CurveFormat.CSV:
            from streamgage.present.study.columns import csv

            return csv(answer)
        case CurveFormat.MARKDOWN:
            from streamgage.present.study.markdown import render as markdown

            return markdown(answer)
        case CurveFormat.DAT:
            from streamgage.present.study.columns import dat

            return dat(answer)
