"""The machine as a figure of matplotlib: coloured boxes in boxes, a legend, and a caption."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.analysis.machine.tree import Box, machine_tree, private_caches
from streamgage.cpu_list import list_cpus
from streamgage.machine.topology.arrangement import (
    PADDING,
    Tile,
    arrange,
    names_cores,
    shows_private_caches,
)
from streamgage.machine.topology.labels import cache_label, kind_label
from streamgage.machine.topology.summary import caption
from streamgage.records import Machine
from streamgage.show.picture import drawn_for, picture_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOTS_PER_INCH = 144
_MARGIN = 0.2
_NARROWEST = 5.2
"""Inches that the legend and the caption need."""
_LEGEND_ROW = 0.26
_CAPTION_LINE = 0.19
_INCHES_A_LETTER = 0.07
_INK = "#1f2933"
_FAINT = "#9aa5b1"
_FILLS = {
    "package": "#f4efe6",
    "die": "#eae3d3",
    "node": "#dcecdc",
    "cache": "#d5e3f3",
    "core": "#ffffff",
}
_EDGES = {
    "package": "#b8a98a",
    "die": "#a8966f",
    "node": "#7fae83",
    "cache": "#7f9fc6",
    "core": "#b9c2cc",
}
_NAMES = {"package": "package", "die": "die", "node": "NUMA node", "cache": "cache", "core": "core"}
_CPU_FILLS = ("#f6c86b", "#8ecbc3", "#c9b3e0", "#f0a8a0")
"""Colours of CPUs; a hybrid processor has one per kind of core, the fastest first."""
_BARRED = "#eceff2"


@dataclass(frozen=True)
class _Key:
    """One entry of the legend."""

    label: str
    fill: str
    edge: str
    dashed: bool = False


@dataclass(frozen=True)
class _Palette:
    """Colours of CPUs."""

    allowed: frozenset[int]
    by_kind: dict[int | None, str]


def draw(machine: Machine, file: Path) -> bytes:
    """The picture, as the content of ``file``, by its suffix."""
    with drawn_for(file):
        return picture_bytes(_figure_of(machine), file)


def _figure_of(machine: Machine) -> Figure:
    """Draw the figure, as large as the machine needs."""
    from matplotlib.figure import Figure

    tree = machine_tree(machine)
    size, tiles = arrange(tree)
    palette = _palette(machine)
    keys = _keys(machine, tiles, palette)
    width = max(size.width, _NARROWEST) + 2 * _MARGIN
    rows = _legend_rows(keys, width - 2 * _MARGIN)
    notes = _notes(machine, tree, width - 2 * _MARGIN)
    below = _LEGEND_ROW * len(rows) + _CAPTION_LINE * len(notes) + 0.12
    height = size.height + below + 2 * _MARGIN
    figure = Figure(figsize=(width, height), facecolor="white", dpi=_DOTS_PER_INCH)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for tile in tiles:
        _draw(axes, tile, _MARGIN, _MARGIN, palette)
    top = _MARGIN + size.height + 0.12
    _legend(axes, rows, top)
    for number, line in enumerate(notes):
        y = top + _LEGEND_ROW * len(rows) + _CAPTION_LINE * (number + 0.5)
        axes.text(_MARGIN + PADDING, y, line, fontsize=8, color=_INK, va="center")
    return figure


def _palette(machine: Machine) -> _Palette:
    fastest_first = sorted(
        range(len(machine.core_kinds)), key=lambda n: -(machine.core_kinds[n].efficiency or 0)
    )
    by_kind: dict[int | None, str] = {None: _CPU_FILLS[0]}
    for place, kind in enumerate(fastest_first):
        by_kind[kind] = _CPU_FILLS[place % len(_CPU_FILLS)]
    return _Palette(frozenset(list_cpus(machine.allowed_cpus)), by_kind)


def _draw(axes: Axes, tile: Tile, left: float, top: float, palette: _Palette) -> None:
    if tile.cpu is not None:
        _draw_cpu(axes, tile, left, top, palette)
    elif tile.is_cache:
        _rectangle(axes, tile, left, top, fill=_FILLS["cache"], edge=_EDGES["cache"], line=0.5)
        _title(axes, tile, left, top, size=6.0, middle=True)
    elif tile.box.kind != "machine":
        kind = tile.box.kind
        line = 0.7 if kind == "core" else 1.0
        _rectangle(axes, tile, left, top, fill=_FILLS[kind], edge=_EDGES[kind], line=line)
        _title(axes, tile, left, top, size=6.5 if kind == "core" else 7.5)


def _draw_cpu(axes: Axes, tile: Tile, left: float, top: float, palette: _Palette) -> None:
    may_use = tile.cpu in palette.allowed
    fill = palette.by_kind[tile.box.core_kind] if may_use else _BARRED
    edge = _INK if may_use else _FAINT
    _rectangle(axes, tile, left, top, fill=fill, edge=edge, line=0.5, dashed=not may_use)
    axes.text(
        left + tile.x + tile.width / 2,
        top + tile.y + tile.height / 2,
        str(tile.cpu),
        fontsize=7,
        color=_INK if may_use else _FAINT,
        ha="center",
        va="center_baseline",
    )


def _rectangle(
    axes: Axes,
    tile: Tile,
    left: float,
    top: float,
    *,
    fill: str,
    edge: str,
    line: float,
    dashed: bool = False,
) -> None:
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(
        FancyBboxPatch(
            (left + tile.x, top + tile.y),
            tile.width,
            tile.height,
            boxstyle="round,pad=0,rounding_size=0.035",
            facecolor=fill,
            edgecolor=edge,
            linewidth=line,
            linestyle="--" if dashed else "-",
        )
    )


def _title(
    axes: Axes, tile: Tile, left: float, top: float, *, size: float, middle: bool = False
) -> None:
    for title in tile.titles:
        x = tile.width / 2 if middle else PADDING
        y = tile.height / 2 if middle else 0.11
        axes.text(
            left + tile.x + x,
            top + tile.y + y,
            title,
            fontsize=size,
            color=_INK,
            ha="center" if middle else "left",
            va="center_baseline" if middle else "center",
        )


def _keys(machine: Machine, tiles: Sequence[Tile], palette: _Palette) -> list[_Key]:
    """Return the entries of the legend for what the picture shows, from the outside in."""
    there = {tile.box.kind for tile in tiles}
    if any(tile.is_cache for tile in tiles):
        there.add("cache")
    keys = [_Key(_NAMES[kind], _FILLS[kind], _EDGES[kind]) for kind in _NAMES if kind in there]
    used = {tile.box.core_kind for tile in tiles if tile.cpu in palette.allowed}
    for kind, fill in palette.by_kind.items():
        if kind in used:
            name = "CPU" if kind is None else f"CPU ({kind_label(machine.core_kinds, kind)})"
            keys.append(_Key(name, fill, _INK))
    if any(tile.cpu is not None and tile.cpu not in palette.allowed for tile in tiles):
        who = "not allowed" if machine.described_by else "not for this process"
        keys.append(_Key(f"CPU {who}", _BARRED, _FAINT, dashed=True))
    return keys


def _legend_rows(keys: Sequence[_Key], width: float) -> list[list[_Key]]:
    rows: list[list[_Key]] = [[]]
    used = 0.0
    for key in keys:
        needed = _key_width(key)
        if rows[-1] and used + needed > width:
            rows.append([])
            used = 0.0
        rows[-1].append(key)
        used += needed
    return rows


def _key_width(key: _Key) -> float:
    return 0.45 + _INCHES_A_LETTER * len(key.label)


def _legend(axes: Axes, rows: Sequence[Sequence[_Key]], top: float) -> None:
    for number, row in enumerate(rows):
        x = _MARGIN + PADDING
        y = top + _LEGEND_ROW * number
        for key in row:
            patch = Tile(Box("machine", None, ()), x, y + 0.04, 0.22, 0.15)
            _rectangle(axes, patch, 0, 0, fill=key.fill, edge=key.edge, line=0.8, dashed=key.dashed)
            axes.text(x + 0.29, y + 0.12, key.label, fontsize=8, color=_INK, va="center")
            x += _key_width(key)


def _notes(machine: Machine, tree: Box, width: float) -> list[str]:
    """The caption, and a sentence about parts that were not drawn for lack of room."""
    texts = [caption(machine)]
    caches = [cache_label(cache) for cache in private_caches(tree)]
    hidden = [] if shows_private_caches(tree) or not caches else [f"caches ({', '.join(caches)})"]
    if not names_cores(tree):
        hidden.append("number")
    if hidden:
        texts.append(f"Not drawn: each core's own {' and '.join(hidden)}.")
    letters = max(20, int(width / _INCHES_A_LETTER))
    return [line for text in texts for line in textwrap.wrap(text, letters)]
