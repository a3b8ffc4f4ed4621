"""Reads CSV files of published facts: the first line names the format, each row is a struct.

The columns are the fields of the struct. An empty field stands for an unknown fact.
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
    """A file of published facts cannot be read."""


def _accept(_row: Any) -> None:  # noqa: ANN401 - any row
    """Accept every row. This is the check of files in which the types of the fields are enough."""


@dataclass(frozen=True)
class FactsFile(Generic[Row]):
    """The format of a file of published facts."""

    title: str
    """The title in the first line of the file."""
    called: str
    """What to call the file at the start of a sentence."""
    newest: int
    """The newest version of the format that can be read."""
    row: type[Row]
    repair: str
    """The advice for a damaged file."""
    check: Callable[[Row], None] = _accept
    """Checks a row beyond the types of its fields. Raises ``ValueError`` or ``re.error``."""

    def read(self, file: Traversable) -> tuple[Row, ...]:
        """Read the rows.

        Raises ``DamagedTableError`` with a sentence if the file does not exist, is damaged, or has
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
        """Parse a row. Raises ``ValueError`` or a similar error if it is wrong."""
        if None in row or None in row.values():
            raise ValueError("it does not have as many fields as columns")
        unknown = set(row) - set(self.row.__struct_fields__)
        if unknown:
            raise ValueError(f"unknown column {min(unknown)}")
        filled = {name: text for name, text in row.items() if text}
        value = msgspec.convert(filled, self.row, strict=False)
        self.check(value)
        return value
