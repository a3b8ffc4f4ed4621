"""Reads numbers as benchmarks print them, and refuses rates and sizes that cannot be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice, product

from streamgage.errors import UsageError
from streamgage.records.quantities import MOST_SECONDS
from streamgage.units import LARGEST_SIZE

MOST_GBPS = 1e6
"""The highest rate that is accepted: 1 PB/s, more than the memory of any machine gives."""
LEAST_GBPS = 1e-6
LEAST_SECONDS = 1e-9
"""The shortest time that is accepted: no benchmark's clock shows less."""
MOST_NANOSECONDS = 1e9
"""The longest latency that is accepted."""
MOST_THREADS = 1 << 20
MOST_ON_ONE_MACHINE = 1 << 17
"""The most threads on one machine, as in documents."""
_LONGEST = 40
_MOST_SHARE = 1e9

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?(?:nan|inf|infinity|1\.#\w*)(?:\([^)]*\))?|\*+", re.I)
"""Matches what C and Fortran print if there is no number, or if it is too long for its column."""


_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+(?:[eEdD][-+]?[0-9]+)?")
_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINTS = re.compile(r"[-+]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
"""Matches thousands that points separate, before a decimal comma."""
_APOSTROPHES = re.compile(r"[-+]?[0-9]{1,3}(?:['\u2019_][0-9]{3})+(?:[.,][0-9]+)?")
"""Matches thousands that apostrophes or underscores separate."""


_WHOLE = re.compile(r"(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?")
"""Matches a figure whose ends show where it begins and ends."""
_MOST_WAYS = 5000


def is_figure(text: str) -> bool:
    """Return whether ``text`` may be what a program printed for a number."""
    return len(text) <= _LONGEST and any(
        kind.fullmatch(text)
        for kind in (_NUMBER, _NO_NUMBER, _COMMA, _THOUSANDS, _POINTS, _APOSTROPHES)
    )


def parted(words: Sequence[str], columns: int) -> Iterator[list[str]]:
    """Yield the ways to read words as so many figures, if the columns of some run together.

    A figure has digits before and behind its point, and no zero before them but a single one.
    """
    choices: list[list[list[str]]] = []
    for word in words[:columns]:
        ways = [[word]] if is_figure(word) else list(_ways(word, columns))
        if not ways:
            break
        choices.append(ways)
    found = 0
    for way in product(*choices) if choices else ():
        figures = [each for part in way for each in part]
        if len(figures) == columns:
            yield figures
            found += 1
            if found >= _MOST_WAYS:
                return


def _ways(word: str, most: int) -> Iterator[list[str]]:
    """Yield the ways to split a word into figures with a point each."""
    if len(word) > _LONGEST * 2 or not 1 <= word.count(".") <= most:
        return
    if word.count(".") == 1:
        if _WHOLE.fullmatch(word):
            yield [word]
        return
    first, second = (match.start() for match in islice(re.finditer(r"\.", word), 2))
    for cut in range(first + 2, second):
        if _WHOLE.fullmatch(word[:cut]):
            for rest in _ways(word[cut:], most - 1):
                yield [word[:cut], *rest]


def is_grouped(text: str) -> bool:
    """Return whether the commas in ``text`` may separate groups of three digits."""
    return _THOUSANDS.fullmatch(text) is not None


def with_points(figures: Sequence[Sequence[str]]) -> list[list[str] | None]:
    """Replace the decimal commas in rows of figures by points, if the commas have only one meaning.

    If the whole table has no point, commas are decimal. If it has points, commas separate groups of
    three digits. A row whose commas are neither becomes ``None``.
    """
    figures = [[_ungrouped(text) for text in row] for row in figures]
    every = [text for row in figures for text in row]
    if not any("," in text for text in every):
        return [list(row) for row in figures]
    if not any("." in text and _NUMBER.fullmatch(text) for text in every) and all(
        "," not in text or _COMMA.fullmatch(text) for text in every
    ):
        return [[text.replace(",", ".") for text in row] for row in figures]
    return [
        [text.replace(",", "") for text in row]
        if all("," not in text or _THOUSANDS.fullmatch(text) for text in row)
        else None
        for row in figures
    ]


def _ungrouped(text: str) -> str:
    """The figure without marks between its thousands that cannot be a decimal point."""
    if _APOSTROPHES.fullmatch(text):
        return re.sub(r"['\u2019_]", "", text)
    return text.replace(".", "") if _POINTS.fullmatch(text) else text


def rounding(text: str) -> float:
    """Half a unit of the last digit, as a share of the number; 1 if that is unknown."""
    value = number(text)
    if not 0 < value < math.inf:
        return 1.0
    mantissa = re.split("[eEdD]", text, maxsplit=1)[0]
    power = re.search("[eEdD]([-+]?[0-9]{1,3})$", text)
    place = (0 if power is None else int(power[1])) - len(mantissa.partition(".")[2])
    return float(0.5 * 10.0**place / value)


def number(text: str) -> float:
    """Read a number of C or Fortran (``1.5D+02``); NaN for anything else."""
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return math.nan
    return float(text.replace("D", "e").replace("d", "e"))


def share(text: str | None) -> float | None:
    """Read a printed share or relative error; ``None`` if it is not a number."""
    value = abs(number(text or ""))
    return value if value <= _MOST_SHARE else None


def step(text: str) -> float | None:
    """One unit of the last digit of a printed time; ``None`` if it is no time."""
    value = rounding(text) * 2 * number(text)
    return value if number(text) > 0 and 0 < value <= MOST_SECONDS else None


def rate(text: str, unit: float, where: str) -> float:
    """Convert a printed rate to GB/s.

    ``unit``: the bytes per second of 1; ``where``: the name of its line, for messages. Raises
    ``UsageError`` for a rate that no memory can have.
    """
    gbps = number(text) * unit / 1e9
    shown = text[:_LONGEST]
    if not math.isfinite(gbps) or gbps <= 0:
        raise UsageError(
            f"{where} has {shown!r} as a rate, which is not a positive number. That run went wrong"
            " (usually it was too short for its clock): leave it out, or repeat it with larger"
            " arrays."
        )
    if not LEAST_GBPS <= gbps <= MOST_GBPS:
        raise UsageError(
            f"{where} has a rate of {gbps:.3g} GB/s, which no memory has: check that the file is"
            " as the benchmark wrote it."
        )
    return gbps


def seconds(text: str, where: str) -> float | None:
    """Read a printed time; ``None`` if it is not a number, or is rounded to zero.

    ``where``: the name of its line, for messages. Raises ``UsageError`` for a time that no clock
    shows and no run takes.
    """
    value = number(text)
    if not math.isfinite(value) or value <= 0:
        return None
    if not LEAST_SECONDS <= value <= MOST_SECONDS:
        raise UsageError(
            f"{where} has a time of {value:.3g} s, which no run takes: check that the file is as"
            " the benchmark wrote it."
        )
    return value


def size(value: float, what: str) -> int:
    """The bytes of an array. Raises ``UsageError`` if no array can have that size."""
    if not math.isfinite(value) or not 1 <= value <= LARGEST_SIZE:
        raise UsageError(
            f"it names {what} of {value:.3g} bytes, which no machine has: check that the file is"
            " as the benchmark wrote it."
        )
    return round(value)


def threads(text: str) -> int:
    """Read a number of threads. Raises ``UsageError`` if it cannot be one."""
    if not (text.isascii() and text.isdigit()):
        raise UsageError(
            "it names a number of threads that is not a number: check that the file is as the"
            " benchmark wrote it."
        )
    value = int(text) if len(text) <= 10 else MOST_THREADS + 1
    if not 1 <= value <= MOST_THREADS:
        raise UsageError(
            f"it names {text[:_LONGEST]} threads, which no machine runs: check that the file is"
            " as the benchmark wrote it."
        )
    return value
