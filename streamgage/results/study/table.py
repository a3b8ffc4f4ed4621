"""``--format table``: a study as people read it."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.table import tell_findings
from streamgage.results.study.document import Study
from streamgage.results.study.rows import Block, blocks, commands, foot, series, solver_line
from streamgage.results.study.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.terminal import Terminal, finished, hanging, new_console

_GAP = 3
_MAY_GO = ("eff. of one", "count", "speedup")
"""Columns that a narrow terminal has no room for, the first to go first."""


def render(answer: Study, terminal: Terminal) -> str:
    """Machine and command, STREAM, the phases, and what they come to."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    if (solver := solver_line(answer)) is not None:
        hanging(console, " ", solver)
    for command in commands(answer):
        hanging(console, " ", command)
    hanging(console, " ", series(answer, terminal.symbols))
    console.print()
    for block in blocks(answer, terminal.symbols):
        _block(console, block)
    if answer.stream or answer.phases:
        console.print(Padding(foot(answer, terminal.symbols), (0, 0, 0, 1)), style="dim")
    else:
        console.print(" No point was measured.")
    console.print()
    sentences = [*answer.left_out, *missing_sentences(answer), *answer.verdict]
    for sentence in sentences:
        hanging(console, " ", sentence)
    if sentences:
        console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _block(console: Console, block: Block) -> None:
    console.print(Text(f" {block.title}", style="bold"))
    columns = [*range(len(block.heads))]
    for head in _MAY_GO:
        if head in block.heads and _total(block, columns) > console.width:
            columns.remove(block.heads.index(head))
    for row in (block.heads, *block.rows):
        line = Text(" ")
        for column in columns:
            cell = row[column].rjust(_width(block, column)) + " " * _GAP
            line.append(cell, style="bold" if row is block.heads else "not bold")
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    console.print()


def _total(block: Block, columns: list[int]) -> int:
    return 1 + sum(_width(block, column) + _GAP for column in columns) - _GAP


def _width(block: Block, column: int) -> int:
    return max(len(row[column]) for row in (block.heads, *block.rows))
