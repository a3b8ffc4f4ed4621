"""The plot: bandwidth over the working set, with the caches marked and the plateaus drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.results.ladder.document import Ladder, LadderCurve, LevelInUse
from streamgage.results.ladder.rows import clock_of, mode_of, uncertainty
from streamgage.show import picture as plots
from streamgage.units import format_bytes, format_rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 10.0
_ROW = 3.2


def draw(answer: Ladder, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return plots.picture_bytes(figure_of(answer), path)


def figure_of(answer: Ladder) -> Figure:
    """The figure: a panel a mode, in it a line for each kernel with its kind of stores."""
    modes = list(dict.fromkeys(each.mode for each in answer.curves))
    lines = len(plots.caption_lines(answer.machine, _told(answer), _WIDTH))
    figure = plots.new_figure(_WIDTH, 0.6 + _ROW * len(modes) + 0.16 * lines)
    panels = figure.subplots(len(modes), 1, squeeze=False)[:, 0]
    for axes, mode in zip(panels, modes, strict=True):
        curves = [each for each in answer.curves if each.mode == mode]
        _panel(axes, answer, curves, [each for each in answer.levels if each.mode == mode])
    if len({(each.kernel, each.store) for each in answer.curves}) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(
            handles,
            labels,
            loc="outside upper right",
            ncols=len(labels),
            frameon=False,
            fontsize=8.5,
        )
    plots.head(figure, "Bandwidth over the working set")
    plots.foot(figure, answer.machine, _told(answer))
    return figure


def _told(answer: Ladder) -> str:
    known = clock_of(answer)
    clock = f" Core clock {known}." if known else ""
    return (
        f"streamgage ladder ({answer.rounds} rounds, seed {answer.seed}). GB/s of nominal bytes,"
        f" medians; bars {uncertainty(answer)}. Dashed: what the caches in use claim to hold."
        f" Grey bars: plateaus.{clock}"
    )


def _panel(
    axes: Axes, answer: Ladder, curves: Sequence[LadderCurve], levels: Sequence[LevelInUse]
) -> None:
    first = curves[0]
    kinds = list(dict.fromkeys((each.kernel, each.store) for each in answer.curves))
    for curve in curves:
        _line(axes, curve, kinds.index((curve.kernel, curve.store)))
    named = f"{first.kernel} {first.store}: " if len(kinds) == 1 else ""
    own = " of each thread" if first.mode == "throughput" else ""
    plots.dress(
        axes,
        title=f"{named}{mode_of(first)}",
        x=f"working set{own}",
        y="GB/s of nominal bytes",
    )
    plots.size_axis(axes, [point.bytes for each in curves for point in each.points])
    figures = [point.gbps for each in curves for point in each.points]
    plots.value_axis(
        axes,
        [value for each in figures for value in (each.low, each.value, each.high) if value],
    )
    low, high = axes.get_xlim()
    for level in levels:
        if low <= level.bytes <= high:
            plots.mark(axes, f"{level.name} {format_bytes(level.bytes)}", level.bytes)


def _line(axes: Axes, curve: LadderCurve, number: int) -> None:
    look = plots.style(number)
    plots.line(
        axes,
        [each.bytes for each in curve.points],
        [each.gbps for each in curve.points],
        look,
        f"{curve.kernel} {curve.store}",
        thick=False,
    )
    for step in curve.steps:
        plots.plateau(
            axes,
            f"{step.level} {format_rate(step.gbps.value)}",
            (step.low_bytes, step.high_bytes),
            step.gbps.value,
            look.colour,
        )
