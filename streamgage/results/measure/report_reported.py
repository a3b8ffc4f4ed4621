"""Another benchmark's saved output: its table."""

from __future__ import annotations

from streamgage.results.measure.crossing import verdict
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.report_rates import UNKNOWN, crossed, figure
from streamgage.results.measure.reported_table import modes
from streamgage.show.report.parts import Cell, Column, Table
from streamgage.units import format_share


def reported_table(answer: Answer) -> Table:
    """A row a kernel with its stores, over the runs that were saved."""
    results = answer.result.kernels
    columns = [
        Column("kernel", left=True),
        Column("stores", left=True),
        Column("threads"),
        Column("median GB/s"),
        *(Column(title) for title in ("mean", "sd", "min", "max")),
        Column("groups", left=True, about="two groups that the runs fall into"),
        Column("n", about="runs"),
        Column("crossed the bus GB/s"),
        Column("of peak"),
        Column("write-allocate", left=True),
    ]
    foot = "Rates count nominal bytes, as STREAM does. n is the number of runs."
    return Table("Bandwidth of each kernel", columns, [_row(each) for each in results], foot)


def _row(each: KernelResult) -> list[Cell]:
    spread = each.spread
    middle = spread.median_gbps if spread else each.median_gbps
    over_runs = [
        getattr(spread, f"{name}_gbps", None)
        for name in ("mean", "deviation", "minimum", "maximum")
    ]
    share = each.peak_share
    return [
        Cell(each.kernel),
        Cell(f"{each.store} {each.isa}" if each.isa else each.store),
        Cell(str(each.threads or UNKNOWN), each.threads),
        figure(middle),
        *map(figure, over_runs),
        Cell(modes(each) or UNKNOWN),
        Cell(str(each.n), each.n),
        crossed(each),
        Cell(UNKNOWN) if share is None else Cell(format_share(share), share),
        Cell(verdict(each)),
    ]
