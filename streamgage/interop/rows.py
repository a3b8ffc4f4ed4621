"""Finds tables in text: a header, then one line per kernel, possibly with other lines between.

STREAM, TheBandwidthBenchmark and BabelStream print such tables. Launchers put marks before the
lines (``[1,0]<stdout>:``, ``0: ``), and lines of their own between them. Every search covers one
line of bounded length, so the time is proportional to the length of the text.

Complete rows are read. A row that is cut off, or whose figure is not a number, is left out with a
reason; so is a table without any row. Rows without a header are read as a table if their figures
prove what they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, takewhile

from streamgage.errors import UsageError
from streamgage.interop import numbers
from streamgage.interop.cross_check import prove_themselves
from streamgage.interop.endings import ending_of
from streamgage.interop.numbers import is_figure
from streamgage.interop.places import places
from streamgage.interop.tables import Row, Table, put
from streamgage.units import listed

RowMaker = Callable[["RawTable", str, list[str], str], Row]
"""Makes a row from a raw table, the kernel, its figures, and the name of its line for messages.
Raises ``UsageError``."""
_MOST_NOTES = 3
ROWS_MISSING = "Rows are missing"
"""The begin of the note on tables that are not whole."""
_LEFT = "A table was left out: "
_RULE = re.compile(r"[^-\u2500]*(?:-{10,}|[\u2514\u2500]{10,})")
_LINE = re.compile(r"^[^\n]{8,500}$", re.M)
"""Matches the lines that may be rows; no row is shorter or longer."""
_BOX = str.maketrans("\u2502|", "  ")
"""Replaces the column marks of boxed tables by blanks."""
_LABEL = re.compile(
    r"(?:^|(?<=[\s>:\])]))([A-Za-z][A-Za-z_]{0,20})(?: {0,9}:\s{0,40}|\s{1,40})(?=[-+.*0-9nNiI])"
)
"""Matches a label before what may be a figure."""
_UNIT = re.compile(r"(?:MB/s|MBytes/sec|s|sec)$")
_GROUPS = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]+)?")
_SHOWN = 40
_FEWEST = 3
"""The fewest rows without a header that can prove what they are."""


@dataclass(frozen=True)
class Layout:
    """How a benchmark prints its tables."""

    tool: str
    header: re.Pattern[str]
    labels: Mapping[str, str]
    """The kernels by their printed labels in lower case, in the order of the table."""
    columns: int
    """The number of figures to the right of a label."""
    usual: Callable[[str], Set[str]]
    """Returns the kernels that a whole run prints, given the text before its table."""
    own: re.Pattern[str]
    """A pattern of the beginning of each line that it prints outside of its tables."""
    times: tuple[int, int, int] = (0, 0, 0)
    """The columns of the best, the mean and the worst time."""
    bare: tuple[int, float] | None = None
    """For tables that can be recognised without a header: the column of the best time, and the unit
    of the rates in bytes per second. ``None`` if there are none."""


@dataclass
class RawTable:
    """A table as it stands in the text; its figures are still text."""

    line: int
    header: re.Match[str] | None
    """The match of its header; ``None`` if there is no header."""
    other_header: re.Match[str] | None = field(default=None, kw_only=True)
    """A header of the text with the columns that all of its headers have; ``None`` if they differ.
    """
    mixed: range | None = field(default=None, kw_only=True)
    """The headers of all runs that wrote at the same time, if their rows are mixed; they share the
    text around them."""
    before: str
    """The text between the table before and this one."""
    start: int
    end: int = 0
    """The position where its last row ends."""
    after: str = ""
    """The text between its end and the next table."""
    rows: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """The line number and the figures of each kernel."""
    closed: bool = False
    """``True`` if a horizontal rule in the output has ended it."""
    cut: bool = False
    """``True`` if one of its rows is cut off."""
    stopped: str = ""
    """The line and the characters that stopped the first row which could not be read."""
    problem: str | None = None
    """Why the table cannot be used; ``None`` if it can."""


@dataclass
class Notes:
    """Notes on what was left out: the first few sentences, and the number of all."""

    tool: str
    texts: list[str] = field(default_factory=list)
    left_out: int = 0
    _problems: list[str] = field(default_factory=list)

    @contextmanager
    def or_left_out(self) -> Iterator[None]:
        """Leave out a table if the block cannot read it; ``settle`` then reports why."""
        try:
            yield
        except UsageError as error:
            self._problems.append(str(error))

    def settle(self, found: Sequence[object], otherwise: str = "") -> None:
        """Report the tables that were left out, after the last table.

        Raises ``UsageError`` if no table was found: with the first reason, else ``otherwise``.
        """
        problems, self._problems = self._problems, []
        if not found:
            raise UsageError(problems[0] if problems else otherwise)
        for problem in problems:
            self.left_table(problem)

    def unknown(self, line: int, label: str) -> None:
        """Note that the kernel of a row is unknown."""
        self._add(f"Line {line} was left out: {label!r} is not a known kernel of {self.tool}.")

    def outside(self, line: int, label: str) -> None:
        """Note that a row belongs to no table."""
        self._add(f"Line {line} was left out: {label!r} is not part of any table.")

    def counted_otherwise(self, line: int, label: str) -> None:
        """Note that a test counts other bytes than the kernel with its name moves."""
        self._add(f"Line {line} was left out: {label!r} counts other bytes than its kernel moves.")

    def experts(self, where: str, model: str) -> None:
        """Note that a model reads only a part of its weights for each token."""
        self._add(
            f"{where[:1].upper()}{where[1:]} was left out: {model} has experts, of which it reads"
            " some for each token, so its size says nothing on what was read."
        )

    def lost(self, line: int, why: str) -> None:
        """Note that a row is cut off, or that a figure in it is not a number."""
        self._add(f"Line {line} was left out: {why}")

    def left_table(self, why: str) -> None:
        """Note that a table cannot be used."""
        self._add(f"{_LEFT}{why}")

    def why(self, otherwise: str) -> str:
        """The first reason why something was left out, for use when nothing is left."""
        return self.texts[0].removeprefix(_LEFT) if self.texts else otherwise

    def _add(self, sentence: str) -> None:
        self.left_out += 1
        if self.left_out <= _MOST_NOTES:
            self.texts.append(sentence)

    def sentences(self) -> tuple[str, ...]:
        """The sentences; a last one has the total number if there were more."""
        more = self.left_out > _MOST_NOTES
        rest = (f"{self.left_out} lines were left out in all.",) if more else ()
        return (*self.texts, *rest)


def raw_tables(text: str, layout: Layout, notes: Notes) -> list[RawTable]:
    """Find the tables of ``text``. Raises ``UsageError`` if there is none."""
    headers = list(layout.header.finditer(text))
    if not headers and layout.bare is None:
        raise UsageError(f"it holds no table of {layout.tool}: name its saved output.")
    found: list[RawTable] = []
    line, counted = 1, 0
    edges = [0, *(header.start() for header in headers), len(text)]
    mixed = {n: each for each in _mixed(text, edges, layout) for n in each}
    for number, (start, end) in enumerate(pairwise(edges)):
        header = headers[number - 1] if number else None
        first = start if header is None else header.end()
        line += text.count("\n", counted, first)
        counted = first
        if header is not None and number in mixed:
            group = mixed[number]
            found.append(RawTable(line, header, "", start, start, mixed=group))
            if number == group[-1]:
                _deal(text, edges[group[0]], end, found[-len(group) :], layout)
            continue
        reader = _Reader(layout, notes, text, first, end)
        found += reader.tables(RawTable(line, header, "", start) if header else None, line)
    _with_surroundings(text, found)
    if headers and len({each.groups() for each in headers}) == 1:
        found = [replace(each, other_header=headers[0]) for each in found]
    if not found and notes.left_out:
        raise UsageError(
            f"it holds rows of {layout.tool} without their header, and rate x time does not confirm"
            f" them ({notes.texts[0]}). Add the header, or take the whole output."
        )
    if not found:
        raise UsageError(f"it holds no table of {layout.tool}: name its saved output.")
    return found


def _mixed(text: str, edges: Sequence[int], layout: Layout) -> Iterator[range]:
    """Yield the headers of runs that wrote at the same time, by their numbers from 1.

    Their rows are mixed: a table ends before its rows do, and the next ones have more. All together
    have each row as often as a header.
    """
    if layout.bare is None or len(edges) <= _FEWEST:
        return
    row = re.compile(rf"\b({'|'.join(layout.labels)}):[ \t]", re.I)
    order = set(layout.labels.values())
    open_from, seen = 0, Counter[str]()
    for number in range(1, len(edges) - 1):
        open_from = open_from or number
        labels = (each[1].lower() for each in row.finditer(text, edges[number], edges[number + 1]))
        seen.update(layout.labels[label] for label in labels)
        runs = number - open_from + 1
        if any(seen[kernel] > runs for kernel in order):
            open_from, seen = 0, Counter()
        elif all(seen[kernel] == runs for kernel in order):
            if runs > 1:
                yield range(open_from, number + 1)
            open_from, seen = 0, Counter()


def _deal(text: str, start: int, end: int, tables: Sequence[RawTable], layout: Layout) -> None:
    """Give each of the tables, whose rows are mixed, one row of each kernel.

    Runs print their rows in one order, but which of two equal rows belongs to which is not known.
    """
    line = text.count("\n", 0, start) + 1
    for number, place, content in _lines(text, start, end, line):
        row = _row(content, layout, inside=True)
        kernel = None if row is None else layout.labels.get(row[0].lower())
        if row is None or kernel is None or len(row[1]) < layout.columns:
            continue
        table = next((each for each in tables if kernel not in each.rows), tables[-1])
        table.rows[kernel] = (number, row[1])
        tables[0].end = place + len(content)
    for each in tables[1:]:
        each.start = each.end = tables[0].end


def _with_surroundings(text: str, tables: Sequence[RawTable]) -> None:
    """Give each table the text around it; those that are mixed share theirs."""
    groups = [[*each] for _, each in groupby(tables, lambda each: each.mixed or each.line)]
    edges = [*(each[0].start for each in groups[1:]), len(text)]
    before = 0
    for group, after in zip(groups, edges, strict=bool(groups)):
        for table in group:
            table.before = text[before : group[0].start]
            table.after = text[group[-1].end : after]
        before = group[-1].end


class _Reader:
    """Collects the rows after one header, or before the first, into tables."""

    def __init__(self, layout: Layout, notes: Notes, text: str, start: int, end: int) -> None:
        self.layout, self.notes = layout, notes
        self.text, self.start, self.stop = text, start, end
        self.bare: list[RawTable] = []

    def tables(self, table: RawTable | None, first: int) -> list[RawTable]:
        """Return the table with the header, if there is one, and the tables without a header."""
        if table is not None:
            table.end = self.start
        for number, start, line in _lines(self.text, self.start, self.stop, first):
            inside = table is not None and not table.closed
            if table is not None and inside and table.rows and _RULE.match(line):
                table.closed = True
                inside = False
            found = _row(line, self.layout, inside=inside)
            if found is None:
                if table is not None and inside and not table.stopped:
                    table.stopped = _stop_in(line, number, self.layout)
                continue
            label, figures, wrong = found
            kernel = self.layout.labels.get(label.lower())
            place = (number, start, start + len(line))
            goes_on = table is not None and (inside or self._goes_on(table, kernel))
            if table is not None and goes_on and not self._restarts(table, kernel):
                self._into(table, kernel, (label, figures, wrong), place)
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

    def _goes_on(self, table: RawTable, kernel: str | None) -> bool:
        """Return whether a row is the next of a closed table, whose rule another run printed."""
        order = list(dict.fromkeys(self.layout.labels.values()))
        if self.bare or self.layout.bare is None or kernel is None or kernel in table.rows:
            return False
        return order.index(kernel) > 0 and order[order.index(kernel) - 1] == [*table.rows][-1]

    def _into(
        self,
        table: RawTable,
        kernel: str | None,
        row: tuple[str, list[str], str],
        place: tuple[int, int, int],
    ) -> None:
        label, figures, wrong = row
        number, _, end = place
        if kernel is None:
            table.stopped = table.stopped or _no_kernel(number, label)
            self.notes.unknown(number, label)
        elif kernel in table.rows and len(figures) < self.layout.columns:
            table.closed = True  # someone repeats the rates below it
            return
        elif kernel in table.rows:
            table.problem = (
                f"line {number} has a second row {label!r} in the table at line {table.line}:"
                " the output of several runs is mixed, so write one file per run."
            )
        elif len(figures) < self.layout.columns:
            table.cut = True
            table.stopped = table.stopped or _wrong(number, wrong, len(figures), self.layout)
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
    """Read the tables of ``text``: ``row`` makes their rows, ``table`` reads the text around them.

    A row or table that cannot be used is left out with a note. Raises ``UsageError`` if no table is
    left.
    """
    raw = raw_tables(text, layout, notes)
    where = places(text, [(each.start, each.end) for each in raw], layout.own)
    found: list[Table] = []
    partial: list[str] = []
    for each, place in zip(raw, where, strict=True):
        with notes.or_left_out():
            made, lost = _table_of(each, layout, row, table)
            notes.texts += lost
            missing = layout.usual(each.before) - each.rows.keys()
            cut = each.cut or (each is raw[-1] and _breaks_off(each, layout, missing))
            if missing and not cut:
                partial.append(f"line {each.line} ({_names(layout, missing)})")
            if each.header is None:
                notes.texts.append(
                    f"The header of the table at line {each.line} is missing. Rate x time shows"
                    f" that its rows are {layout.tool}'s."
                )
            reason = _cut(each, layout, missing) if cut else None
            found.append(replace(put(made, place), line=each.line, cut=reason))
    notes.settle(found)
    if partial:
        more = f" and in {len(partial) - 1} more" if len(partial) > 1 else ""
        notes.texts.append(f"{ROWS_MISSING} in the table at {partial[0]}{more}.")
    return found


def _table_of(
    raw: RawTable, layout: Layout, row: RowMaker, table: Callable[[RawTable], Table]
) -> tuple[Table, list[str]]:
    """Make the table; also return why rows were left out.

    Raises ``UsageError`` if no row is left.
    """
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
    """Return whether the last table of a text has only its first rows, with nothing after them."""
    if not missing or not raw.rows or raw.closed:
        return False
    whole = layout.usual(raw.before) | raw.rows.keys()
    order = [name for name in dict.fromkeys(layout.labels.values()) if name in whole]
    begins = set(order[: len(raw.rows)]) == set(raw.rows)
    return begins and (not raw.after.strip() or ending_of(raw.after) is not None)


def _cut(raw: RawTable, layout: Layout, missing: Set[str]) -> str:
    """Say what is missing in a table that is cut off, and why, if the text gives a reason."""
    lacks = _names(layout, missing) if missing else "a part of a row"
    reason = ending_of(raw.after)
    return f"{lacks} missing" + (f"; the output ends with: {reason}" if reason else "")


def _no_row(raw: RawTable, layout: Layout) -> str:
    reason = ending_of(raw.after)
    if raw.stopped:
        return f"the table of {layout.tool} at line {raw.line} has no complete row: {raw.stopped}."
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
    """Yield the number, the position and the text of each line that may belong to a table."""
    number, counted = first, start
    for match in _LINE.finditer(text, start, end):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        yield number, match.start(), match[0].translate(_BOX)


def _row(line: str, layout: Layout, *, inside: bool) -> tuple[str, list[str], str] | None:
    """The label and the figures of a line that looks like a row; ``None`` for any other line.

    Also return what stands behind the figures, as it stopped the row if figures are missing.

    Inside a table, a known label with one figure is enough, so that a row that is cut off is
    noticed. Any other row needs all figures, and nothing else on the line.
    """
    for match in _LABEL.finditer(line):
        label = match[1]
        words = [bare for each in line[match.end() :].split() if (bare := _without_unit(each))]
        figures = _grouped(list(takewhile(_is_cell, words)), layout)
        wrong = next((each for each in words if not _is_cell(each)), "")
        if inside and label.lower() in layout.labels:
            if len(figures) < layout.columns:
                figures = _parted(words, layout) or figures
            if figures:
                return label, figures, wrong
        if not figures:
            continue
        if not wrong and len(figures) >= layout.columns:
            return label, figures, ""
    return None


def _without_unit(word: str) -> str:
    """The word without the unit of its column, which people write behind figures."""
    bare = _UNIT.sub("", word)
    return bare if not bare or is_figure(bare) else word


def _grouped(figures: list[str], layout: Layout) -> list[str]:
    """Join the groups of thousands in the first figure, if blanks separate them."""
    extra = len(figures) - layout.columns
    if extra < 1 or not _GROUPS.fullmatch(" ".join(figures[: extra + 1])):
        return figures
    return ["".join(figures[: extra + 1]), *figures[extra + 1 :]]


def _parted(words: Sequence[str], layout: Layout) -> list[str] | None:
    """The figures of a row whose columns run together; ``None`` if they cannot be told apart.

    All times have as many digits behind the point, and best, mean and worst ascend.
    """
    if layout.times == (0, 0, 0):
        return None
    found = []
    for figures in numbers.parted(words, layout.columns):
        times = [figures[column] for column in layout.times]
        digits = {len(each.partition(".")[2]) for each in times}
        if len(digits) == 1 and sorted(times, key=numbers.number) == times:
            found.append(figures)
    return found[0] if len(found) == 1 else None


def _stop_in(line: str, number: int, layout: Layout) -> str:
    """What stopped the row in a line that begins with a known label; empty for other lines."""
    words = line.split()
    for place, word in enumerate(words[:-1]):
        if word.rstrip(":").lower() in layout.labels:
            wrong = next((each for each in words[place + 1 :] if not _is_cell(each)), "")
            return _wrong(number, wrong, 0, layout) if wrong else ""
    if len(words) > 1 and sum(map(_is_cell, words[1:])) > 1:
        return _no_kernel(number, words[0])
    return ""


def _no_kernel(number: int, word: str) -> str:
    return f"line {number} has {word[:_SHOWN]!r} where the name of a kernel should be"


def _wrong(number: int, word: str, figures: int, layout: Layout) -> str:
    """What stopped a row: a word that is no figure, or its end."""
    if word:
        return f"line {number} has {word[:_SHOWN]!r} where a figure should be"
    return f"line {number} has {figures} of {layout.columns} figures"


def _is_cell(word: str) -> bool:
    return word == "-" or is_figure(word)
