"""``--format table``: latencies as people read and paste them."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.latency.document import Latencies
from streamgage.results.latency.rows import Block, blocks, foot, series
from streamgage.results.measure.table import tell_findings
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.terminal import Terminal, finished, hanging, new_console

_GAP = 3
_LEFT = ("level", "working sets")
_MAY_GO = ("range", "working sets", "claimed")
"""Columns that a narrow terminal has no room for, the first to go first."""


def render(answer: Latencies, terminal: Terminal) -> str:
    """Machine, the levels, a table a mix, what they come to, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    hanging(console, " ", series(answer, terminal.symbols))
    console.print()
    for block in blocks(answer, terminal.symbols):
        _block(console, block)
    console.print(Padding(foot(answer, terminal.symbols), (0, 0, 0, 1)), style="dim")
    console.print()
    for sentence in (*answer.left_out, *answer.verdict):
        hanging(console, " ", sentence)
    console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _block(console: Console, block: Block) -> None:
    hanging(console, f" {block.title}  ", block.what, style="bold")
    columns = [*range(len(block.heads))]
    for head in _MAY_GO:
        if head in block.heads and _total(block, columns) > console.width:
            columns.remove(block.heads.index(head))
    for row in (block.heads, *block.rows):
        line = Text(" ")
        for column in columns:
            width = _width(block, column)
            left = block.heads[column] in _LEFT
            filled = row[column].ljust(width) if left else row[column].rjust(width)
            line.append(filled + " " * _GAP, style="bold" if row is block.heads else "not bold")
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    console.print()


def _total(block: Block, columns: list[int]) -> int:
    return 1 + sum(_width(block, column) + _GAP for column in columns) - _GAP


def _width(block: Block, column: int) -> int:
    return max(len(row[column]) for row in (block.heads, *block.rows))
