"""Reads ``expected.csv``, the list of published bandwidths; each row is an ``ExpectedValue``.

An empty field is a condition that the source does not state.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from streamgage.analysis.expected.value import ExpectedValue
from streamgage.analysis.facts_file import FactsFile

FORMAT = 1


@cache
def known_values() -> tuple[ExpectedValue, ...]:
    """Every published value that streamgage knows. Raises ``DamagedTableError``."""
    return read_values(files("streamgage.analysis.expected") / "expected.csv")


def values_for(processor: str) -> list[ExpectedValue]:
    """The values whose hardware contains all words of ``processor``.

    If there are none, those whose pattern matches it. Raises ``DamagedTableError``.
    """
    name = plain_name(processor)
    named = [each for each in known_values() if has_words(each.hardware, name)]
    return named or [
        each
        for each in known_values()
        if each.processor and re.search(each.processor, name, re.IGNORECASE)
    ]


def has_words(hardware: str, words: str) -> bool:
    """``True`` if the name of some hardware has all words: ``A10`` is no part of ``A100``."""
    text = plain_name(hardware).casefold()
    return all(re.search(_pattern(word), text) for word in plain_name(words).casefold().split())


def _pattern(word: str) -> str:
    if re.search("[0-9]", word) is None:
        return re.escape(word)
    return rf"(?<![a-z0-9]){re.escape(word)}(?![0-9])"


def plain_name(processor: str) -> str:
    """A processor's name without trademark signs."""
    return re.sub(r"\((?:R|TM|C)\)", "", processor, flags=re.IGNORECASE)


def read_values(file: Traversable) -> tuple[ExpectedValue, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def _check(value: ExpectedValue) -> None:
    if value.high_gbps < value.low_gbps:
        raise ValueError("high_gbps is below low_gbps")
    for pattern in (value.processor, value.system):
        re.compile(pattern)


_LIST = FactsFile(
    title="streamgage expected values",
    called="The list of expected values",
    newest=FORMAT,
    row=ExpectedValue,
    repair="install streamgage again",
    check=_check,
)
