"""Finds tables in text: a header, then one line per kernel, possibly with other lines between.

STREAM, TheBandwidthBenchmark and BabelStream print tables of this kind. Launchers put marks before
the lines (``[1,0]<stdout>:``, ``0: ``), and lines of their own between them. Every search covers
one line of bounded length, so the time is proportional to the length of the text.

What is whole is read: a row that is cut or that is no number is left out with its reason, and so is
a table without any row. Rows without a header are a table where they prove themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.cross_check import prove_themselves
from streamgage.interop.endings import ending_of
from streamgage.interop.numbers import is_figure
from streamgage.interop.places import places
from streamgage.interop.tables import Row, Table
from streamgage.units import listed

RowMaker = Callable[["RawTable", str, list[str], str], Row]
"""Makes a row of a raw table, its kernel, its figures and what names its line. Raises
``UsageError``."""
_MOST_NOTES = 3
_LEFT = "A table was left out: "
_RULE = re.compile(r"[^-\u2500]*(?:-{10,}|[\u2514\u2500]{10,})")
_LINE = re.compile(r"^[^\n]{8,500}$", re.M)
"""No row is shorter, and none is longer."""
_BOX = str.maketrans("\u2502|", "  ")
"""The column marks of boxed tables."""
_LABEL = re.compile(
    r"(?:^|(?<=[\s>:\])]))([A-Za-z][A-Za-z_]{0,20})(?: {0,9}:\s{0,40}|\s{1,40})(?=[-+.*0-9nNiI])"
)
"""A label with what may be a figure after it."""
_FEWEST = 3
"""Rows without a header that can prove what they are."""


@dataclass(frozen=True)
class Layout:
    """The layout of a benchmark's tables."""

    tool: str
    header: re.Pattern[str]
    labels: Mapping[str, str]
    """Printed label, in lower case, to the name of the kernel; in the order of the table."""
    columns: int
    """Figures to the right of a label."""
    usual: Callable[[str], Set[str]]
    """Kernels that a whole run prints, by the text that stands before its table."""
    own: re.Pattern[str]
    """The beginning of each line that it prints outside of its tables."""
    bare: tuple[int, float] | None = None
    """Set if rows can be recognised without a header: the column of the best time, and the unit of
    the rates in bytes a second."""


@dataclass
class RawTable:
    """A table as it stands in the text: figures are still text."""

    line: int
    header: re.Match[str] | None
    """``None``: the rows stand alone."""
    before: str
    """The text from the last table to this one."""
    start: int
    end: int = 0
    """The end of its last row."""
    after: str = ""
    """The text from its end to the next table."""
    rows: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """Line and figures of each kernel."""
    closed: bool = False
    """``True`` if a rule ends it."""
    cut: bool = False
    """``True`` if a row breaks off."""
    problem: str | None = None
    """Why it cannot be used."""


@dataclass
class Notes:
    """Sentences about what was left out, a few at most, and the number of the rest."""

    tool: str
    said: list[str] = field(default_factory=list)
    left_out: int = 0
    _problems: list[str] = field(default_factory=list)

    @contextmanager
    def or_left_out(self) -> Iterator[None]:
        """Leave out a table that cannot be read in the block; ``settle`` reports why."""
        try:
            yield
        except UsageError as error:
            self._problems.append(str(error))

    def settle(self, found: Sequence[object], otherwise: str = "") -> None:
        """Take note of the tables that were left out, after the last one.

        Raises ``UsageError`` if none is left: with the first reason, else ``otherwise``.
        """
        problems, self._problems = self._problems, []
        if not found:
            raise UsageError(problems[0] if problems else otherwise)
        for problem in problems:
            self.left_table(problem)

    def unknown(self, line: int, label: str) -> None:
        """Note that the kernel of a row is unknown."""
        self._add(f"Line {line} was left out: {self.tool} has no kernel {label!r} that is known.")

    def outside(self, line: int, label: str) -> None:
        """Take note of a row that belongs to no table."""
        self._add(f"Line {line} was left out: {label!r} stands outside of any table.")

    def counted_otherwise(self, line: int, label: str) -> None:
        """Note that a test counts other bytes than the kernel of its name moves."""
        self._add(f"Line {line} was left out: {label!r} counts other bytes than its kernel moves.")

    def lost(self, line: int, why: str) -> None:
        """Note that a row is cut off, or that a figure in it is no number."""
        self._add(f"Line {line} was left out: {why}")

    def left_table(self, why: str) -> None:
        """Take note of a table that could not be used."""
        self._add(f"{_LEFT}{why}")

    def why(self, otherwise: str) -> str:
        """The first reason for which something was left out, for when nothing is left."""
        return self.said[0].removeprefix(_LEFT) if self.said else otherwise

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
    """The tables of ``text``. Raises ``UsageError`` if there is none."""
    headers = list(layout.header.finditer(text))
    if not headers and layout.bare is None:
        raise UsageError(f"it holds no table of {layout.tool}: name its saved output.")
    found: list[RawTable] = []
    line, counted = 1, 0
    edges = [0, *(header.start() for header in headers), len(text)]
    for number, (start, end) in enumerate(pairwise(edges)):
        header = headers[number - 1] if number else None
        first = start if header is None else header.end()
        line += text.count("\n", counted, first)
        counted = first
        reader = _Reader(layout, notes, text, first, end)
        found += reader.tables(RawTable(line, header, "", start) if header else None, line)
    _with_surroundings(text, found)
    if not found and notes.left_out:
        raise UsageError(
            f"it holds rows of {layout.tool} without their header, and they do not prove themselves"
            f" by rate x time ({notes.said[0]}). Add the header, or take the whole output."
        )
    if not found:
        raise UsageError(f"it holds no table of {layout.tool}: name its saved output.")
    return found


