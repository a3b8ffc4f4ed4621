"""``measure``: how bandwidth grew over a short series of threads."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.measure.document import Result
from streamgage.results.measure.report_rates import figure
from streamgage.show.report.drawing import axis, counts_axis, line
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Table
from streamgage.units import format_rate


def growth_figure(result: Result) -> Iterator[Figure]:
    """A curve a kernel; none where no series was measured."""
    found = result.saturation
    if found is None or len({each.threads for each in found.series}) < 2:
        return
    kernels = list(dict.fromkeys(each.kernel for each in found.series))
    counts = sorted({each.threads for each in found.series})
    at = {(each.kernel, each.threads): each for each in found.series}
    traces = []
    for number, kernel in enumerate(kernels):
        points = [each for each in found.series if each.kernel == kernel]
        traces.append(
            line(
                kernel,
                [each.threads for each in points],
                [Bounded(value=e.gbps, low=e.low_gbps, high=e.high_gbps) for e in points],
                number,
                texts=[f"{kernel}, {e.threads} threads: {format_rate(e.gbps)}" for e in points],
            )
        )
    layout = {"xaxis": counts_axis("threads", counts), "yaxis": axis("GB/s", rangemode="tozero")}
    rows = [
        [
            Cell(str(n), n),
            *(figure(at[kernel, n].gbps if (kernel, n) in at else None) for kernel in kernels),
        ]
        for n in counts
    ]
    columns = [Column("threads"), *(Column(kernel) for kernel in kernels)]
    yield Figure(
        title="How bandwidth grows with threads",
        about="The bandwidth of a few kernels over the number of threads, each with a part of the"
        " arrays of the same size.",
        drawings=[Drawing("", traces, layout)],
        table=Table("GB/s of nominal bytes", columns, rows),
    )
