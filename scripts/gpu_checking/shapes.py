"""The shapes in which a kernel is launched, and the arguments of a launch."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from gpu_checking.driver import Argument, Grid
from gpu_checking.embedded import Entry
from gpu_checking.kernels import Kernel

USUAL_ITEMS = 256
STAGES = (2, 4, 8)
MOST_SHARED_BYTES = 48 << 10
"""Every GPU gives a group as much without being asked."""


@dataclass(frozen=True)
class Shape:
    """How the groups of a launch walk the arrays."""

    items: int = USUAL_ITEMS
    groups: int | None = None
    """``None``: one pass, in which each group has one tile."""
    stages: int = 0
    """Of a ring."""


def grid_of(entry: Entry, kernel: Kernel, shape: Shape, elements: int) -> Grid:
    """The grid of a launch: no group is without a tile."""
    tile = entry.lanes * shape.items * entry.loads
    tiles = max(-(-elements // tile), 1)
    groups = min(shape.groups or tiles, tiles)
    return Grid(groups, shape.items, shared_bytes(entry, kernel, shape))


def shared_bytes(entry: Entry, kernel: Kernel, shape: Shape) -> int:
    """What the work-items of a group share, as in device_shape.cpp."""
    if not entry.ring:
        return shape.items * entry.element_bytes if kernel.reduces else 0
    tile_bytes = shape.items * entry.loads * entry.lanes * entry.element_bytes
    return shape.stages * (len(kernel.reads) * tile_bytes + 8)


def arguments_of(
    entry: Entry,
    kernel: Kernel,
    shape: Shape,
    *,
    arrays: list[int],
    sums: int,
    scalar: float,
    elements: int,
    passes: int = 1,
) -> list[Argument]:
    """The parameters of stream.h in their order."""
    scalar_type = ctypes.c_double if entry.element_type == "double" else ctypes.c_float
    arguments: list[Argument] = [ctypes.c_uint64(address) for address in arrays]
    arguments += [
        scalar_type(scalar),
        ctypes.c_uint64(0),
        ctypes.c_uint64(elements // entry.lanes),
        ctypes.c_uint(passes),
    ]
    if entry.ring:
        arguments.append(ctypes.c_uint(shape.stages))
    if kernel.reduces:
        arguments.append(ctypes.c_uint64(sums))
    return arguments


def shapes_to_prove(entry: Entry, kernel: Kernel, units: int) -> Iterator[Shape]:
    """Few and many groups, small and usual ones, all numbers of stages."""
    for items in (USUAL_ITEMS, 64):
        for groups in (None, 4 * units + 1, 7):
            yield from _with_stages(entry, kernel, Shape(items, groups))


def shapes_to_race(entry: Entry, kernel: Kernel, units: int) -> Iterator[Shape]:
    """Grids and groups beyond those that the tuner of the engine races."""
    for groups_of_unit in (None, 1, 2, 3, 4, 8, 16, 32):
        groups = None if groups_of_unit is None else groups_of_unit * units
        for items in (USUAL_ITEMS, 128, 64) if groups else (USUAL_ITEMS,):
            yield from _with_stages(entry, kernel, Shape(items, groups))


def _with_stages(entry: Entry, kernel: Kernel, shape: Shape) -> Iterator[Shape]:
    """The shape for a kernel without a ring, or with each number of stages that fits."""
    if not entry.ring:
        yield shape
        return
    if shape.groups is None:  # a ring gains nothing where a group has one tile
        return
    for stages in STAGES:
        staged = Shape(shape.items, shape.groups, stages)
        if shared_bytes(entry, kernel, staged) <= MOST_SHARED_BYTES:
            yield staged
