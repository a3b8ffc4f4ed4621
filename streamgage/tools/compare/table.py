"""``--format table``: a comparison as people read it, with what differs before the ratios."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from streamgage.show.terminal import NARROW, Terminal, finished, hanging, new_console
from streamgage.tools.compare.document import ComparedFigure, Comparison
from streamgage.tools.compare.page_rows import (
    NOT_TOLD,
    Column,
    columns,
    foot,
    left_out,
    nothing_differs,
    reasons,
    rows_of,
    side_line,
    untold,
)

_GAP = 2
_STYLES = {"faster": "green", "slower": "red", "too noisy to say": "yellow"}
_WIDEST_NAME = 26


def render(answer: Comparison, terminal: Terminal) -> str:
    """The sides, what differs, a table for each side but A, the verdict, and what to know."""
    text = io.StringIO()
    console = new_console(text, terminal)
    for side in answer.sides:
        hanging(console, f" {side.label}  ", side_line(side, terminal.symbols.separator))
    console.print()
    _differences(console, answer)
    for number in range(1, len(answer.sides)):
        if rows_of(answer, number):
            _figures(console, answer, number, terminal)
    for sentence in left_out(answer):
        hanging(console, " ", sentence)
    if answer.unpaired:
        console.print()
    for sentence in answer.verdict:
        hanging(console, " ", sentence, style="bold")
    console.print()
    for sentence in answer.remarks:
        hanging(console, f" {terminal.symbols.note} ", sentence)
    if answer.acceptance is not None:
        passed = answer.acceptance.passed
        mark = terminal.symbols.passed if passed else terminal.symbols.error
        style = "green" if passed else "red"
        console.print()
        hanging(console, f" {mark} ", answer.acceptance.text, style=style)
    return finished(text)


def _differences(console: Console, answer: Comparison) -> None:
    if not answer.differences:
        console.print(Padding(nothing_differs(answer), (0, 0, 0, 1)))
    else:
        wide = console.width >= NARROW
        grid = Table(box=None, show_header=True, header_style="bold", pad_edge=False)
        grid.add_column("what differs", max_width=_WIDEST_NAME, overflow="fold")
        for side in answer.sides:
            grid.add_column(side.label, overflow="fold")
        if wide:
            grid.add_column("why it matters", overflow="fold", style="dim")
        for each in answer.differences:
            values = [Text(value or NOT_TOLD) for value in each.values]
            why = [Text(each.why)] if wide else []
            grid.add_row(Text(each.what), *values, *why)
        console.print(Padding(grid, (0, 0, 0, 1)))
    for sentence in untold(answer):
        hanging(console, " ", sentence)
    console.print()


def _figures(console: Console, answer: Comparison, number: int, terminal: Terminal) -> None:
    rows = rows_of(answer, number)
    shown = _fitting(columns(answer, number), rows, console.width)
    for row in (None, *rows):
        line = _line(shown, rows, row, number)
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    sentences = [foot(answer, number), *reasons(answer, number)]
    body = " ".join(sentences)
    if terminal.symbols.plus_minus != "±":
        body = body.replace("±", terminal.symbols.plus_minus)
    console.print(Padding(body, (0, 0, 0, 1)), style="dim")
    console.print()


def _fitting(shown: list[Column], rows: Sequence[ComparedFigure], width: int) -> list[Column]:
    """The columns that there is room for."""
    while _total(shown, rows) > width and any(column.may_go for column in shown):
        most = max(column.may_go for column in shown)
        shown = [column for column in shown if column.may_go != most]
    return shown


def _total(shown: Sequence[Column], rows: Sequence[ComparedFigure]) -> int:
    return 1 + sum(_width(column, rows) + _GAP for column in shown) - _GAP


def _width(column: Column, rows: Sequence[ComparedFigure]) -> int:
    return max(len(text) for text in (_title(column), *map(column.cell, rows)))


def _title(column: Column) -> str:
    return "" if column.title == "±" else column.title


def _line(
    shown: Sequence[Column],
    rows: Sequence[ComparedFigure],
    row: ComparedFigure | None,
    number: int,
) -> Text:
    """One line; what is apart from A stands out."""
    line = Text(" ")
    for place, column in enumerate(shown):
        text = _title(column) if row is None else column.cell(row)
        width = _width(column, rows)
        filled = text.ljust(width) if column.left else text.rjust(width)
        style = "bold" if row is None or place == 0 else ""
        if row is not None and column is shown[-1]:
            style = _STYLES.get(row.ratios[number - 1].verdict or "", "")
        near = place + 1 < len(shown) and shown[place + 1].title == "±"
        line.append(filled + " " * (1 if near else _GAP), style=style)
    line.rstrip()
    return line
