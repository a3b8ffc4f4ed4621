"""The plot: speedup and efficiency of STREAM and of the phases, and the time of each phase."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.study.document import Phase, Study
from streamgage.results.study.rows import phase_name, solver_line, uncertainty
from streamgage.show import picture as plots
from streamgage.units import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 10.0, 7.4
_MOST_PHASES = len(plots.STYLES) - 1
_LONGEST_COMMAND = 90

Line = tuple[str, list[tuple[int, Bounded]]]
"""Its name, and its points."""


def draw(answer: Study, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return plots.picture_bytes(figure_of(answer), path)


def figure_of(answer: Study) -> Figure:
    """The figure: bandwidth, speedup, efficiency and seconds over the workers."""
    figure = plots.new_figure(_WIDTH, _HEIGHT)
    panels = figure.subplots(2, 2)
    phases = _phases_to_draw(answer)
    speedups: list[Line] = [
        ("STREAM", [(e.n, e.speedup) for e in answer.stream if e.speedup]),
        *((phase_name(p), [(e.n, e.speedup) for e in p.points if e.speedup]) for p in phases),
    ]
    efficiencies: list[Line] = [
        ("STREAM", [(e.n, e.efficiency) for e in answer.stream if e.efficiency]),
        *((phase_name(p), [(e.n, e.efficiency) for e in p.points if e.efficiency]) for p in phases),
    ]
    rates: list[Line] = [("STREAM", [(e.n, e.gbps) for e in answer.stream])]
    times: list[Line] = [
        ("", []),
        *((phase_name(p), [(e.n, e.seconds) for e in p.points]) for p in phases),
    ]
    x = answer.workers
    _panel(panels[0][0], answer.counts, speedups, f"speedup over one of the {x}", "speedup")
    ideal = [n for _, points in speedups for n, _ in points]
    if ideal:
        top = 1.15 * panels[0][0].get_ylim()[1]
        panels[0][0].plot([1, max(ideal)], [1, max(ideal)], color=plots.GREY, dashes=(4, 3), lw=0.9)
        panels[0][0].set_ylim(0, top)  # the ideal may go beyond
    _panel(panels[0][1], answer.counts, efficiencies, "efficiency: speedup over n", "efficiency")
    panels[0][1].set_ylim(0, max(1.15, *panels[0][1].get_ylim()))
    panels[0][1].axhline(1, color=plots.GREY, linewidth=0.9, dashes=(4, 3))
    _panel(panels[1][0], answer.counts, times, "time of each phase", "seconds")
    _panel(
        panels[1][1],
        answer.counts,
        rates,
        f"STREAM, {answer.kernel} {answer.store}",
        "GB/s of nominal bytes",
    )
    for axes in panels.flat:
        axes.set_xlabel(x, fontsize=8.5, color=plots.GREY)
    if speedups[0][1] or len(speedups) > 1:
        panels[0][1].legend(loc="lower left", frameon=False, fontsize=8.5)
    what = "A program" if answer.solver is None else f"PETSc {answer.solver.petsc}"
    plots.head(figure, f"{what} beside STREAM")
    plots.foot(figure, answer.machine, _told(answer))
    return figure


def _phases_to_draw(answer: Study) -> list[Phase]:
    """All of one program; of several the one that the answer is about, by each."""
    several = len(answer.cases) > 1
    chosen = [each for each in answer.phases if not several or each.name == answer.headline]
    return chosen[:_MOST_PHASES]


def _told(answer: Study) -> str:
    told = f"Medians; bars {uncertainty(answer)}. Dashed: ideal."
    rounds = count(answer.rounds, "round")
    command = shlex.join(answer.cases[0].command)
    if not command:
        return f"streamgage study --import ({rounds}). {told}"
    if answer.solver is not None:
        command = solver_line(answer) or command
    elif len(command) > _LONGEST_COMMAND:
        command = command[:_LONGEST_COMMAND] + "..."
    series = f"{rounds}, seed {answer.seed}; {answer.binding}"
    name = "streamgage study" if answer.solver is None else "streamgage study petsc"
    return f"{name} ({series}): {command}. {told}"


def _panel(axes: Axes, asked: list[int], lines: list[Line], title: str, y: str) -> None:
    """Series over the numbers of workers; one that was asked for and is missing breaks the line."""
    counts = sorted({n for _, points in lines for n, _ in points})
    for number, (name, points) in enumerate(lines):
        if not points:
            continue
        found = dict(points)
        xs = [n for n in asked if n >= points[0][0]]
        plots.line(axes, xs, [found.get(n) for n in xs], plots.style(number), name)
    plots.dress(axes, title=title, y=y)
    axes.set_ylim(bottom=0)
    if counts and len(asked) <= plots.FEW_TICKS:
        axes.set_xticks(asked, [str(n) for n in asked])
    if not counts:
        axes.text(
            0.5,
            0.5,
            "nothing to show",
            ha="center",
            color=plots.GREY,
            transform=axes.transAxes,
        )
