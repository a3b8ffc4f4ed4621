"""Gives rows without a header the header that their figures prove.

``grep Triad`` leaves one row of each run. Rate x time, divided by the bytes that the kernel moves,
is the number of elements of an array. If it is the same for rows of several runs, or a round number
for a single row, the columns are what the header says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from streamgage.interop import babelstream, numbers, stream, the_bandwidth_benchmark
from streamgage.interop.kernels import KERNELS
from streamgage.units import LARGEST_SIZE

_ROW = re.compile(
    r"[ \t>*|]{0,12}(?P<label>[A-Za-z]{3,10})(?P<colon>:?)[ \t|]{1,40}"
    r"(?P<figures>[-+0-9.eE \t|]{5,160}?)"
    r"(?:[ \t|]*|[ \t]+[^-+0-9.\s][^\n]{0,200})"
)
"""Matches a row: its label and its figures, with a comment behind them or not."""
_ELEMENT = 8
_AGREE = 0.003
"""Rows of several runs agree if their sizes differ by at most this share, and by rounding."""
_ROUND = 3
"""A number of elements is round if it has at most this many digits before its zeros."""
_COARSE = 0.01
"""Figures that are rounded more coarsely than this prove nothing."""


@dataclass(frozen=True)
class BareShape:
    """How a benchmark prints its rows."""

    name: str
    header: str
    pattern: re.Pattern[str]
    labels: Mapping[str, str]
    colon: bool
    times: tuple[int, int, int]
    """The columns of the best, the mean and the worst time."""
    columns: int


_SHAPES = (
    BareShape(
        "STREAM",
        "Function    Best Rate MB/s  Avg time     Min time     Max time",
        stream.HEADER,
        stream.LABELS,
        True,
        (2, 1, 3),
        4,
    ),
    BareShape(
        "TheBandwidthBenchmark",
        "Function      Rate(MB/s)  Rate(MFlop/s)  Avg time     Min time     Max time",
        the_bandwidth_benchmark.HEADER,
        the_bandwidth_benchmark.LABELS,
        True,
        (3, 2, 4),
        5,
    ),
    BareShape(
        "BabelStream",
        "Function    MBytes/sec  Min (sec)   Max         Average",
        babelstream.HEADER,
        babelstream.LABELS,
        False,
        (1, 3, 2),
        4,
    ),
)


@dataclass(frozen=True)
class _Row:
    kernel: str
    figures: tuple[float, ...]
    elements: float
    rounding: float


def rows_of(lines: Sequence[str]) -> Iterator[tuple[int, str, BareShape, _Row]]:
    """Yield the rows that a shape may have: the line, its label, the shape, and the row."""
    for number, line in enumerate(lines):
        found = _ROW.fullmatch(line)
        if found is None:
            continue
        words = found["figures"].replace("|", " ").split()
        for shape in _SHAPES:
            kernel = shape.labels.get(found["label"].lower())
            if kernel is None or len(words) != shape.columns or bool(found["colon"]) != shape.colon:
                continue
            row = _row(shape, kernel, words)
            if row is not None:
                yield number, found["label"], shape, row


def _row(shape: BareShape, kernel: str, words: Sequence[str]) -> _Row | None:
    figures = tuple(map(numbers.number, words))
    best, mean, worst = (figures[column] for column in shape.times)
    rounding = numbers.rounding(words[0]) + numbers.rounding(words[shape.times[0]])
    # What the rounding of the times allows must be in order.
    slack = 1 + 2 * rounding
    if not 0 < best <= mean * slack <= worst * slack * slack or rounding > _COARSE:
        return None
    facts = KERNELS[kernel]
    elements = figures[0] * 1e6 * best / _ELEMENT / (facts.loads + facts.stores)
    return _Row(kernel, figures, elements, rounding) if math.isfinite(elements) else None


@dataclass(frozen=True)
class Proof:
    """What the figures of rows without a header prove."""

    shape: BareShape
    array_bytes: int
    """The size of each array of doubles."""


def proof_of(texts: Sequence[Sequence[str]]) -> Proof | None:
    """What all rows without a header in the texts prove; ``None`` if they prove nothing."""
    for shape in _SHAPES:
        rows = [row for lines in texts for _, _, its, row in rows_of(lines) if its is shape]
        if rows and _prove(rows):
            size = round(median(row.elements for row in rows) * _ELEMENT)
            if 1 <= size <= LARGEST_SIZE:
                return Proof(shape, size)
    return None


def _prove(rows: Sequence[_Row]) -> bool:
    if len(rows) == 1:
        return _is_round(rows[0])
    middle = median(row.elements for row in rows)
    return middle >= 1 and all(
        abs(row.elements / middle - 1) <= _AGREE + row.rounding for row in rows
    )


def _is_round(row: _Row) -> bool:
    """Return whether the number of elements is round, in digits or in powers of two."""
    if row.elements < 1000:
        return False
    digits = 10 ** (math.floor(math.log10(row.elements)) - _ROUND + 1)
    units = (digits, 2 ** max(0, math.floor(math.log2(row.elements)) - 6))
    return any(
        abs(row.elements - round(row.elements / unit) * unit) <= row.rounding * row.elements
        and row.rounding * row.elements < unit / 10
        for unit in units
    )


def with_headers(lines: Sequence[str], shape: BareShape) -> tuple[list[str], list[int]]:
    """Put the header before each table of rows that have none.

    Also return the number of each line before, from 1; a header has that of its first row.
    """
    found: list[str] = []
    places: list[int] = []
    starts = {number: row.kernel for number, _, its, row in rows_of(lines) if its is shape}
    seen: set[str] = set()
    for number, line in enumerate(lines):
        if shape.pattern.search(line):
            seen = set(shape.labels.values())  # what follows has this header
        kernel = starts.get(number)
        if kernel is not None:
            if not seen or (kernel in seen and len(seen) < len(set(shape.labels.values()))):
                found.append(shape.header)
                places.append(number + 1)
                seen = set()
            seen.add(kernel)
        found.append(line)
        places.append(number + 1)
    return found, places


def without_header(text: str) -> bool:
    """Return whether the text has no header of the benchmarks whose rows can be proved."""
    return not any(shape.pattern.search(text) for shape in _SHAPES)
