"""Places the boxes of the picture: nested rectangles, in inches from the upper left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgage.analysis.machine.tree import Box
from streamgage.machine.topology.labels import box_label, cache_label

TITLE = 0.19
"""Height of a line of a title."""
PADDING = 0.07
GAP = 0.07
CPU_WIDTH = 0.31
CPU_HEIGHT = 0.2
STRIP = 0.17
"""Height of a cache of one core."""
_LETTER = 0.062
"""Mean width of a letter of a title, rounded up because fonts differ."""
_SIDES = 1.5
"""The ratio of width to height that boxes should have."""
_INCOMPLETE_ROW = 0.6
_EMPTY_PLACES = 0.35
"""The penalty for empty places in the last row, compared with that for a wide or high box."""
_CPUS_A_ROW = 4
_CORES_WITH_CACHES = 32
_CORES_WITH_NAMES = 128


@dataclass(frozen=True)
class Size:
    """Width and height."""

    width: float
    height: float


@dataclass(frozen=True)
class Tile:
    """A rectangle to draw: a box, a cache of one core (``cache``), or a CPU (``cpu``)."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    titles: tuple[str, ...] = ()
    cpu: int | None = None
    is_cache: bool = False


@dataclass(frozen=True)
class _Plan:
    """A box whose size is known, and where its parts stand within it."""

    box: Box
    titles: tuple[str, ...]
    size: Size
    parts: tuple[tuple[float, float, _Plan], ...] = ()


def arrange(tree: Box) -> tuple[Size, list[Tile]]:
    """Return the size of the whole, and every rectangle, outer ones before inner ones."""
    cores = _count_cores(tree)
    plan = _plan(tree, cores)
    return plan.size, list(_tiles(plan, 0.0, 0.0, cores))


def names_cores(tree: Box) -> bool:
    """Return whether cores are drawn with their numbers: with very many there is no room."""
    return _count_cores(tree) <= _CORES_WITH_NAMES


def shows_private_caches(tree: Box) -> bool:
    """Return whether each core has its own caches drawn."""
    return _count_cores(tree) <= _CORES_WITH_CACHES


def _count_cores(box: Box) -> int:
    return (box.kind == "core") + sum(map(_count_cores, box.children))


def _plan(box: Box, cores: int) -> _Plan:
    if box.kind == "core":
        return _core(box, cores)
    titles = () if box.kind == "machine" else (box_label(box),)
    parts = [_plan(child, cores) for child in box.children]
    least = max((_LETTER * len(title) + 2 * PADDING for title in titles), default=0.0)
    if not parts:
        height = TITLE * len(titles) + PADDING
        return _Plan(box, titles, Size(least, height))
    top = TITLE * len(titles) + (0.0 if titles else PADDING) + 0.02
    grids = [_grid(parts, columns, top) for columns in range(1, len(parts) + 1)]
    size, places = min(grids, key=lambda grid: _cost(grid[0], len(grid[1]), grid[2]))[:2]
    placed = tuple((x, y, part) for (x, y), part in zip(places, parts, strict=True))
    return _Plan(box, titles, Size(max(size.width, least), size.height), placed)


def _core(box: Box, cores: int) -> _Plan:
    columns = min(len(box.cpus), _CPUS_A_ROW)
    rows = math.ceil(len(box.cpus) / _CPUS_A_ROW)
    width = columns * CPU_WIDTH + 2 * PADDING
    height = rows * CPU_HEIGHT + 2 * PADDING
    titles: tuple[str, ...] = ()
    if cores <= _CORES_WITH_NAMES:
        titles = (f"core {box.number}",)
        width = max(width, _LETTER * len(titles[0]) + 2 * PADDING)
        height += TITLE - PADDING / 2
    if cores <= _CORES_WITH_CACHES and box.caches:
        labels = [cache_label(cache) for cache in box.caches]
        width = max(width, _LETTER * max(map(len, labels)) + 2 * PADDING + 0.08)
        height += STRIP * len(labels) + PADDING / 2
    return _Plan(box, titles, Size(width, height))


def _grid(
    parts: Sequence[_Plan], columns: int, top: float
) -> tuple[Size, list[tuple[float, float]], int]:
    """The size of the parts in rows of ``columns``, their places, and how many places are empty."""
    rows = [parts[first : first + columns] for first in range(0, len(parts), columns)]
    widths = [
        max(row[column].size.width for row in rows if column < len(row))
        for column in range(columns)
    ]
    places: list[tuple[float, float]] = []
    y = top
    for row in rows:
        x = PADDING
        for column, _ in enumerate(row):
            places.append((x, y))
            x += widths[column] + GAP
        y += max(part.size.height for part in row) + GAP
    size = Size(2 * PADDING + sum(widths) + GAP * (columns - 1), y - GAP + PADDING)
    return size, places, columns * len(rows) - len(parts)


def _cost(size: Size, parts: int, empty: int) -> float:
    sides = abs(math.log(size.width / size.height / _SIDES))
    return sides + (_INCOMPLETE_ROW + _EMPTY_PLACES * empty / parts if empty else 0.0)


def _tiles(plan: _Plan, x: float, y: float, cores: int) -> Iterator[Tile]:
    yield Tile(plan.box, x, y, plan.size.width, plan.size.height, plan.titles)
    if plan.box.kind == "core":
        yield from _inside_core(plan, x, y, cores)
    for left, top, part in plan.parts:
        yield from _tiles(part, x + left, y + top, cores)


def _inside_core(plan: _Plan, x: float, y: float, cores: int) -> Iterator[Tile]:
    """Yield a core's own caches below its name, then its CPUs."""
    box = plan.box
    inner = plan.size.width - 2 * PADDING
    top = y + (TITLE + PADDING / 2 if plan.titles else PADDING)
    if cores <= _CORES_WITH_CACHES and box.caches:
        for cache in box.caches:
            label = (cache_label(cache),)
            yield Tile(box, x + PADDING, top, inner, STRIP - 0.03, label, is_cache=True)
            top += STRIP
        top += PADDING / 2
    columns = min(len(box.cpus), _CPUS_A_ROW)
    width = inner / columns
    for place, cpu in enumerate(box.cpus):
        row, column = divmod(place, _CPUS_A_ROW)
        left = x + PADDING + column * width
        yield Tile(
            box,
            left + 0.015,
            top + row * CPU_HEIGHT + 0.015,
            width - 0.03,
            CPU_HEIGHT - 0.03,
            cpu=cpu,
        )
