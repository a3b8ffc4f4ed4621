"""BabelStream's ``--csv``: a header that names the columns, and one line per kernel.

Columns were added and renamed over the versions, so they are found by name; phases other than
kernels (Init, Read) have tables of their own and are passed over.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.rows import Notes
from streamgage.interop.tables import About, Row, Table
from streamgage.records import ElementType

CSV_HEADER = re.compile(
    r"^[^\n]{0,200}?\b(?:function|phase)([,;\t|])[^\n]{0,100}?"
    r"\b(?:max_)?([kmgt]i?)b(?:ytes)?_per_sec[^\n]{0,200}$",
    re.M | re.I,
)
ABOUT = About("BabelStream")
_RATE = re.compile(r"(?:max_)?[kmgt]i?b(?:ytes)?_per_sec", re.I)
_PHASES = ("init", "read")
_ALONE = frozenset(("triad", "nstream"))
"""Kernels that can be run alone."""
_ALL = frozenset(("copy", "scale", "add", "triad", "dot"))
_LINE = re.compile(r"^[^\n]{8,500}$", re.M)
_TYPES: dict[float, ElementType] = {4: "float", 8: "double"}


@dataclass(frozen=True)
class _Header:
    """What the line of column names says."""

    line: int
    separator: str
    names: tuple[str, ...]
    label_at: int
    rate_at: int
    unit: float
    """Bytes a second that a rate of 1 stands for."""


def csv_tables(
    text: str, labels: Mapping[str, str], units: Mapping[str, float], notes: Notes
) -> list[Table]:
    """The tables of ``text``. Raises ``UsageError`` where one is cut off."""
    matches = list(CSV_HEADER.finditer(text))
    ends = pairwise([*(match.start() for match in matches), len(text)])
    tables = []
    line, counted = 1, 0
    for match, (_, end) in zip(matches, ends, strict=True):
        line += text.count("\n", counted, match.end())
        counted = match.end()
        header = _header(match, line, units)
        table = _table(header, text[match.end() : end], labels, notes)
        if table is not None:
            tables.append(table)
    if not tables:
        raise UsageError(
            "its table of BabelStream has no complete row: take the whole output of the run."
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
    """The table below a header; ``None`` where it lists phases and no kernels."""
    rows: dict[str, Row] = {}
    sizes: set[tuple[float, float]] = set()
    phases = 0
    for number, cells in _lines(header, text):
        label = cells[header.label_at].rpartition(" ")[2] if header.label_at < len(cells) else ""
        kernel = labels.get(label.lower())
        if label.lower() in _PHASES:
            phases += 1
        elif kernel is not None:
            _refuse_wrong_row(header, rows, kernel, (number, cells))
            told = dict(zip(header.names, cells, strict=False))
            sizes.add(_size(told))
            rows[kernel] = _row(header, kernel, told, (number, cells))
        elif len(cells) == len(header.names) and numbers.is_figure(cells[header.rate_at]):
            notes.unknown(number, label[:20])
    if not rows and phases:
        return None
    missing = frozenset() if len(rows) == 1 and rows.keys() <= _ALONE else _ALL - rows.keys()
    if missing:
        printed = {kernel: name.capitalize() for name, kernel in labels.items()}
        raise UsageError(
            f"the table of BabelStream at line {header.line} is cut off: it has no"
            f" {', '.join(printed[kernel] for kernel in printed if kernel in missing)}. Take the"
            " whole output of the run, or leave that table out."
        )
    elements, width = sizes.pop() if len(sizes) == 1 else (math.nan, math.nan)
    return Table(
        about=ABOUT,
        rows=tuple(rows.values()),
        array_bytes=numbers.size(elements * width, "arrays") if elements > 0 else None,
        element_type=_TYPES.get(width),
    )


def _lines(header: _Header, text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of every line that may be a row."""
    number, counted = header.line, 0
    for match in _LINE.finditer(text):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        cells = [cell.strip() for cell in match[0].split(header.separator)]
        if len(cells) > 2:
            yield number, cells


def _size(told: Mapping[str, str]) -> tuple[float, float]:
    """Elements of an array and bytes of one; NaN where they are unknown."""
    elements = told.get("n_elements") or told.get("array_size") or ""
    return numbers.number(elements), numbers.number(told.get("sizeof", ""))


def _row(header: _Header, kernel: str, told: Mapping[str, str], line: tuple[int, list[str]]) -> Row:
    number, cells = line
    return Row(
        kernel=kernel,
        gbps=numbers.rate(cells[header.rate_at], header.unit, f"line {number} ({kernel})"),
        seconds=numbers.seconds(told.get("min_runtime", "")),
        worst_seconds=numbers.seconds(told.get("max_runtime", "")),
        mean_seconds=numbers.seconds(told.get("avg_runtime", "")),
    )


def _refuse_wrong_row(
    header: _Header, rows: Mapping[str, Row], kernel: str, line: tuple[int, list[str]]
) -> None:
    number, cells = line
    if kernel in rows:
        raise UsageError(
            f"line {number} has a second row of the kernel {kernel} in the table at line"
            f" {header.line}: give each run its header line, as BabelStream prints it."
        )
    if len(cells) < len(header.names):
        raise UsageError(
            f"the table of BabelStream at line {header.line} is cut off: line {number} has"
            f" {len(cells)} of {len(header.names)} columns. Take the whole output of the run, or"
            " leave that table out."
        )
