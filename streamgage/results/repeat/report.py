"""``repeat``: the figures over the runs, and every run as a dot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from streamgage.results.measure.document import Spread
from streamgage.results.repeat.document import RepeatedKernel, Repetition
from streamgage.results.repeat.picture import swarm
from streamgage.results.repeat.rows import columns, foot
from streamgage.show.report.drawing import axis, colour, plain
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Layout, Part, Table
from streamgage.units import format_rate

_OF_SPREAD: Mapping[str, Callable[[Spread], float]] = {
    "median": lambda spread: spread.median_gbps,
    "mean": lambda spread: spread.mean_gbps,
    "sd": lambda spread: spread.deviation_gbps,
    "min": lambda spread: spread.minimum_gbps,
    "max": lambda spread: spread.maximum_gbps,
    "worst": lambda spread: 1 - spread.minimum_gbps / spread.maximum_gbps,
}
"""What a column is sorted by."""


def tables(answer: Repetition) -> Iterator[Part]:
    """One table of all kernels and placements."""
    shown = columns(answer)
    rows = [
        [Cell(column.cell(each), _order(column.title, each)) for column in shown]
        for each in answer.kernels
    ]
    heads = [Column(column.title, left=column.left) for column in shown]
    yield Table("Bandwidth over fresh runs", heads, rows, foot(answer))


def _order(title: str, each: RepeatedKernel) -> float | None:
    if title.startswith("over "):
        return None if each.ratio is None else each.ratio.value
    if title == "n":
        return len(each.rates)
    read = _OF_SPREAD.get(title)
    return None if read is None or each.spread is None else read(each.spread)


def figures(answer: Repetition) -> Iterator[Figure]:
    """Dots by placement, a kernel at a time."""
    kernels = list(dict.fromkeys(each.kernel for each in answer.kernels if each.rates))
    if not kernels:
        return
    rows = [
        [
            Cell(each.kernel),
            Cell(each.placement),
            Cell(str(rate.round), rate.round),
            Cell(format_rate(rate.gbps), rate.gbps),
        ]
        for each in answer.kernels
        for rate in each.rates
    ]
    heads = [Column("kernel", left=True), Column("placement", left=True), Column("round")]
    yield Figure(
        title="Every run",
        about="The bandwidth of every fresh run as a dot, a column a placement, with the median as"
        " a line. The axis does not begin at 0.",
        drawings=[_drawing(answer, kernel) for kernel in kernels],
        table=Table("Median GB/s of each run", [*heads, Column("GB/s")], rows),
        select="Kernel",
        first=next((i for i, name in enumerate(kernels) if name.startswith("triad")), 0),
        wide=True,
    )


def _drawing(answer: Repetition, kernel: str) -> Drawing:
    traces, shapes = [], []
    for each in answer.kernels:
        if each.kernel != kernel or not each.rates:
            continue
        at = answer.placements.index(each.placement)
        rates = [rate.gbps for rate in each.rates]
        texts = [
            f"{each.placement}, round {rate.round}: {format_rate(rate.gbps)} GB/s"
            for rate in each.rates
        ]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plain(each.placement),
                "x": [at + offset for offset in swarm(rates)],
                "y": rates,
                "marker": {"color": colour(at), "size": 8, "opacity": 0.8},
                "text": [plain(text) for text in texts],
                "hoverinfo": "text",
            }
        )
        middle = each.spread.median_gbps if each.spread else rates[0]
        shapes.append(
            {
                "type": "line",
                "x0": at - 0.3,
                "x1": at + 0.3,
                "y0": middle,
                "y1": middle,
                "line": {"color": "text", "width": 2},
            }
        )
    layout: Layout = {
        "showlegend": False,
        "shapes": shapes,
        "xaxis": axis(
            "",
            tickvals=list(range(len(answer.placements))),
            ticktext=[plain(name) for name in answer.placements],
            range=[-0.6, len(answer.placements) - 0.4],
        ),
        "yaxis": axis("GB/s of nominal bytes"),
    }
    return Drawing(kernel, traces, layout)
