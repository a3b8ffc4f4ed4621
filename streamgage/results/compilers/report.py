"""``compilers``: the rates of each row and what its loops became, and the rates as bars."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.compilers.document import Compilations, CompiledRate
from streamgage.results.compilers.rows import DASH, foot, kernels_of, rows
from streamgage.show.report.bounded import bounded_cell
from streamgage.show.report.drawing import axis, bounds, colour, plain
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Part, Table
from streamgage.show.symbols import UNICODE
from streamgage.units import format_rate


def tables(answer: Compilations) -> Iterator[Part]:
    """A row a compiler with its flags."""
    kernels = kernels_of(answer)
    rates = {(each.name, each.kernel): each for each in answer.rates}
    columns = [Column("compiler", left=True)]
    for kernel in kernels:
        columns += [Column(f"{kernel}, GB/s"), Column(f"{kernel} became", left=True)]
    shown = []
    for row in rows(answer, UNICODE):
        if row.failure is not None:
            continue
        cells = [Cell(row.name)]
        for kernel, loop in zip(kernels, row.loops or [DASH] * len(kernels), strict=True):
            rate = rates.get((row.name, kernel))
            cells += [bounded_cell(_gbps(rate), format_rate), Cell(loop)]
        shown.append(cells)
    yield Table("Bandwidth by compiler and flags", columns, shown, foot(answer, UNICODE))
    failed = [each for each in answer.compilations if each.failure is not None]
    if failed:
        yield Table(
            "Without figures",
            [Column("compiler", left=True), Column("why", left=True)],
            [[Cell(each.name), Cell(each.failure or "")] for each in failed],
        )


def _gbps(rate: CompiledRate | None) -> Bounded | None:
    return None if rate is None else rate.gbps


def figures(answer: Compilations) -> Iterator[Figure]:
    """Bars, a colour a kernel."""
    kernels = kernels_of(answer)
    if not kernels:
        return
    names = list(dict.fromkeys(each.name for each in answer.rates))
    at = {(each.name, each.kernel): each for each in answer.rates}
    traces = []
    for number, kernel in enumerate(kernels):
        found = [at.get((name, kernel)) for name in names]
        figures_of = [_gbps(each) for each in found]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": plain(kernel),
                "y": [plain(name) for name in names],
                "x": [None if each is None else each.value for each in figures_of],
                "error_x": bounds(figures_of, "text"),
                "marker": {"color": colour(number)},
                "text": ["" if each is None else format_rate(each.value) for each in figures_of],
                "textposition": "inside",
                "insidetextanchor": "start",
                "hovertemplate": "%{y}: %{text} GB/s",
            }
        )
    layout = {
        "barmode": "group",
        "xaxis": axis("GB/s of nominal bytes", rangemode="tozero"),
        "yaxis": axis("", autorange="reversed", type="category"),
    }
    cells = [
        [
            Cell(name),
            *(
                bounded_cell(_gbps(each), format_rate)
                for each in (at.get((name, kernel)) for kernel in kernels)
            ),
        ]
        for name in names
    ]
    columns = [Column("compiler", left=True), *(Column(kernel) for kernel in kernels)]
    yield Figure(
        title="Bandwidth by compiler",
        about="Bars of the median bandwidth of each kernel as each compiler with its flags makes"
        " it, with intervals.",
        drawings=[Drawing("", traces, layout)],
        table=Table("GB/s of nominal bytes", columns, cells),
        wide=True,
        tall=len(names) * len(kernels) > 12,
    )
