"""CSV files of facts that others published: the first line names the format, a row is a struct.

The columns are the fields of the struct, and an empty field is not known.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

import msgspec

from streamgage.errors import StreamgageError

Row = TypeVar("Row", bound=msgspec.Struct)


class DamagedTableError(StreamgageError):
    """A file of facts cannot be read."""


def _accept(_row: Any) -> None:  # noqa: ANN401 - any row
    """Accept every row: the check of files whose types suffice."""


@dataclass(frozen=True)
class FactsFile(Generic[Row]):
    """The format of a file of facts."""

    title: str
    """The title in its first line."""
    called: str
    """The name of the file at the start of a sentence."""
    newest: int
    """The newest format that is read."""
    row: type[Row]
    repair: str
    """The advice for a damaged file."""
    check: Callable[[Row], None] = _accept
    """Checks a row beyond its types. Raises ``ValueError`` or ``re.error`` for a wrong one."""

    def read(self, file: Traversable) -> tuple[Row, ...]:
        """The rows.

        Raises ``DamagedTableError``, in one sentence, if the file is not there, is damaged, or has
        a newer format.
        """
        named = f"{self.called}, {file},"
        try:
            first, *lines = file.read_text("utf-8").splitlines() or [""]
        except (OSError, UnicodeDecodeError) as error:
            raise DamagedTableError(f"{named} cannot be read ({error}): {self.repair}.") from error
        match = re.fullmatch(rf"# {re.escape(self.title)}, format ([0-9]{{1,6}})", first)
        if match is None:
            raise DamagedTableError(f"{named} is damaged in line 1: {self.repair}.")
        if int(match[1]) > self.newest:
            raise DamagedTableError(
                f"{named} has format {match[1]}, and this streamgage reads up to {self.newest}:"
                " update streamgage."
            )
        rows = csv.DictReader(lines, strict=True)
        try:
            values = tuple(self._value(row) for row in rows)
        except (csv.Error, msgspec.ValidationError, ValueError, re.error) as error:
            raise DamagedTableError(
                f"{named} is damaged in line {1 + rows.line_num} ({error}): {self.repair}."
            ) from error
        if not values:
            raise DamagedTableError(f"{named} is empty: {self.repair}.")
        return values

    def _value(self, row: dict[str, str]) -> Row:
        """Parse a row. Raises ``ValueError``, or a similar error, for a wrong one."""
        if None in row or None in row.values():
            raise ValueError("it does not have as many fields as columns")
        unknown = set(row) - set(self.row.__struct_fields__)
        if unknown:
            raise ValueError(f"unknown column {min(unknown)}")
        filled = {name: text for name, text in row.items() if text}
        value = msgspec.convert(filled, self.row, strict=False)
        self.check(value)
        return value
