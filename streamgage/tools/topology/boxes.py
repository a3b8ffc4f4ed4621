"""The machine as boxes in boxes, of characters.

What is alike is drawn once where all of it would not fit a screen: first the cores of a box, then
its caches, NUMA nodes, dies and packages. CPUs that the process may not use are in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from streamgage.analysis.machine.tree import Box, machine_tree
from streamgage.cpu_list import list_cpus
from streamgage.records import CoreKind, Machine
from streamgage.tools.topology.folding import (
    FOLDED_BY_STEP,
    alike,
    cores_title,
    cpu_text,
    cpus_of_cores,
    groups,
    is_wrapper,
    kind_titles,
)
from streamgage.tools.topology.frame import (
    FRAME,
    Block,
    Glyphs,
    flowed,
    framed,
    text_block,
    widened,
)
from streamgage.tools.topology.labels import box_label

SCREEN_LINES = 64
"""Lines of boxes beyond which what is alike is drawn once."""
_NARROWEST = 14
"""Columns below which there is no room for one more frame."""


@dataclass(frozen=True)
class _Drawing:
    glyphs: Glyphs
    allowed: frozenset[int]
    kinds: Sequence[CoreKind]
    folded: frozenset[str]
    core_columns: int = 0
    """Width of every core's frame."""


def box_lines(machine: Machine, width: int, glyphs: Glyphs, *, whole: bool = False) -> list[str]:
    """The lines of the picture, at most ``width`` wide; ``whole``: every core is drawn."""
    tree = machine_tree(machine)
    allowed = frozenset(list_cpus(machine.allowed_cpus))
    lines: list[str] = []
    for folded in FOLDED_BY_STEP[:1] if whole else FOLDED_BY_STEP:
        drawing = _Drawing(glyphs, allowed, machine.core_kinds, folded)
        if "core" not in folded:
            drawing = replace(drawing, core_columns=_core_columns(tree, width, drawing))
        lines = _contents(tree, width, drawing)
        if len(lines) <= SCREEN_LINES:
            break
    return [line.rstrip() for line in lines]


def _core_columns(box: Box, width: int, drawing: _Drawing) -> int:
    if box.kind == "core":
        return len(_block(box, width, drawing)[0])
    return max((_core_columns(child, width, drawing) for child in box.children), default=0)


def _contents(box: Box, width: int, drawing: _Drawing) -> Block:
    """What is inside a box, without its frame. Boxes of one kind stand in columns."""
    drawn = [
        (group[0].kind, _group(group, width, drawing))
        for group in groups(box.children, drawing.folded, drawing.allowed)
    ]
    columns: dict[str, int] = {}
    for kind, (first, *_) in drawn:
        columns[kind] = max(len(first[0]), columns.get(kind, 0))
    blocks: list[Block] = []
    for kind, (first, *others) in drawn:
        blocks += [widened(first, columns[kind], drawing.glyphs), *others]
    return flowed(blocks, width, drawing.glyphs)


def _group(group: Sequence[Box], width: int, drawing: _Drawing) -> list[Block]:
    """The blocks of boxes that are alike: the first, and a word on the others."""
    first = group[0]
    if len(group) == 1:
        return [_block(first, width, drawing)]
    if first.kind == "core":
        return [_cores(group, width, drawing)]
    return [_block(first, width, drawing), text_block(_breakable(alike(group[1:])), width)]


def _cores(group: Sequence[Box], width: int, drawing: _Drawing) -> Block:
    """Cores that are alike, in one frame."""
    titles = [cores_title(group), *kind_titles(group[0], drawing.kinds)]
    return _in_frame(titles, cpus_of_cores(group, drawing.allowed), width, drawing)


def _block(box: Box, width: int, drawing: _Drawing) -> Block:
    if box.kind == "core":
        cpus = cpu_text(box.cpus, drawing.allowed)
        block = _in_frame(
            [f"core {box.number}", *kind_titles(box, drawing.kinds)], cpus, width, drawing
        )
        return widened(block, min(width, drawing.core_columns), drawing.glyphs)
    titles = [box_label(box)]
    while is_wrapper(box):
        box = box.children[0]
        titles.append(box_label(box))
    inner = width - FRAME
    if inner < _NARROWEST:
        return text_block(
            f"{', '.join(titles)}: {_breakable(cpu_text(box.cpus, drawing.allowed))}", width
        )
    body = _contents(box, inner, drawing) if box.children else []
    return framed(titles, body, drawing.glyphs, width)


def _in_frame(titles: Sequence[str], text: str, width: int, drawing: _Drawing) -> Block:
    inner = width - FRAME
    if inner < _NARROWEST // 2:
        return text_block(f"{', '.join(titles)}: {_breakable(text)}", width)
    body = text_block(_breakable(text), inner)
    return framed(titles, body, drawing.glyphs, width)


def _breakable(text: str) -> str:
    """Lists may be broken after a comma."""
    return re.sub(r",(?=\S)", ", ", text)
