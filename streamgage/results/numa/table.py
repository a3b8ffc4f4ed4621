"""``--format table``: the matrices as people read and paste them."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.measure.table import tell_findings
from streamgage.results.numa.blocks import Block, blocks, columns, foot
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.numa.layout import describe_row
from streamgage.results.numa.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.terminal import Terminal, finished, hanging, new_console
from streamgage.units import count

_GAP = 3
_LEAD = "CPUs of node"
_OVER = "memory of node"


def render(matrix: NumaMatrix, terminal: Terminal) -> str:
    """Machine, rows, a matrix a kernel, the latencies, what they come to, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    _heading(console, matrix, terminal)
    shown = blocks(matrix)
    for block in shown:
        _block(console, matrix, block)
    if shown:
        console.print(Padding(foot(matrix), (0, 0, 0, 1)), style="dim")
    else:
        console.print(" No cell was measured.")
    console.print()
    sentences = [*matrix.left_out, *missing_sentences(matrix), *matrix.verdict]
    for sentence in sentences:
        hanging(console, " ", sentence)
    if sentences:
        console.print()
    tell_findings(console, matrix.findings, terminal.symbols)
    return finished(text)


def _heading(console: Console, matrix: NumaMatrix, terminal: Terminal) -> None:
    separator = terminal.symbols.separator
    if matrix.machine is not None:
        hanging(console, " ", line_of_machine(matrix.machine, terminal.symbols))
    rounds = (
        f"{count(matrix.rounds, 'round')} in mixed order (seed {matrix.seed})"
        if matrix.rounds > 1
        else f"cells in mixed order (seed {matrix.seed})"
    )
    rows = [describe_row(each) for each in matrix.cpu_nodes]
    hanging(console, " ", separator.join([*rows, rounds]))
    console.print()


def _block(console: Console, matrix: NumaMatrix, block: Block) -> None:
    """One matrix, in as many parts as the width makes necessary."""
    hanging(console, f" {block.title}  ", block.what, style="bold")
    heads = columns(matrix)
    texts = [*heads, *(text for row in block.rows for text in row)]
    width = max(len(text) for text in texts) + _GAP
    room = max(1, (console.width - 1 - len(_LEAD)) // width)
    for first in range(0, len(heads), room):
        part = slice(first, first + room)
        over = _OVER.rjust(min(width * len(heads[part]), console.width - 1 - len(_LEAD)))
        over = over if len(over) > len(_OVER) else f"  {_OVER}"
        console.print(Text(f" {' ' * len(_LEAD)}{over}", style="dim"))
        head = "".join(text.rjust(width) for text in heads[part])
        console.print(Text(f" {_LEAD}{head}", style="bold"))
        for row, figures in zip(matrix.cpu_nodes, block.rows, strict=True):
            line = Text(f" {row.node:>{len(_LEAD)}}", style="bold")
            for column, figure in zip(matrix.memory_nodes[part], figures[part], strict=True):
                own = column.node == row.node
                line.append(figure.rjust(width), style="bold" if own else "not bold")
            console.print(line, no_wrap=True, overflow="ignore", crop=False)
        console.print()
