"""Finds tables in text: a header, then one line per kernel, possibly with other lines between.

STREAM, TheBandwidthBenchmark and BabelStream print tables of this kind. Launchers put marks before
the lines (``[1,0]<stdout>:``, ``0: ``), and lines of their own between them. Every search covers
one line of bounded length, so the time is proportional to the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import takewhile

from streamgage.errors import UsageError
from streamgage.interop.numbers import is_figure

_MOST_NOTES = 3
_RULE = re.compile(r"[^-\u2500]*(?:-{10,}|[\u2514\u2500]{10,})")
_LINE = re.compile(r"^[^\n]{8,500}$", re.M)
"""No row is shorter, and none is longer."""
_BOX = str.maketrans("\u2502|", "  ")
"""The column marks of boxed tables."""
_LABEL = re.compile(
    r"(?:^|(?<=[\s>:\])]))([A-Za-z][A-Za-z_]{0,20})(?: {0,9}:\s{0,40}|\s{1,40})(?=[-+.*0-9nNiI])"
)
"""A label with what may be a figure behind it."""


@dataclass(frozen=True)
class Layout:
    """How a benchmark's tables look."""

    tool: str
    header: re.Pattern[str]
    labels: Mapping[str, str]
    """Printed label, in lower case, to the name of the kernel."""
    columns: int
    """Figures to the right of a label."""
    required: Callable[[str], Set[str]]
    """Kernels that a table always has, by the text that stands before it."""


@dataclass
class RawTable:
    """A table as it stands in the text: figures are still text."""

    line: int
    header: re.Match[str]
    before: str
    """The text from the last table to this one."""
    rows: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """Line and figures of each kernel."""


@dataclass
class Notes:
    """Sentences about what was left out, a few at most, and the number of the rest."""

    tool: str
    said: list[str] = field(default_factory=list)
    left_out: int = 0

    def unknown(self, line: int, label: str) -> None:
        """Take note of a row of a kernel that is not known."""
        self._add(f"Line {line} was left out: {self.tool} has no kernel {label!r} that is known.")

    def outside(self, line: int, label: str) -> None:
        """Take note of a row that belongs to no table."""
        self._add(f"Line {line} was left out: {label!r} stands outside of any table.")

    def counted_otherwise(self, line: int, label: str) -> None:
        """Take note of a test whose bytes are not those of the kernel of its name."""
        self._add(f"Line {line} was left out: {label!r} counts other bytes than its kernel moves.")

    def _add(self, sentence: str) -> None:
        self.left_out += 1
        if self.left_out <= _MOST_NOTES:
            self.said.append(sentence)

    def sentences(self) -> tuple[str, ...]:
        """The notes, with their number where there were more."""
        more = self.left_out > _MOST_NOTES
        rest = (f"{self.left_out} lines were left out in all.",) if more else ()
        return (*self.said, *rest)


def raw_tables(text: str, layout: Layout, notes: Notes) -> list[RawTable]:
    """The tables of ``text``. Raises ``UsageError`` where there is none, or one is cut off."""
    headers = list(layout.header.finditer(text))
    if not headers:
        raise UsageError(f"it holds no table of {layout.tool}: name its saved output.")
    tables = []
    line, counted, before = 1, 0, 0
    ends = [header.start() for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=True):
        line += text.count("\n", counted, header.end())
        counted = header.end()
        table = RawTable(line, header, text[before : header.start()])
        before = header.end() + _read_rows(table, text[header.end() : end], layout, notes)
        missing = layout.required(table.before) - table.rows.keys()
        if missing or not table.rows:
            raise UsageError(_cut_off(table, layout, missing))
        tables.append(table)
    return tables


def _cut_off(table: RawTable, layout: Layout, missing: Set[str]) -> str:
    labels: dict[str, str] = {}
    for label, kernel in layout.labels.items():
        labels.setdefault(kernel, label.capitalize())
    names = [label for kernel, label in labels.items() if kernel in missing]
    lacks = f"has no {', '.join(names)}" if names and table.rows else "has no complete row"
    return (
        f"the table of {layout.tool} at line {table.line} is cut off: it {lacks}. Take the whole"
        " output of the run, or leave that table out."
    )


def _read_rows(table: RawTable, text: str, layout: Layout, notes: Notes) -> int:
    """Take the rows from ``text`` into ``table``; how many characters belong to the table."""
    inside, used = True, 0
    for number, start, line in _lines(text, table.line):
        if table.rows and inside and _RULE.match(line):
            inside = False
            used = start
        found = _row(line, layout, inside=inside)
        if found is None:
            continue
        label, figures = found
        kernel = layout.labels.get(label.lower())
        if not inside:
            if kernel is not None and len(figures) >= layout.columns:
                notes.outside(number, label)
        elif kernel is None:
            notes.unknown(number, label)
        elif kernel in table.rows:
            raise UsageError(
                f"line {number} has a second row {label!r} in the table at line {table.line}:"
                " the output of several runs is mixed, so write one file a run."
            )
        elif len(figures) < layout.columns:
            raise UsageError(
                f"the table of {layout.tool} at line {table.line} is cut off: {label!r} in line"
                f" {number} has {len(figures)} of {layout.columns} figures. Take the whole output"
                " of the run, or leave that table out."
            )
        else:
            table.rows[kernel] = (number, figures)
    return used


def _lines(text: str, first: int) -> Iterator[tuple[int, int, str]]:
    """Number, place and text of each line that may belong to a table."""
    number, counted = first, 0
    for match in _LINE.finditer(text):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        yield number, match.start(), match[0].translate(_BOX)


def _row(line: str, layout: Layout, *, inside: bool) -> tuple[str, list[str]] | None:
    """Label and figures of a line that looks like a row; ``None`` for any other line.

    Inside a table, a known label with one figure is enough: a row that was cut is not lost. Any
    other row needs all figures, and nothing else on the line.
    """
    for match in _LABEL.finditer(line):
        label = match[1]
        words = line[match.end() :].split()
        figures = list(takewhile(_is_cell, words))
        if not figures:
            continue
        if inside and label.lower() in layout.labels:
            return label, figures
        if len(figures) == len(words) >= layout.columns:
            return label, figures
    return None


def _is_cell(word: str) -> bool:
    return word == "-" or is_figure(word)
