"""Rows as CSV, or as Apache Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from streamgage.errors import UsageError

Rows = Iterable[Sequence[Any]]


def as_csv(columns: Sequence[str], rows: Rows) -> bytes:
    """RFC 4180 with newlines alone; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def as_parquet(columns: Sequence[str], rows: Rows) -> bytes:
    """One table; a column in which nothing is known is of strings. Raises ``UsageError``."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(
            "Parquet needs the package pyarrow, which is not here: install it (pip install"
            " 'streamgage[parquet]'), or use --format csv."
        ) from error
    given = list(rows)
    arrays = []
    for number, name in enumerate(columns):
        values = [row[number] for row in given]
        known = any(value is not None for value in values)
        try:
            arrays.append(pyarrow.array(values, type=None if known else pyarrow.string()))
        except (OverflowError, pyarrow.ArrowInvalid, UnicodeError) as error:
            raise UsageError(
                f"Parquet cannot take the values of {name} ({error}): use --format csv."
            ) from error
    content = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=list(columns)), content)
    return content.getvalue()
