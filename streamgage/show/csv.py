"""``--format csv``: a line for each figure, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import Any

from streamgage.show.page import Data, Value


def render(data: Data[Any]) -> str:
    """A header line, then a line for each row; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(data.keys)
    writer.writerows([_text(e.value(row), e.digits) for e in data.columns] for row in data.rows)
    return text.getvalue()


def _text(value: Value, digits: int | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.{digits}g}" if isinstance(value, float) and digits else str(value)