def _with_surroundings(text: str, tables: Sequence[RawTable]) -> None:
    edges = [*(each.start for each in tables[1:]), len(text)]
    before = 0
    for table, after in zip(tables, edges, strict=bool(tables)):
        table.before = text[before : table.start]
        table.after = text[table.end : after]
        before = table.end


class _Reader:
    """Takes the rows of one stretch of text, that of one header, into tables."""

    def __init__(self, layout: Layout, notes: Notes, text: str, start: int, end: int) -> None:
        self.layout, self.notes = layout, notes
        self.text, self.start, self.stop = text, start, end
        self.bare: list[RawTable] = []

    def tables(self, table: RawTable | None, first: int) -> list[RawTable]:
        """The table with the header, if there is one, and the tables of rows without a header."""
        if table is not None:
            table.end = self.start
        for number, start, line in _lines(self.text, self.start, self.stop, first):
            inside = table is not None and not table.closed
            if table is not None and inside and table.rows and _RULE.match(line):
                table.closed = True
                inside = False
            found = _row(line, self.layout, inside=inside)
            if found is None:
                continue
            label, figures = found
            kernel = self.layout.labels.get(label.lower())
            place = (number, start, start + len(line))
            if table is not None and inside and not self._restarts(table, kernel):
                self._into(table, kernel, label, figures, place)
            elif kernel is not None and len(figures) >= self.layout.columns:
                if table is not None:
                    table.closed = True
                self._alone(kernel, label, figures, place)
        proved = [each for each in self.bare if self._proved(each)]
        for each in self.bare:
            if each not in proved:
                for kernel, (number, _) in each.rows.items():
                    self.notes.outside(number, self._printed(kernel))
        return [*([table] if table is not None else []), *proved]

    def _restarts(self, table: RawTable, kernel: str | None) -> bool:
        """Return whether a row begins another table, whose header is missing."""
        several = self.layout.bare is not None and len(table.rows) >= _FEWEST
        return several and kernel == next(iter(table.rows))

    def _into(
        self,
        table: RawTable,
        kernel: str | None,
        label: str,
        figures: list[str],
        place: tuple[int, int, int],
    ) -> None:
        number, _, end = place
        if kernel is None:
            self.notes.unknown(number, label)
        elif kernel in table.rows:
            table.problem = (
                f"line {number} has a second row {label!r} in the table at line {table.line}:"
                " the output of several runs is mixed, so write one file a run."
            )
        elif len(figures) < self.layout.columns:
            table.cut = True
            self.notes.lost(
                number,
                f"{label!r} is cut off, with {len(figures)} of {self.layout.columns} figures.",
            )
        else:
            table.rows[kernel] = (number, figures)
        table.end = end

    def _alone(
        self, kernel: str, label: str, figures: list[str], place: tuple[int, int, int]
    ) -> None:
        number, start, end = place
        if self.layout.bare is None:
            self.notes.outside(number, label)
            return
        if not self.bare or kernel in self.bare[-1].rows:
            begins = self.text.rfind("\n", 0, start) + 1
            self.bare.append(RawTable(number, None, "", max(begins, self.start)))
        self.bare[-1].rows[kernel] = (number, figures)
        self.bare[-1].end = end

    def _proved(self, table: RawTable) -> bool:
        assert self.layout.bare is not None
        column, unit = self.layout.bare
        if len(table.rows) < _FEWEST:
            return False
        rows = {}
        for kernel, (_, figures) in table.rows.items():
            rows[kernel] = (
                numbers.number(figures[0].replace(",", ".")) * unit,
                numbers.number(figures[column].replace(",", ".")),
                numbers.rounding(figures[column].replace(",", ".")),
            )
        return prove_themselves(rows)

    def _printed(self, kernel: str) -> str:
        return next(e.capitalize() for e, name in self.layout.labels.items() if name == kernel)


