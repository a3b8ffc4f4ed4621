"""The machine as boxes in boxes, of characters.

What is alike is drawn once where all of it would not fit a screen: first the cores of a box, then
its caches, NUMA nodes, dies and packages. CPUs that the process may not use are in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from streamgage.analysis.machine.tree import Box, machine_tree
from streamgage.cpu_list import format_cpu_list, list_cpus
from streamgage.present.topology.frame import (
    FRAME,
    Block,
    Glyphs,
    flowed,
    framed,
    text_block,
    widened,
)
from streamgage.present.topology.labels import box_label, kind_label
from streamgage.records import CoreKind, Machine
from streamgage.units import GIB

SCREEN_LINES = 64
"""Lines of boxes beyond which what is alike is drawn once."""
_NARROWEST = 14
"""Columns below which there is no room for one more frame."""
_FOLDED_BY_STEP: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({"core"}),
    frozenset({"core", "cache"}),
    frozenset({"core", "cache", "node"}),
    frozenset({"core", "cache", "node", "die", "package"}),
)
_SINGLE_CPUS = 4
"""As many are named one by one; more are ranges."""


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
    for folded in _FOLDED_BY_STEP[:1] if whole else _FOLDED_BY_STEP:
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
        (group[0].kind, _group(group, width, drawing)) for group in _groups(box.children, drawing)
    ]
    columns: dict[str, int] = {}
    for kind, (first, *_) in drawn:
        columns[kind] = max(len(first[0]), columns.get(kind, 0))
    blocks: list[Block] = []
    for kind, (first, *others) in drawn:
        blocks += [widened(first, columns[kind], drawing.glyphs), *others]
    return flowed(blocks, width, drawing.glyphs)


def _groups(children: Sequence[Box], drawing: _Drawing) -> list[list[Box]]:
    """Neighbours that are drawn once, as they are alike."""
    groups: list[list[Box]] = []
    for child in children:
        alike = groups and _shape(child, drawing) == _shape(groups[-1][0], drawing)
        if alike and child.kind in drawing.folded:
            groups[-1].append(child)
        else:
            groups.append([child])
    return groups


def _shape(box: Box, drawing: _Drawing) -> tuple[object, ...]:
    """What boxes that are drawn as one have in common; nodes may differ by reserved pages."""
    size = round(box.bytes / GIB) if box.kind == "node" and box.bytes is not None else box.bytes
    barred = tuple(cpu in drawing.allowed for cpu in box.cpus)
    inside = tuple(_shape(child, drawing) for child in box.children)
    return (box.kind, box.level, size, box.core_kind, box.caches, barred, inside)


def _group(group: Sequence[Box], width: int, drawing: _Drawing) -> list[Block]:
    """The blocks of boxes that are alike: the first, and a word on the others."""
    first = group[0]
    if len(group) == 1:
        return [_block(first, width, drawing)]
    if first.kind == "core":
        return [_cores(group, width, drawing)]
    cpus = format_cpu_list(cpu for box in group[1:] for cpu in box.cpus)
    text = f"+ {len(group) - 1} alike: {_names(group[1:])}CPUs {cpus}"
    return [_block(first, width, drawing), text_block(_breakable(text), width)]


def _names(boxes: Sequence[Box]) -> str:
    """Of caches nothing: their numbers say nobody anything."""
    if boxes[0].kind == "cache":
        return ""
    what = {"node": "NUMA node"}.get(boxes[0].kind, boxes[0].kind)
    numbers = format_cpu_list(box.number for box in boxes if box.number is not None)
    return f"{what}{'' if len(boxes) == 1 else 's'} {numbers}, "


def _cores(group: Sequence[Box], width: int, drawing: _Drawing) -> Block:
    """Cores that are alike: numbers and CPUs, by rank where those of a rank are a run."""
    numbers = format_cpu_list(box.number for box in group if box.number is not None)
    ranks = list(zip(*(box.cpus for box in group), strict=True))
    if len(ranks) > 1 and not all(_is_run(rank) for rank in ranks):
        cpus = [cpu for box in group for cpu in box.cpus]
        body = f"{_ranges(cpus, drawing)}, {len(ranks)} a core"
    else:
        body = " ".join(_ranges(rank, drawing) for rank in ranks)
    titles = [f"cores {numbers}", *_kind(group[0], drawing)]
    return _in_frame(titles, body, width, drawing)


def _block(box: Box, width: int, drawing: _Drawing) -> Block:
    if box.kind == "core":
        cpus = _cpu_text(box.cpus, drawing)
        block = _in_frame([f"core {box.number}", *_kind(box, drawing)], cpus, width, drawing)
        return widened(block, min(width, drawing.core_columns), drawing.glyphs)
    titles = [box_label(box)]
    while _is_wrapper(box):
        box = box.children[0]
        titles.append(box_label(box))
    inner = width - FRAME
    if inner < _NARROWEST:
        return text_block(f"{', '.join(titles)}: {_breakable(_cpu_text(box.cpus, drawing))}", width)
    body = _contents(box, inner, drawing) if box.children else []
    return framed(titles, body, drawing.glyphs, width)


def _is_wrapper(box: Box) -> bool:
    """Whether all of it is one other part, so that one frame does for both."""
    return len(box.children) == 1 and box.children[0].kind != "core"


def _in_frame(titles: Sequence[str], text: str, width: int, drawing: _Drawing) -> Block:
    inner = width - FRAME
    if inner < _NARROWEST // 2:
        return text_block(f"{', '.join(titles)}: {_breakable(text)}", width)
    body = text_block(_breakable(text), inner)
    return framed(titles, body, drawing.glyphs, width)


def _kind(box: Box, drawing: _Drawing) -> list[str]:
    return [] if box.core_kind is None else [kind_label(drawing.kinds, box.core_kind)]


def _cpu_text(cpus: Sequence[int], drawing: _Drawing) -> str:
    """``0 48``, ``0 (48)``, ``0-7``: those that the process may not use in parentheses."""
    if len(cpus) > _SINGLE_CPUS:
        return _ranges(cpus, drawing)
    return " ".join(str(cpu) if cpu in drawing.allowed else f"({cpu})" for cpu in cpus)


def _ranges(cpus: Sequence[int], drawing: _Drawing) -> str:
    usable = [cpu for cpu in cpus if cpu in drawing.allowed]
    barred = [cpu for cpu in cpus if cpu not in drawing.allowed]
    parts = [format_cpu_list(usable)] if usable else []
    return " ".join([*parts, f"({format_cpu_list(barred)})"] if barred else parts)


def _is_run(cpus: Sequence[int]) -> bool:
    return list(cpus) == list(range(cpus[0], cpus[0] + len(cpus)))


def _breakable(text: str) -> str:
    """Lists may be broken after a comma."""
    return re.sub(r",(?=\S)", ", ", text)
