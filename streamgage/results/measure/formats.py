"""The formats of ``measure``, for the commands that print its answer."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.show.detail import PLAIN, Detail

if TYPE_CHECKING:
    from streamgage.results.measure.judge import Answer


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
