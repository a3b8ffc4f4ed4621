"""The heat map: a panel a kernel and one of the latencies, with the figures in the cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.results.numa.blocks import columns, foot
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.numa.words import Cells, by_place
from streamgage.show import picture as plots
from streamgage.show.picture import GREY, TEXT, new_figure, picture_bytes
from streamgage.units import format_nanoseconds, format_rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = "Blues"
"""One hue from light to dark: in grey it is the same."""
_LIGHTEST, _DARKEST = 0.06, 0.78
_CELL = 0.62
_LARGEST_CELL = 1.1
_SMALLEST_PANEL = 1.5
_FRAME = 1.05
_LABELS, _LINES = 0.45, 0.8
"""Inches that a panel's labels take beside it, and above and below it."""
_MOST_IN_A_ROW = 3


@dataclass(frozen=True)
class _Panel:
    """One matrix: what it is of, its figures, and whether more is worse."""

    title: str
    unit: str
    cells: Cells
    is_latency: bool

    def text(self, median: float) -> str:
        return format_nanoseconds(median) if self.is_latency else format_rate(median)


def draw(matrix: NumaMatrix, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return picture_bytes(figure_of(matrix), path)


def figure_of(matrix: NumaMatrix) -> Figure:
    """The figure; its size is what the number of nodes needs."""
    panels = [_Panel(k.kernel, "GB/s", by_place(k.cells), False) for k in matrix.kernels]
    if matrix.latency:
        panels.append(_Panel("idle latency", "ns", by_place(matrix.latency), True))
    across = min(max(1, len(panels)), _MOST_IN_A_ROW)
    down = max(1, math.ceil(len(panels) / across))
    most = max(len(matrix.memory_nodes), len(matrix.cpu_nodes))
    cell = min(_LARGEST_CELL, max(_CELL, _SMALLEST_PANEL / most))
    width = max(_SMALLEST_PANEL, cell * len(matrix.memory_nodes)) + _FRAME
    # Cells are square, as wide as their panel lets them be.
    height = (width - _LABELS) * len(matrix.cpu_nodes) / len(matrix.memory_nodes) + _LINES
    whole = max(6.8, across * width)
    lines = len(plots.caption_lines(matrix.machine, _told(matrix), whole))
    figure = new_figure(whole, 0.55 + down * height + 0.16 * lines)
    axes = list(figure.subplots(down, across, squeeze=False).flat)
    for each, panel in zip(axes, panels, strict=False):
        _draw(each, panel, matrix)
    for each in axes[len(panels) :]:
        each.set_axis_off()
    plots.head(figure, _title(matrix))
    plots.foot(figure, matrix.machine, _told(matrix))
    return figure


def _title(matrix: NumaMatrix) -> str:
    if len(matrix.cpu_nodes) == len(matrix.memory_nodes) == 1:
        return "Bandwidth and latency of the only NUMA node"
    return "Bandwidth and latency: CPUs of each NUMA node, memory of each"


def _told(matrix: NumaMatrix) -> str:
    outlined = " Outlined: a node's own memory. Darker: the greater figure."
    return f"streamgage numa (seed {matrix.seed}). {foot(matrix)}{outlined}"


def _draw(axes: Axes, panel: _Panel, matrix: NumaMatrix) -> None:
    shades = _shades(panel)
    for y, row in enumerate(matrix.cpu_nodes):
        for x, column in enumerate(matrix.memory_nodes):
            cell = panel.cells.get((row.node, column.node))
            shade = None if cell is None else shades[row.node, column.node]
            _fill(axes, x, y, shade)
            text = "–" if cell is None else panel.text(cell.median)
            colour = "white" if shade is not None and shade > 0.5 else TEXT
            axes.text(x, y, text, ha="center", va="center", fontsize=8.5, color=colour)
    for y, row in enumerate(matrix.cpu_nodes):
        for x, column in enumerate(matrix.memory_nodes):
            if row.node == column.node:
                _outline(axes, x, y)
    axes.set_xlim(-0.5, len(matrix.memory_nodes) - 0.5)
    axes.set_ylim(len(matrix.cpu_nodes) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_title(f"{panel.title}, {panel.unit}", fontsize=10, fontweight="bold")
    axes.set_xticks(range(len(matrix.memory_nodes)), columns(matrix), fontsize=8.5)
    axes.set_yticks(
        range(len(matrix.cpu_nodes)), [str(each.node) for each in matrix.cpu_nodes], fontsize=8.5
    )
    axes.set_xlabel("memory of node", fontsize=8.5, color=GREY)
    axes.set_ylabel("CPUs of node", fontsize=8.5, color=GREY)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _shades(panel: _Panel) -> dict[tuple[int, int], float]:
    """From light to dark as figures grow; all light where they are the same."""
    medians = {place: cell.median for place, cell in panel.cells.items()}
    if not medians:
        return {}
    least, most = min(medians.values()), max(medians.values())
    span = most - least
    step = _DARKEST - _LIGHTEST
    return {
        place: _LIGHTEST + (step * (median - least) / span if span else 0.25 * step)
        for place, median in medians.items()
    }


def _fill(axes: Axes, x: int, y: int, shade: float | None) -> None:
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    colour = "#f4f4f4" if shade is None else colormaps[_COLOURS](shade)
    hatch = "////" if shade is None else None
    axes.add_patch(
        Rectangle(
            (x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white", linewidth=1, hatch=hatch
        )
    )


def _outline(axes: Axes, x: int, y: int) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (x - 0.47, y - 0.47), 0.94, 0.94, fill=False, edgecolor=TEXT, linewidth=1.6, zorder=3
        )
    )
