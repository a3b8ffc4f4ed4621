"""The strip plot: every run a dot, each kernel a panel, each placement a column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.results.repeat.document import RepeatedKernel, Repetition
from streamgage.show import picture as plots
from streamgage.show.picture import new_figure, picture_bytes
from streamgage.units import count, format_rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDEST = 0.24
_LINE = 0.27
_MOST_IN_A_ROW = 4


def draw(answer: Repetition, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    kernels = list(dict.fromkeys(each.kernel for each in answer.kernels))
    across = min(max(len(kernels), 1), _MOST_IN_A_ROW)
    down = max(1, -(-len(kernels) // across))
    placements = len(answer.placements)
    figure = new_figure(max(6.5, across * (1.1 + 0.75 * placements)), 1.5 + 3.4 * down)
    panels = figure.subplots(down, across, squeeze=False, sharey=True).flat
    for panel, kernel in zip(panels, kernels, strict=False):
        _panel(panel, [each for each in answer.kernels if each.kernel == kernel], answer)
    for panel in list(panels)[len(kernels) :]:
        panel.set_axis_off()
    figure.supylabel("GB/s of nominal bytes", fontsize=9, color=plots.GREY)
    plots.head(figure, _title(answer))
    plots.foot(figure, answer.machine, _caption(answer))
    return picture_bytes(figure, path)


def _title(answer: Repetition) -> str:
    runs = count(len([each for each in answer.runs if each.failure is None]), "fresh run")
    return f"Bandwidth of {runs}, each a dot; the line is the median"


def _caption(answer: Repetition) -> str:
    return (
        f"streamgage repeat: {count(answer.rounds, 'round')}, placements in mixed order"
        f" (seed {answer.seed}); the axes do not begin at 0"
    )


def _panel(panel: Axes, kernels: list[RepeatedKernel], answer: Repetition) -> None:
    for each in kernels:
        at = answer.placements.index(each.placement)
        rates = [rate.gbps for rate in each.rates]
        colour = plots.style(at).colour
        panel.scatter(
            [at + offset for offset in swarm(rates)],
            rates,
            s=22,
            color=colour,
            alpha=0.75,
            linewidths=0.4,
            edgecolors="white",
            zorder=3,
        )
        middle = each.spread.median_gbps if each.spread else rates[0]
        panel.hlines(middle, at - _LINE, at + _LINE, color=colour, linewidth=1.8, zorder=2)
        panel.annotate(
            format_rate(middle),
            (at + _LINE + 0.03, middle),
            fontsize=7.5,
            color=colour,
            va="center",
            annotation_clip=False,
        )
    plots.dress(panel, title=kernels[0].kernel)
    panel.set_xticks(range(len(answer.placements)), answer.placements, fontsize=9)
    panel.set_xlim(-0.6, len(answer.placements) - 0.3)
    panel.margins(y=0.12)


def swarm(rates: list[float]) -> list[float]:
    """Sideways places of dots, so that those of like rates lie beside each other."""
    if not rates:
        return []
    bins = 24
    least, height = min(rates), (max(rates) - min(rates)) / bins
    crowds: dict[int, list[int]] = {}
    for number, rate in sorted(enumerate(rates), key=lambda each: each[1]):
        key = 0 if height == 0 else min(bins - 1, int((rate - least) / height))
        crowds.setdefault(key, []).append(number)
    places = [0.0] * len(rates)
    for crowd in crowds.values():
        step = min(0.07, 2 * _WIDEST / max(1, len(crowd) - 1))
        for rank, number in enumerate(crowd):
            places[number] = (rank - (len(crowd) - 1) / 2) * step
    return places