def tables_of(
    text: str, layout: Layout, notes: Notes, row: RowMaker, table: Callable[[RawTable], Table]
) -> list[Table]:
    """The tables of ``text``, with rows by ``row`` and what stands around them by ``table``.

    A row or a table that cannot be used is left out with a note. Raises ``UsageError`` if no table
    is left.
    """
    raw = raw_tables(text, layout, notes)
    where = places(text, [(each.start, each.end) for each in raw], layout.own)
    found: list[Table] = []
    partial: list[str] = []
    for each, place in zip(raw, where, strict=True):
        with notes.or_left_out():
            made, lost = _made(each, layout, row, table)
            notes.said += lost
            missing = layout.usual(each.before) - each.rows.keys()
            cut = each.cut or (each is raw[-1] and _breaks_off(each, layout, missing))
            if missing and not cut:
                partial.append(f"line {each.line} ({_names(layout, missing)})")
            if each.header is None:
                notes.said.append(
                    f"The header of the table at line {each.line} is missing. Its rows are"
                    f" {layout.tool}'s: rate x time shows it."
                )
            reason = _cut(each, layout, missing) if cut else None
            found.append(
                replace(
                    made, line=each.line, heading=place.heading, follows=place.follows, cut=reason
                )
            )
    notes.settle(found)
    if partial:
        more = f" and in {len(partial) - 1} more" if len(partial) > 1 else ""
        notes.said.append(f"Rows are missing in the table at {partial[0]}{more}.")
    return found


def _made(
    raw: RawTable, layout: Layout, row: RowMaker, table: Callable[[RawTable], Table]
) -> tuple[Table, list[str]]:
    """The table, and why rows of it were left out. Raises ``UsageError`` if none is left."""
    if raw.problem is not None:
        raise UsageError(raw.problem)
    if not raw.rows:
        raise UsageError(_no_row(raw, layout))
    rows: list[Row] = []
    lost: list[str] = []
    figures = numbers.with_points([words for _, words in raw.rows.values()])
    for (kernel, (line, _)), words in zip(raw.rows.items(), figures, strict=True):
        where = f"line {line} ({kernel})"
        try:
            if words is None:
                raise UsageError(
                    f"{where} has a decimal comma where others of its table have a point: write"
                    " all of them with points."
                )
            rows.append(row(raw, kernel, words, where))
        except UsageError as error:
            lost.append(str(error))
    if not rows:
        raise UsageError(lost[0])
    shown = [f"A row was left out: {each}" for each in lost]
    return replace(table(raw), rows=tuple(rows)), shown


def _breaks_off(raw: RawTable, layout: Layout, missing: Set[str]) -> bool:
    """Return whether the last table of a text has only its first rows, and nothing more follows."""
    if not missing or not raw.rows or raw.closed:
        return False
    whole = layout.usual(raw.before) | raw.rows.keys()
    order = [name for name in dict.fromkeys(layout.labels.values()) if name in whole]
    begins = set(order[: len(raw.rows)]) == set(raw.rows)
    return begins and (not raw.after.strip() or ending_of(raw.after) is not None)


def _cut(raw: RawTable, layout: Layout, missing: Set[str]) -> str:
    """The missing part of a cut table, and the reason that the text gives."""
    lacks = _names(layout, missing) if missing else "a part of a row"
    reason = ending_of(raw.after)
    return f"{lacks} missing" + (f"; the output ends with: {reason}" if reason else "")


def _no_row(raw: RawTable, layout: Layout) -> str:
    reason = ending_of(raw.after)
    return (
        f"the table of {layout.tool} at line {raw.line} is cut off: it has no complete row"
        + (f", and the output ends with: {reason}. " if reason else ". ")
        + "Take the whole output of the run, or run it again."
    )


def _names(layout: Layout, kernels: Set[str]) -> str:
    labels: dict[str, str] = {}
    for label, kernel in layout.labels.items():
        labels.setdefault(kernel, label.capitalize())
    names = [label for kernel, label in labels.items() if kernel in kernels]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


def _lines(text: str, start: int, end: int, first: int) -> Iterator[tuple[int, int, str]]:
    """Number, place and text of each line that may belong to a table."""
    number, counted = first, start
    for match in _LINE.finditer(text, start, end):
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
