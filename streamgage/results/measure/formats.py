"""The text of an answer of ``measure`` in each format that it writes itself."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.show.detail import PLAIN, Detail

if TYPE_CHECKING:
    from streamgage.results.measure.judge import Answer


def table(answer: Answer, file: Path | None, detail: Detail) -> str:
    """The answer as people read it."""
    from streamgage.results.measure.table import render
    from streamgage.show.terminal import terminal_for

    return render(answer, terminal_for(file), detail)


def stream(answer: Answer, _file: Path | None, _detail: Detail) -> str:
    """As STREAM prints it."""
    from streamgage.results.measure.stream_table import render

    return render(answer)


def csv(answer: Answer, _file: Path | None, _detail: Detail) -> str:
    """A line a variant."""
    from streamgage.results.measure.csv_table import render

    return render(answer)


def markdown(answer: Answer, _file: Path | None, _detail: Detail) -> str:
    """A table to paste."""
    if answer.run.reported is None:
        from streamgage.results.measure.markdown import render
    else:
        from streamgage.results.measure.reported_markdown import render

    return render(answer)


class Format(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    STREAM = "stream"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def render(
    answer: Answer, form: Format, *, file: Path | None = None, detail: Detail = PLAIN
) -> str:
    """The text of ``answer``; ``file`` is where it goes, ``None`` for stdout."""
    from streamgage.results.render import render_result

    return render_result(answer.result, answer, form, file=file, detail=detail)
