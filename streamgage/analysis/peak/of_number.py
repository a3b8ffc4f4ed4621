"""The memory of single processors by their numbers, where the row of the family does not hold.

``processors.csv`` lists what the makers' specifications say of slower models of a family, and of
those that have no row in ``models.csv``. Each row has all processors with the same memory.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from streamgage.analysis.facts_file import FactsFile
from streamgage.analysis.machine.name_parts import without_marks
from streamgage.records.quantities import Members

_FILLING = frozenset(("intel", "amd", "cpu", "processor", "core", "genuine", "extreme", "edition"))
"""Words that the system, makers or people put between those of a processor's name."""
_VERSION = re.compile(r"v[2-9]")
"""Matches the word behind a number that makes it another processor, as in ``E5-2640 v4``."""
_ALONE = re.compile(r"[a-z][a-z0-9]{0,2}-[a-z]?[0-9]{3,5}[a-z0-9]{0,4}|[gjn][0-9]{4}[a-z]{0,3}")
"""Matches numbers that no other maker has, such as ``i7-9750h``, ``e5-2640`` and ``n5105``."""
_OF_2010 = re.compile(r"\b(i[357]) (?:([a-z]) )?([0-9]{3})(?= |$)")
"""Matches the first Core processors as the system names them: ``i5 m 460`` is an i5-460M."""
_APART = re.compile(r"(?<=[a-z0-9]) ?- ?(?=[0-9])")
"""Matches the hyphen of a number that blanks or trademark signs stand next to.

The system writes ``E7- 4807`` and ``AMD FX(tm)-8370``.
"""
_LONGEST = 4


class NumberedProcessors(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``processors.csv``."""

    processors: str
    """The names of the processors, with semicolons between."""
    channels: Members
    """The number of memory channels of 64 bits of one package."""
    kind: str
    megatransfers: Members
    """10^6 transfers per second."""
    overclocked: bool = False
    """``True`` if users often run their memory faster than their maker says."""
    source: str
    read: datetime.date | None = None
    """The day on which the source was read; ``None`` if it is not recorded."""


def row_of_number(name: str) -> tuple[str, NumberedProcessors] | None:
    """The processor's name in the table, and its row; ``None`` if it is not listed.

    ``name``: as people or the system write it. Raises ``DamagedTableError``.
    """
    words = _hyphenated(_words(name.partition("@")[0]))
    known = _by_words()
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            if end < len(words) and _VERSION.fullmatch(words[end]):
                continue
            found = known.get(words[start:end])
            if found is not None:
                return found
    return None


@cache
def known_numbers() -> tuple[NumberedProcessors, ...]:
    """Read all rows. Raises ``DamagedTableError``."""
    return read_numbers(files("streamgage.analysis.peak") / "processors.csv")


def read_numbers(file: Traversable) -> tuple[NumberedProcessors, ...]:
    """Read the rows of a file. Raises ``DamagedTableError``."""
    return _LIST.read(file)


def names_of(row: NumberedProcessors) -> list[str]:
    """The names of the processors of a row."""
    return [each.strip() for each in row.processors.split(";")]


@cache
def brands() -> frozenset[str]:
    """The first words of the names, in lower case: ``xeon``, ``pentium`` and so on."""
    return frozenset(name.split()[0].lower() for row in known_numbers() for name in names_of(row))


@cache
def _by_words() -> dict[tuple[str, ...], tuple[str, NumberedProcessors]]:
    return {
        key: (name, row) for row in known_numbers() for name in names_of(row) for key in _keys(name)
    }


def _keys(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the words that name a processor: all of them, and its number if nothing else has it.

    The system leaves out the ``x7-`` of an Atom x7-E3950.
    """
    words = _words(name)
    yield words
    yield tuple(re.sub("^x[357]-", "", word) for word in words)
    number = words[-2:] if _VERSION.fullmatch(words[-1]) else words[-1:]
    if _ALONE.fullmatch(number[0]):
        yield number


def _hyphenated(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with the number of a Core processor as its maker writes it."""
    text = " ".join(words)
    older = _OF_2010.search(text)
    if older is None:
        return words
    letter = older[2] or ""
    numbers = (f"{older[1]}-{older[3]}{end}" for end in (letter, f"{letter}m" if letter else ""))
    known = next((number for number in numbers if (number,) in _by_words()), older[0])
    return tuple(f"{text[: older.start()]}{known}{text[older.end() :]}".split())


def _words(name: str) -> tuple[str, ...]:
    whole = _APART.sub("-", without_marks(name).lower())
    bare: Sequence[str] = whole.split()
    return tuple(word for word in bare if word not in _FILLING)


def _check(row: NumberedProcessors) -> None:
    if not row.source:
        raise ValueError("it has no source")


_LIST = FactsFile(
    title="streamgage processors by their numbers",
    called="The list of processors by their numbers",
    newest=1,
    row=NumberedProcessors,
    repair="install streamgage again",
    check=_check,
)
