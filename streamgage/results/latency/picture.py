"""The plot: idle latency over the working set, and latency over bandwidth for each mix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.results.latency.document import Latencies
from streamgage.results.latency.rows import uncertainty
from streamgage.results.latency.words import MIXES
from streamgage.show import picture as plots
from streamgage.units import format_bytes, format_nanoseconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 10.0
_ROW = 3.4


def draw(answer: Latencies, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return plots.picture_bytes(figure_of(answer), path)


def figure_of(answer: Latencies) -> Figure:
    """The figure: a panel for idle latency, and one for the load where there was one."""
    parts = [
        *([_idle] if answer.idle else []),
        *([_loaded] if answer.loaded else []),
    ]
    lines = len(plots.caption_lines(answer.machine, _told(answer), _WIDTH))
    figure = plots.new_figure(_WIDTH, 0.6 + _ROW * len(parts) + 0.16 * lines)
    panels = figure.subplots(len(parts), 1, squeeze=False)[:, 0]
    for axes, part in zip(panels, parts, strict=True):
        part(axes, answer)
    plots.head(figure, "Latency: a load that depends on the one before")
    plots.foot(figure, answer.machine, _told(answer))
    return figure


def _told(answer: Latencies) -> str:
    walked = "" if answer.cpu is None else f" Walked on CPU {answer.cpu}"
    loaded = "" if answer.cpus is None else f", loaded from CPUs {answer.cpus}"
    return (
        f"streamgage latency ({answer.rounds} rounds, seed {answer.seed}). Medians; bars"
        f" {uncertainty(answer)}. Dashed: what the caches claim to hold; dotted: twice the unloaded"
        f" latency.{walked}{loaded}."
    )


def _idle(axes: Axes, answer: Latencies) -> None:
    look = plots.style(0)
    plots.line(
        axes,
        [each.bytes for each in answer.idle],
        [each.seconds for each in answer.idle],
        look,
        "idle",
        scale=1e9,
        thick=False,
    )
    for step in answer.steps:
        plots.plateau(
            axes,
            f"{step.level} {format_nanoseconds(step.seconds.value)} ns",
            (step.low_bytes, step.high_bytes),
            1e9 * step.seconds.value,
            look.colour,
        )
    plots.dress(axes, title="idle", x="working set", y="ns a load", grid="both")
    plots.size_axis(axes, [each.bytes for each in answer.idle])
    low, high = axes.get_xlim()
    for step in answer.steps:
        if step.claimed_bytes is not None and low <= step.claimed_bytes <= high:
            plots.mark(axes, f"{step.level} {format_bytes(step.claimed_bytes)}", step.claimed_bytes)
    figures = [each.seconds for each in answer.idle]
    plots.value_axis(
        axes,
        [1e9 * value for each in figures for value in (each.low, each.value, each.high) if value],
    )


def _loaded(axes: Axes, answer: Latencies) -> None:
    for number, curve in enumerate(answer.loaded):
        look = plots.style(number)
        rates = [each.gbps.value for each in curve.points]
        plots.line(
            axes,
            rates,
            [each.seconds for each in curve.points],
            look,
            MIXES[curve.mix],
            scale=1e9,
            thick=False,
        )
        if curve.unloaded_seconds is not None and curve.onset_gbps is not None:
            axes.scatter(
                [curve.onset_gbps],
                [2e9 * curve.unloaded_seconds],
                s=90,
                facecolors="none",
                edgecolors=look.colour,
                linewidths=1.3,
                zorder=4,
            )
    unloaded = [each.unloaded_seconds for each in answer.loaded if each.unloaded_seconds]
    if unloaded:
        axes.axhline(
            2e9 * sorted(unloaded)[len(unloaded) // 2],
            color=plots.LIMIT,
            linewidth=0.9,
            linestyle=":",
        )
    plots.dress(
        axes,
        title="under load",
        x="GB/s across the memory bus, by the loading threads",
        y="ns a load",
    )
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.legend(frameon=False, fontsize=8.5, loc="best")
