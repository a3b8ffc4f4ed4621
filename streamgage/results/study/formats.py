"""The text of a study, in each format."""

from __future__ import annotations

from pathlib import Path

from streamgage.results.study.document import Study
from streamgage.show.formats import CurveFormat, as_json


def render(answer: Study, form: CurveFormat, *, file: Path | None = None) -> str:
    """The text of ``answer``; ``file`` is where it goes, null for stdout."""
    match form:
        case CurveFormat.TABLE:
            from streamgage.results.study.table import render as table
            from streamgage.show.terminal import terminal_for

            return table(answer, terminal_for(file))
        case CurveFormat.JSON:
            return as_json(answer)
        case CurveFormat.CSV:
            from streamgage.results.study.columns import csv

            return csv(answer)
        case CurveFormat.MARKDOWN:
            from streamgage.results.study.markdown import render as markdown

            return markdown(answer)
        case CurveFormat.DAT:
            from streamgage.results.study.columns import dat

            return dat(answer)
