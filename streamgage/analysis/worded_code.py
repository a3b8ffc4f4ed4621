"""Codes with words, so that results store a code and values instead of a sentence.

The words of a code are a template in which the values stand by name, as in ``str.format``. After a
colon comes one of Python's format specifications, or one of ``_FORMS``.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Self

from streamgage.cpu_list import name_nodes
from streamgage.units import count, format_bytes, format_change, format_share, listed


class WordedCode(StrEnum):
    """A code with its words. A member is ``NAME = "code", "words of {values}"``."""

    words: str

    def __new__(cls, code: str, words: str) -> Self:
        """Make the member: a string that is the code."""
        made = str.__new__(cls, code)
        made._value_ = code
        made.words = words
        return made

    def filled(self, value: Callable[[str], object]) -> str:
        """Fill the values into the words.

        ``value`` returns the value for a name. Raises ``ValueError`` if a value is missing.
        """
        return _WordsFormatter(value).format(self.words)


class _WordsFormatter(string.Formatter):
    def __init__(self, value: Callable[[str], object]) -> None:
        self._value = value

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> object:
        found = self._value(str(key))
        if found is None or found in ([], {}):
            raise ValueError(f"Expected a value of `{key}`")
        return found

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - any value
        form = _FORMS.get(format_spec)
        return format(value, format_spec) if form is None else form(value)


_FORMS: dict[str, Callable[[Any], str]] = {
    "size": format_bytes,
    "share": format_share,
    "change": lambda ratio: format_change(ratio - 1),
    "listed": listed,
    "and": " and ".join,
    "was": lambda names: "was" if len(names) == 1 else "were",
    "values": lambda named: " and ".join(f"{each:.2f}" for each in named.values()),
    "named": lambda named: ", ".join(f"{name} {each:.2f}" for name, each in named.items()),
    "rates": lambda named: ", ".join(f"{each:.4g}" for each in named.values()),
    "channels": lambda number: count(number, "memory channel"),
    "numa-nodes": lambda number: count(number, "NUMA node"),
    "nodes": name_nodes,
}
