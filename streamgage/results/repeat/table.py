"""``--format table``: repeated runs as people read them."""

from __future__ import annotations

import io

from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.table import tell_findings
from streamgage.results.repeat.document import RepeatedKernel, Repetition
from streamgage.results.repeat.rows import Column, columns, foot
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.terminal import Terminal, finished, hanging, new_console
from streamgage.units import count

_GAP = 2


def render(answer: Repetition, terminal: Terminal) -> str:
    """Machine, what ran, a line a kernel and placement, the verdict, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    separator = terminal.symbols.separator
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    done = len([each for each in answer.runs if each.failure is None])
    planned = answer.rounds * len(answer.placements)
    parts = [
        count(answer.rounds, "round"),
        f"{done} of {planned} runs" if done < planned else count(done, "run"),
        f"placements {', '.join(answer.placements)} in mixed order (seed {answer.seed})",
    ]
    hanging(console, " ", separator.join(parts))
    console.print()
    if not answer.kernels:
        console.print(" No run was finished.")
        return finished(text)
    shown = _fitting(columns(answer), answer.kernels, console.width)
    before = None
    for row in (None, *answer.kernels):
        line = _line(shown, answer.kernels, row, repeated=row is not None and row.kernel == before)
        before = None if row is None else row.kernel
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    console.print(Padding(foot(answer), (0, 0, 0, 1)), style="dim")
    console.print()
    for sentence in answer.verdict:
        hanging(console, " ", sentence)
    if answer.verdict:
        console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _fitting(shown: list[Column], rows: list[RepeatedKernel], width: int) -> list[Column]:
    """The columns that there is room for."""
    while _total(shown, rows) > width and any(column.may_go for column in shown):
        shown.remove(max(shown, key=lambda column: column.may_go))
    return shown


def _total(shown: list[Column], rows: list[RepeatedKernel]) -> int:
    return 1 + sum(_width(column, rows) + _GAP for column in shown) - _GAP


def _width(column: Column, rows: list[RepeatedKernel]) -> int:
    return max(len(text) for text in (column.title, *map(column.cell, rows)))


def _line(
    shown: list[Column], rows: list[RepeatedKernel], row: RepeatedKernel | None, *, repeated: bool
) -> Text:
    """One line; the name of a kernel stands only where it is a new one."""
    line = Text(" ")
    for number, column in enumerate(shown):
        text = column.title if row is None else column.cell(row)
        if repeated and number == 0:
            text = ""
        width = _width(column, rows)
        filled = text.ljust(width) if column.left else text.rjust(width)
        line.append(filled + " " * _GAP, style="bold" if row is None or number == 0 else "")
    line.rstrip()
    return line
