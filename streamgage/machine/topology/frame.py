"""Draws text in frames: blocks of lines of equal width, next to and inside each other."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

Block = list[str]
"""Lines of one width."""

_GAP = " "


@dataclass(frozen=True)
class Glyphs:
    """Characters that frames are made of, and what stands between the words of a title."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str
    separator: str


LINES = Glyphs("┌", "┐", "└", "┘", "─", "│", " · ")
PLAIN = Glyphs("+", "+", "+", "+", "-", "|", "; ")
FRAME = 4
"""The columns that a frame takes: its two sides, and a blank inside each."""


def text_block(text: str, width: int) -> Block:
    """``text`` in lines of at most ``width``."""
    lines = textwrap.wrap(text, max(1, width)) or [""]
    return _padded(lines, max(map(len, lines)))


def framed(titles: Sequence[str], body: Block, glyphs: Glyphs, width: int) -> Block:
    """``body`` in a frame that is at most ``width`` columns wide.

    The titles stand in the upper side, as many as fit; the others are the first lines of the body.
    """
    inner = max(width - FRAME, 1)
    above, rest = _fitting(titles, glyphs.separator, inner)
    extra = [line for title in rest for line in textwrap.wrap(title, inner)]
    columns = max([len(above) + bool(above), *map(len, extra), *map(len, body), 0])
    lines = _padded([*extra, *body], columns)
    head = f"{glyphs.across}{_spaced(above)}".ljust(columns + 2, glyphs.across)
    return [
        f"{glyphs.top_left}{head[: columns + 2]}{glyphs.top_right}",
        *(f"{glyphs.down} {line} {glyphs.down}" for line in lines),
        f"{glyphs.bottom_left}{glyphs.across * (columns + 2)}{glyphs.bottom_right}",
    ]


def widened(block: Block, columns: int, glyphs: Glyphs) -> Block:
    """Widen the block to ``columns`` or more; its frame stays closed."""
    more = columns - len(block[0])
    if more <= 0:
        return block
    if not is_framed(block, glyphs):
        return _padded(block, columns)
    inner = [f"{line[:-1]}{' ' * more}{glyphs.down}" for line in block[1:-1]]
    upper, lower = (
        f"{line[:-1]}{glyphs.across * more}{line[-1]}" for line in (block[0], block[-1])
    )
    return [upper, *inner, lower]


def is_framed(block: Block, glyphs: Glyphs) -> bool:
    """Return whether it has a frame of its own."""
    return len(block) > 1 and block[-1].startswith(glyphs.bottom_left)


def _spaced(title: str) -> str:
    return f" {title} " if title else ""


def _fitting(titles: Sequence[str], separator: str, width: int) -> tuple[str, list[str]]:
    """Split the titles into those that fit into the upper side of a frame, and the others."""
    above = ""
    for number, title in enumerate(titles):
        longer = f"{above}{separator}{title}" if above else title
        if len(longer) >= width:
            return above, list(titles[number:])
        above = longer
    return above, []


def flowed(blocks: Sequence[Block], width: int, glyphs: Glyphs) -> Block:
    """Put the blocks next to each other, in as many rows as ``width`` makes necessary."""
    rows = _rows(blocks, width)
    if len({len(block[0]) for block in blocks}) == 1:  # as many in the last row, where it can be
        each = math.ceil(len(blocks) / len(rows))
        rows = [blocks[first : first + each] for first in range(0, len(blocks), each)]
    lines = [line for row in rows for line in _row(row, glyphs)]
    return _padded(lines, max(map(len, lines), default=0))


def _rows(blocks: Sequence[Block], width: int) -> list[Sequence[Block]]:
    rows: list[list[Block]] = []
    used = 0
    for block in blocks:
        columns = len(block[0])
        if rows and used + len(_GAP) + columns <= width:
            rows[-1].append(block)
            used += len(_GAP) + columns
        else:
            rows.append([block])
            used = columns
    return [*rows]


def _row(blocks: Sequence[Block], glyphs: Glyphs) -> list[str]:
    height = max(map(len, blocks))
    stretched = [_stretched(block, height, glyphs) for block in blocks]
    return [_GAP.join(parts) for parts in zip(*stretched, strict=True)]


def _stretched(block: Block, height: int, glyphs: Glyphs) -> Block:
    """Add blank lines to the block; if it has a frame, before its lower side."""
    missing = height - len(block)
    columns = len(block[0])
    if is_framed(block, glyphs):
        blank = f"{glyphs.down}{' ' * (columns - 2)}{glyphs.down}"
        return [*block[:-1], *[blank] * missing, block[-1]]
    return [*block, *[" " * columns] * missing]


def _padded(lines: Sequence[str], columns: int) -> Block:
    return [line.ljust(columns) for line in lines]
