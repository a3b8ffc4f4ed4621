"""The plot: bandwidth on the left, speedup and efficiency with the ideal on the right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.scale.document import Curve, Scaling
from streamgage.results.scale.names import curves_of, kinds, uncertainty
from streamgage.show import picture as plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 10.0
_ROW = 3.3


def draw(answer: Scaling, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``."""
    return plots.picture_bytes(figure_of(answer), path)


def figure_of(answer: Scaling) -> Figure:
    """The figure: a row of two panels for each kernel."""
    rows = kinds(answer)
    lines = len(plots.caption_lines(answer.machine, _told(answer), _WIDTH))
    figure = plots.new_figure(_WIDTH, 0.85 + _ROW * len(rows) + 0.16 * lines)
    panels = figure.subplots(len(rows), 2, squeeze=False)
    for (left, right), (kernel, store) in zip(panels, rows, strict=True):
        curves = curves_of(answer, kernel, store)
        _bandwidth(left, answer, curves, f"{kernel} {store}: bandwidth")
        _speedup(right, answer, curves, f"{kernel} {store}: speedup and efficiency")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper right", ncols=len(labels), frameon=False, fontsize=8.5
    )
    plots.head(figure, f"Scaling over {_workers(answer)}")
    plots.foot(figure, answer.machine, _told(answer))
    return figure


def _workers(answer: Scaling) -> str:
    if answer.workers == "threads":
        return "threads"
    threads = answer.threads_per_worker
    return "MPI ranks" if threads == 1 else f"MPI ranks of {threads} threads"


def _told(answer: Scaling) -> str:
    return (
        f"streamgage scale ({answer.rounds} rounds, seed {answer.seed}). GB/s of nominal bytes,"
        f" medians; bars {uncertainty(answer)}. Ring: the fewest"
        f" {answer.workers} with 90 % of the best."
    )


def _bandwidth(axes: Axes, answer: Scaling, curves: list[Curve], title: str) -> None:
    for curve in curves:
        _line(axes, answer, curve, [(each.n, each.gbps) for each in curve.points])
        enough = next(each for each in curve.points if each.n == curve.enough_n)
        colour = plots.style(_number(answer, curve)).colour
        axes.scatter(
            [enough.n],
            [enough.gbps.value],
            s=110,
            facecolors="none",
            edgecolors=colour,
            linewidths=1.3,
            zorder=4,
        )
    plots.dress(axes, title=title, x=_workers(answer), y="GB/s of nominal bytes")
    _ticks(axes, curves)
    axes.set_ylim(bottom=0)


def _speedup(axes: Axes, answer: Scaling, curves: list[Curve], title: str) -> None:
    plots.dress(axes, title=title, x=_workers(answer), y="speedup")
    known = [(each.n, each.speedup) for curve in curves for each in curve.points if each.speedup]
    if not known:
        axes.text(0.5, 0.5, "n = 1 was not measured", ha="center", transform=axes.transAxes)
        return
    most = max(n for n, _ in known)
    axes.plot([1, most], [1, most], color=plots.GREY, linewidth=0.9, dashes=(4, 3), zorder=1)
    axes.annotate(
        "ideal",
        (most, most),
        xytext=(-12, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=8,
        color=plots.GREY,
    )
    shares = axes.twinx()
    for curve in curves:
        _line(axes, answer, curve, [(e.n, e.speedup) for e in curve.points if e.speedup])
        look = plots.style(_number(answer, curve))
        points = [(e.n, 100 * e.efficiency.value) for e in curve.points if e.efficiency]
        if points:
            shares.plot(*zip(*points, strict=True), color=look.colour, linewidth=0.9, alpha=0.55)
    shares.set_ylim(0, 110)
    shares.set_yticks(range(0, 101, 25), [f"{share} %" for share in range(0, 101, 25)])
    plots.dress(shares, y="efficiency (thin lines)", grid="none")
    shares.yaxis.set_label_position("right")
    _ticks(axes, curves)
    axes.set_ylim(bottom=0, top=max(most, *(each.value for _, each in known)) * 1.1)


def _number(answer: Scaling, curve: Curve) -> int:
    return [each.name for each in answer.bindings].index(curve.binding)


def _line(axes: Axes, answer: Scaling, curve: Curve, points: list[tuple[int, Bounded]]) -> None:
    """A curve with its intervals; a gap breaks the line."""
    look = plots.style(_number(answer, curve))
    asked = sorted({each.n for each in answer.runs if each.binding == curve.binding})
    found = dict(points)
    xs = sorted({*asked, *found})
    plots.line(axes, xs, [found.get(n) for n in xs], look, curve.binding)


def _ticks(axes: Axes, curves: list[Curve]) -> None:
    counts = sorted({point.n for each in curves for point in each.points})
    if len(counts) <= plots.FEW_TICKS:
        axes.set_xticks(counts, [str(n) for n in counts])
    room = max(0.3, 0.04 * (counts[-1] - counts[0]))
    axes.set_xlim(counts[0] - room, counts[-1] + room)
