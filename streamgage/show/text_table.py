"""A table as text: columns that fit, or parts that repeat the first column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest
from typing import Any

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from streamgage.show.page import (
    Column,
    Table,
    words,
)
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import NARROW, hanging

_BETWEEN = 4
"""Blanks between groups of columns."""
_TONES = {"good": "green", "bad": "red", "doubtful": "yellow", "quiet": "dim"}


@dataclass(frozen=True)
class _TextColumn:
    """A column as text: its title, and a text and a style for each row."""

    column: Column[Any]
    head: str
    texts: Sequence[str]
    styles: Sequence[str]
    least: int = 0
    """The least width of the column."""

    @cached_property
    def width(self) -> int:
        return max(self.least, *(len(text) for text in (self.head, *self.texts)))

    def filled(self, row: int) -> str:
        """The text of a row, padded to the width of the column; row -1 is the title."""
        text = self.head if row < 0 else self.texts[row]
        return text.ljust(self.width) if self.column.left else text.rjust(self.width)

    def style(self, row: int) -> str:
        """The style of a row; titles are bold."""
        return "bold" if row < 0 else self.styles[row]


def show_table(console: Console, table: Table[Any], symbols: Symbols) -> None:
    """Print a table with its title, and an empty line after it."""
    if table.title and table.about:
        hanging(console, f" {table.title}  ", symbols.text(table.about), style="bold")
    elif table.title:
        console.print(Text(f" {table.title}", style="bold"))
    foot = table.foot
    if not table.rows:
        console.print(f" {table.empty}")
    elif any(each.roomy and not each.may_go for each in table.columns):
        _print_broken(console, [_text_column(each, table, symbols) for each in table.columns])
    else:
        shown = [_text_column(each, table, symbols) for each in table.columns]
        if table.even:
            widest = max(each.width for each in shown[1:])
            shown[1:] = [replace(each, least=widest) for each in shown[1:]]
        if table.split == "never":
            fitting = _print_fitting(console, shown, table.gap)
            if table.legend:
                foot = [symbols.separator.join((*foot, *_legend(shown, fitting)))]
        else:
            _print_parts(console, table, shown, symbols)
    if foot:
        dim(console, symbols.text(" ".join(foot)))
    for note in (note for about, note in table.notes if not about):
        hanging(console, " ", symbols.text(note))
    if not table.legend:
        console.print()


def _text_column(column: Column[Any], table: Table[Any], symbols: Symbols) -> _TextColumn:
    cells = [column.cell(row) for row in table.rows]
    marks = [f"{symbols.error} " if cell.wrong else "" for cell in cells]
    texts = [f"{mark}{symbols.text(words(e))}" for mark, e in zip(marks, cells, strict=True)]
    if table.merge and column is table.columns[0]:
        texts = [
            "" if number and text == texts[number - 1] else text
            for number, text in enumerate(texts)
        ]
    first = column is table.columns[0]
    styles = ["bold" if first or c.strong else _TONES.get(c.tone, "not bold") for c in cells]
    return _TextColumn(column, "" if column.half else symbols.text(column.title), texts, styles)


def _total(columns: Sequence[_TextColumn], gap: int) -> int:
    return 1 + sum(each.width + gap for each in columns) - gap


def _fitting(columns: list[_TextColumn], width: int, gap: int) -> list[_TextColumn]:
    """The columns that fit into ``width`` after dropping those that may go."""
    while _total(columns, gap) > width:
        most = max(each.column.may_go for each in columns)
        if not most:
            break
        columns = [each for each in columns if each.column.may_go != most]
    return columns


def _print_fitting(console: Console, columns: list[_TextColumn], gap: int) -> list[_TextColumn]:
    """Print the columns that fit, and return them; names are wrapped if that makes them fit."""
    fitting = _fitting(columns, console.width, gap)
    lead, *rest = fitting
    left = console.width - (_total(fitting, gap) - lead.width)
    longest = max(len(word) for text in (lead.head, *lead.texts) for word in text.split())
    if not longest <= left < lead.width:
        _print_rows(console, fitting, gap)
    else:
        folded = msgspec.structs.replace(lead.column, roomy=True)
        _print_broken(console, [replace(lead, column=folded), *rest])
    return fitting


def _legend(columns: Sequence[_TextColumn], fitting: Sequence[_TextColumn]) -> Iterator[str]:
    """Explain the columns whose title is too short, and name those left out.

    Columns that are left out together have the name of the first.
    """
    yield from dict.fromkeys(
        f"{each.head}: {each.column.about}" for each in reversed(fitting) if each.column.about
    )
    hidden = [each.column for each in columns if each not in fitting]
    names = {each.may_go: each.long_title or each.title for each in reversed(hidden)}
    if hidden:
        first = dict.fromkeys(each.may_go for each in hidden)
        yield f"left out for width: {', '.join(names[each] for each in first)}"


def _print_rows(console: Console, columns: Sequence[_TextColumn], gap: int) -> None:
    for row in range(-1, len(columns[0].texts)):
        line = Text(" ")
        for each, after in zip_longest(columns, columns[1:]):
            near = after is not None and after.column.half
            line.append(each.filled(row) + " " * (1 if near else gap), style=each.style(row))
        print_line(console, line)


def _print_broken(console: Console, columns: Sequence[_TextColumn]) -> None:
    """Print lines of cells in which long words are wrapped."""
    grid = Grid(box=None, header_style="bold", pad_edge=False)
    kept = [each for each in columns if console.width >= NARROW or not each.column.may_go]
    for each in kept:
        column = each.column
        grid.add_column(
            each.head,
            justify="left" if column.left else "right",
            max_width=column.widest or None,
            no_wrap=not column.roomy,
            overflow="fold" if column.roomy else "ellipsis",
        )
    for row in range(len(columns[0].texts)):
        grid.add_row(*(Text(each.texts[row], each.styles[row]) for each in kept))
    console.print(Padding(grid, (0, 0, 0, 1)))


def print_line(console: Console, line: Text) -> None:
    line.rstrip()
    console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _print_parts(
    console: Console, table: Table[Any], columns: Sequence[_TextColumn], symbols: Symbols
) -> None:
    """Print the columns in as many parts as the width requires; each repeats the first column."""
    lead, *rest = columns
    groups = [
        (name, list(members)) for name, members in groupby(rest, key=lambda each: each.column.group)
    ]
    if table.split == "columns":
        groups = [("", [each]) for each in rest]
    between = _BETWEEN if table.split == "groups" else table.gap
    notes = dict(table.notes)
    parts = _parts(groups, console.width - 1 - lead.width, between, table.gap)
    for number, part in enumerate(parts):
        if number:
            console.print()
        if table.split == "groups":
            over = Text(" " * (1 + lead.width))
            for name, members in part:
                whole = _total(members, table.gap) - 1
                over.append(" " * between + name.center(whole).rstrip().ljust(whole))
            print_line(console, over)
        elif table.over:
            whole = sum(between + members[0].width for _, members in part)
            room = min(whole, console.width - 1 - lead.width)
            over_text = table.over.rjust(room)
            over_text = over_text if len(over_text) > len(table.over) else f"  {table.over}"
            console.print(Text(f" {' ' * lead.width}{over_text}", style="dim"))
        for row in range(-1, len(lead.texts)):
            line = Text(" " + lead.filled(row), style=lead.style(row))
            for _, members in part:
                line.append(" " * between)
                for place, each in enumerate(members):
                    line.append(" " * table.gap * bool(place) + each.filled(row), each.style(row))
            print_line(console, line)
        for name, _ in part:
            if name in notes:
                named = f"{name}: " if len(part) > 1 else ""
                body = symbols.text(f"{named}{notes[name]}")
                hanging(console, f" {' ' * lead.width}  ", body, style="dim")


def _parts(
    groups: Sequence[tuple[str, list[_TextColumn]]], room: int, between: int, gap: int
) -> Iterator[list[tuple[str, list[_TextColumn]]]]:
    """Split the groups into parts that fit, at least one group each."""
    part: list[tuple[str, list[_TextColumn]]] = []
    left = room
    for group in groups:
        needed = between + _total(group[1], gap) - 1
        if part and needed > left:
            yield part
            part, left = [], room
        part.append(group)
        left -= needed
    yield part


def dim(console: Console, text: str) -> None:
    console.print(Padding(text, (0, 0, 0, 1)), style="dim")
