"""Reads BabelStream's ``--csv``: a header that names the columns, then one line per kernel.

The columns changed over the versions, so they are found by name. Phases other than kernels (Init,
Read) have tables of their own, which are skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.endings import ending_of
from streamgage.interop.places import places
from streamgage.interop.rows import Notes
from streamgage.interop.tables import BenchmarkFacts, Row, Table, put
from streamgage.records import ElementType
from streamgage.units import listed

CSV_HEADER = re.compile(
    r"^[^\n]{0,200}?\b(?:function|phase)([,;\t|])[^\n]{0,100}?"
    r"\b(?:max_)?([kmgt]i?)b(?:ytes)?_per_sec[^\n]{0,200}$",
    re.M | re.I,
)
ABOUT = BenchmarkFacts("BabelStream")
_OWN = re.compile(r"(?:function|phase|init|read|copy|mul|add|triad|dot|nstream)\b|[^,;|]*,", re.I)
_RATE = re.compile(r"(?:max_)?[kmgt]i?b(?:ytes)?_per_sec", re.I)
_PHASES = ("init", "read")
_ALONE = frozenset(("triad", "nstream"))
"""The kernels that can be run alone."""
_ALL = frozenset(("copy", "scale", "add", "triad", "dot"))
_LINE = re.compile(r"^[^\n]{8,500}$", re.M)
_TYPES: dict[float, ElementType] = {4: "float", 8: "double"}


@dataclass(frozen=True)
class _Header:
    """The names of the columns, and how to read them."""

    line: int
    separator: str
    names: tuple[str, ...]
    label_at: int
    rate_at: int
    unit: float
    """The bytes per second of a printed rate of 1."""


def csv_tables(
    text: str, labels: Mapping[str, str], units: Mapping[str, float], notes: Notes
) -> list[Table]:
    """Read the tables of ``text``. Raises ``UsageError`` if none has a complete row."""
    matches = list(CSV_HEADER.finditer(text))
    ends = pairwise([*(match.start() for match in matches), len(text)])
    tables = []
    where = places(text, [match.span() for match in matches], _OWN)
    for match, place, (_, end) in zip(matches, where, ends, strict=True):
        header = _header(match, place.line, units)
        table = None
        with notes.or_left_out():
            table = _table(header, text[match.end() : end], labels, notes)
        if table is not None:
            tables.append(put(table, place))
    notes.settle(
        tables,
        "its table of BabelStream has no complete row: take the whole output of the run.",
    )
    return tables


def _header(match: re.Match[str], line: int, units: Mapping[str, float]) -> _Header:
    names = tuple(name.strip().lower() for name in match[0].split(match[1]))
    return _Header(
        line=line,
        separator=match[1],
        names=names,
        label_at=_place(names, re.compile(r"(?:.*\W)?(?:function|phase)")),
        rate_at=_place(names, _RATE),
        unit=units[match[2].lower()],
    )


def _place(names: tuple[str, ...], wanted: re.Pattern[str]) -> int:
    found = next((n for n, name in enumerate(names) if wanted.fullmatch(name)), None)
    if found is None:
        raise UsageError(
            "the header line of its table of BabelStream does not name the columns as BabelStream"
            " does (function, ..., max_mbytes_per_sec, ...): take the output as it was written."
        )
    return found


def _table(header: _Header, text: str, labels: Mapping[str, str], notes: Notes) -> Table | None:
    """Read the table below a header; ``None`` if it lists phases and no kernels."""
    rows: dict[str, Row] = {}
    lost: list[str] = []
    sizes: set[tuple[float, float]] = set()
    phases = 0
    cut = False
    end = 0
    for number, place, cells in _lines(header, text):
        label = cells[header.label_at].rpartition(" ")[2] if header.label_at < len(cells) else ""
        kernel = labels.get(label.lower())
        if label.lower() in _PHASES:
            phases += 1
        elif kernel is not None:
            if kernel in rows:
                raise UsageError(
                    f"line {number} has a second row of the kernel {kernel} in the table at line"
                    f" {header.line}: give each run its header line, as BabelStream prints it."
                )
            end = place
            if len(cells) < len(header.names):
                cut = True
                notes.lost(
                    number,
                    f"{label!r} is cut off, with {len(cells)} of {len(header.names)} columns.",
                )
                continue
            values = dict(zip(header.names, cells, strict=False))
            sizes.add(_size(values))
            try:
                rows[kernel] = _row(header, kernel, values, (number, cells))
            except UsageError as error:
                lost.append(str(error))
        elif len(cells) == len(header.names) and numbers.is_figure(cells[header.rate_at]):
            notes.unknown(number, label[:20])
    if not rows and phases and not lost:
        return None
    if not rows:
        raise UsageError(lost[0] if lost else _cut_off(header, text))
    notes.texts += [f"A row was left out: {each}" for each in lost]
    elements, width = sizes.pop() if len(sizes) == 1 else (math.nan, math.nan)
    return Table(
        about=ABOUT,
        rows=tuple(rows.values()),
        array_bytes=numbers.size(elements * width, "arrays") if elements > 0 else None,
        element_type=_TYPES.get(width),
        cut=_cut(rows, labels, text[end:], cut=cut),
    )


def _cut_off(header: _Header, text: str) -> str:
    reason = ending_of(text)
    return (
        f"the table of BabelStream at line {header.line} is cut off: it has no complete row"
        + (f", and the output ends with: {reason}. " if reason else ". ")
        + "Take the whole output of the run, or run it again."
    )


def _cut(
    rows: Mapping[str, Row], labels: Mapping[str, str], after: str, *, cut: bool
) -> str | None:
    """What is missing at the end of a table, and why; ``None`` if it is complete."""
    if rows.keys() <= _ALONE and not cut:
        return None
    missing = _ALL - rows.keys()
    first = [name for name in dict.fromkeys(labels.values()) if name in _ALL][: len(rows)]
    if not cut and (not missing or set(first) != set(rows)):
        return None
    names = [name.capitalize() for name, kernel in labels.items() if kernel in missing]
    lacks = f"{listed(names)} {'is' if len(names) == 1 else 'are'} missing" if names else "a row"
    reason = ending_of(after)
    return lacks + (f"; the output ends with: {reason}" if reason else "")


def _lines(header: _Header, text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the number, the end and the cells of every line that may be a row."""
    number, counted = header.line, 0
    for match in _LINE.finditer(text):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        cells = [cell.strip() for cell in match[0].split(header.separator)]
        if header.separator != ",":
            cells = [cell.replace(",", ".") for cell in cells]
        if len(cells) > 2:
            yield number, match.end(), cells


def _size(values: Mapping[str, str]) -> tuple[float, float]:
    """The number of elements of an array, and the bytes of one; NaN if unknown."""
    elements = values.get("n_elements") or values.get("array_size") or ""
    return numbers.number(elements), numbers.number(values.get("sizeof", ""))


def _row(
    header: _Header, kernel: str, values: Mapping[str, str], line: tuple[int, list[str]]
) -> Row:
    number, cells = line
    where = f"line {number} ({kernel})"
    return Row(
        kernel=kernel,
        gbps=numbers.rate(cells[header.rate_at], header.unit, where),
        seconds=numbers.seconds(values.get("min_runtime", ""), where),
        worst_seconds=numbers.seconds(values.get("max_runtime", ""), where),
        mean_seconds=numbers.seconds(values.get("avg_runtime", ""), where),
        rounding=numbers.rounding(cells[header.rate_at])
        + numbers.rounding(values.get("min_runtime", "")),
        step=numbers.step(values.get("min_runtime", "")),
    )
