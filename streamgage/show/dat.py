"""``--format dat``: columns for gnuplot, in blocks that are two empty lines apart.

``plot 'scale.dat' index 0 using 1:2 with lines`` draws the first block. A point that could not be
measured is ``NaN``, where gnuplot leaves a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.records import Machine
from streamgage.records.plain_text import one_line
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Block, Columns
from streamgage.show.symbols import ASCII

_WIDTH = 12
_NONE = "NaN"


def render(columns: Columns, machine: Machine | None) -> str:
    """Write the comments, then the blocks."""
    return "\n".join(_lines(columns, machine)) + "\n"


def _lines(columns: Columns, machine: Machine | None) -> Iterator[str]:
    yield from map(_comment, columns.about)
    if machine is not None:
        yield _comment(line_of_machine(machine, ASCII))
        yield _comment(f"{machine.host}, {machine.time}")
    yield from (_comment(ASCII.text(each)) for each in columns.notes)
    for number, block in enumerate(columns.blocks):
        yield from ("", "") if number else ()
        yield _comment(f"index {number}: {block.title}")
        yield from _block(block)


def _comment(text: str) -> str:
    return f"# {one_line(text)}"


def _block(block: Block) -> Iterator[str]:
    widths = [max(_WIDTH, len(head)) for head in block.heads[1:]]
    first, *heads = block.heads
    yield f"#{first:>{block.width - 1}} {_joined(heads, widths)}"
    for row in block.rows:
        lead, *texts = (_NONE if value is None else f"{value:.6g}" for value in row)
        if isinstance(row[0], int):
            lead = str(row[0])
        yield f"{lead:>{block.width}} {_joined(texts, widths)}"


def _joined(texts: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(text.rjust(width) for text, width in zip(texts, widths, strict=True))
