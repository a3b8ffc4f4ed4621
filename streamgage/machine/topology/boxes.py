"""Draws a machine as boxes of characters.

If not all boxes fit on a screen, equal ones are drawn once: first the cores of a box, then its
caches, NUMA nodes, dies and packages. CPUs that the process may not use are in parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.machine.topology.frame import (
    FRAME,
    Block,
    Glyphs,
    flowed,
    framed,
    text_block,
    widened,
)
from streamgage.machine.topology.nest import Nest, nests
from streamgage.records import Machine

SCREEN_LINES = 64
"""The most lines of boxes; a longer picture draws equal boxes once."""
_NARROWEST = 14
"""The least columns into which one more frame fits."""


def box_lines(machine: Machine, width: int, glyphs: Glyphs, *, whole: bool = False) -> list[str]:
    """The lines of the picture, at most ``width`` wide; ``whole``: every core is drawn."""
    lines: list[str] = []
    for step, nest in enumerate(nests(machine)):
        # Every core has a frame of the same width, as long as each is drawn.
        columns = 0 if step else _core_columns(nest, width, glyphs)
        lines = _contents(nest.inside, width, glyphs, columns)
        if whole or len(lines) <= SCREEN_LINES:
            break
    return [line.rstrip() for line in lines]


def _core_columns(nest: Nest, width: int, glyphs: Glyphs) -> int:
    if nest.kind == "core":
        return len(_in_frame(nest, width, glyphs)[0])
    return max((_core_columns(each, width, glyphs) for each in nest.inside), default=0)


def _contents(inside: Sequence[Nest], width: int, glyphs: Glyphs, core_columns: int) -> Block:
    """The content of a box without its frame. Boxes of one kind stand in columns."""
    drawn = [(each, _block(each, width, glyphs, core_columns)) for each in inside]
    columns: dict[str, int] = {}
    for each, block in drawn:
        columns[each.kind] = max(len(block[0]), columns.get(each.kind, 0))
    blocks: list[Block] = []
    for each, block in drawn:
        blocks.append(widened(block, columns[each.kind], glyphs))
        if each.folded:
            blocks.append(text_block(each.folded, width))
    return flowed(blocks, width, glyphs)


def _block(nest: Nest, width: int, glyphs: Glyphs, core_columns: int) -> Block:
    if nest.kind == "core":
        return widened(_in_frame(nest, width, glyphs), min(width, core_columns), glyphs)
    inner = width - FRAME
    if inner < _NARROWEST:
        return text_block(f"{', '.join(nest.titles)}: {nest.cpus}", width)
    body = _contents(nest.inside, inner, glyphs, core_columns) if nest.inside else []
    return framed(nest.titles, body, glyphs, width)


def _in_frame(core: Nest, width: int, glyphs: Glyphs) -> Block:
    inner = width - FRAME
    if inner < _NARROWEST // 2:
        return text_block(f"{', '.join(core.titles)}: {core.cpus}", width)
    return framed(core.titles, text_block(core.cpus, inner), glyphs, width)
