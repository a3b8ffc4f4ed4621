"""The reader of ``expected.csv``, the one list of published bandwidths.

Its first line names the format. A row is an ``ExpectedValue``: the columns are its fields, and an
empty field is a condition that the source does not give.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from streamgage.analysis.expected.value import ExpectedValue
from streamgage.errors import StreamgageError

FORMAT = 1
_FIRST_LINE = re.compile(r"# streamgage expected values, format ([0-9]{1,6})")
_REINSTALL = "install streamgage again"


class DamagedTableError(StreamgageError):
    """The list of published bandwidths cannot be read."""


@cache
def known_values() -> tuple[ExpectedValue, ...]:
    """Every published value that streamgage knows. Raises ``DamagedTableError``."""
    return read_values(files("streamgage.analysis.expected") / "expected.csv")


def values_for(processor: str) -> list[ExpectedValue]:
    """Those whose hardware has all of these words; otherwise those of a processor of this name.

    Raises ``DamagedTableError``.
    """
    name = plain_name(processor)
    words = name.lower().split()
    named = [each for each in known_values() if all(e in each.hardware.lower() for e in words)]
    return named or [
        each
        for each in known_values()
        if each.processor and re.search(each.processor, name, re.IGNORECASE)
    ]


def plain_name(processor: str) -> str:
    """A processor's name without the marks of trade."""
    return re.sub(r"\((?:R|TM|C)\)", "", processor, flags=re.IGNORECASE)


def read_values(file: Traversable) -> tuple[ExpectedValue, ...]:
    """The rows of a file.

    Raises ``DamagedTableError``, in one sentence, where it is not there, is damaged, or has a newer
    format.
    """
    try:
        first, *lines = file.read_text("utf-8").splitlines() or [""]
    except (OSError, UnicodeDecodeError) as error:
        raise DamagedTableError(
            f"The list of expected values, {file}, cannot be read ({error}): {_REINSTALL}."
        ) from error
    named = _FIRST_LINE.fullmatch(first)
    if named is None:
        raise DamagedTableError(
            f"The list of expected values, {file}, is damaged in line 1: {_REINSTALL}."
        )
    if int(named[1]) > FORMAT:
        raise DamagedTableError(
            f"The list of expected values, {file}, has format {named[1]}, and this streamgage reads"
            f" up to {FORMAT}: update streamgage."
        )
    rows = csv.DictReader(lines, strict=True)
    try:
        values = [_value(row) for row in rows]
    except (csv.Error, msgspec.ValidationError, ValueError, re.error) as error:
        raise DamagedTableError(
            f"The list of expected values, {file}, is damaged in line {1 + rows.line_num}"
            f" ({error}): {_REINSTALL}."
        ) from error
    if not values:
        raise DamagedTableError(f"The list of expected values, {file}, is empty: {_REINSTALL}.")
    return tuple(values)


def _value(row: dict[str, str]) -> ExpectedValue:
    """Raises ``ValueError``, and its like, where the row is no value."""
    if None in row or None in row.values():
        raise ValueError("it does not have as many fields as columns")
    unknown = set(row) - set(ExpectedValue.__struct_fields__)
    if unknown:
        raise ValueError(f"unknown column {min(unknown)}")
    filled = {name: text for name, text in row.items() if text}
    value = msgspec.convert(filled, ExpectedValue, strict=False)
    if value.high_gbps < value.low_gbps:
        raise ValueError("high_gbps is below low_gbps")
    for pattern in (value.processor, value.system):
        re.compile(pattern)
    return value
