"""``--format csv``: one line per figure, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from streamgage.records.plain_text import spreadsheet_cell
from streamgage.show.page import Data, Value


def render(data: Data[Any]) -> str:
    """Write a header line, then one line per row; an unknown value is empty."""
    rows = ([_text(e.value(row), e.digits) for e in data.columns] for row in data.rows)
    return csv_of(data.keys, rows)


def csv_of(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write CSV by RFC 4180, but with a newline at the end of a line.

    ``None`` is empty, and no text can be taken for a formula.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow([spreadsheet_cell(e) if isinstance(e, str) else e for e in row])
    return text.getvalue()


def _text(value: Value, digits: int | None) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.{digits}g}" if isinstance(value, float) and digits else str(value)
