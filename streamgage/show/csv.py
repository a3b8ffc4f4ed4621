"""``--format csv``: a line for each figure, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from streamgage.show.page import Data, Value


def render(data: Data[Any]) -> str:
    """A header line, then a line for each row, six digits; what is not known is empty."""
    return as_csv(data.keys, data.values())


def as_csv(keys: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The same of rows that are values already."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(keys)
    writer.writerows([_text(value) for value in row] for row in rows)
    return text.getvalue()


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
