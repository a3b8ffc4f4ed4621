"""The comparison of a page's results: what differs, the figures side by side, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from streamgage.show.page import DASH
from streamgage.tools.compare.document import ComparedFigure, Comparison, SideFigure, SideRatio
from streamgage.tools.compare.page import (
    differences_table,
    format_value,
    left_out,
    nothing_differs,
    reasons,
    side_line,
    untold,
)
from streamgage.tools.report import of_page
from streamgage.tools.report.parts import Cell, Column, Facts, Part, Section, Table, Words

_MOST_SENTENCES = 12
"""With many results, the verdicts of all pairs would fill a page."""


def comparison_section(answer: Comparison) -> Section:
    """The section. The first result is A, and the others are compared with it."""
    parts: list[Part] = [
        Facts([(each.label, side_line(each)) for each in answer.sides]),
        of_page.table(replace(differences_table(answer), notes=()))
        if answer.differences
        else Words([nothing_differs(answer)]),
    ]
    if said := untold(answer):
        parts.append(Words(said, quiet=True))
    if answer.figures:
        parts.append(_figures(answer))
    if answer.verdict:
        parts.append(Words(answer.verdict[:_MOST_SENTENCES], answer=True, title="In short"))
    why = [each for number in range(1, len(answer.sides)) for each in reasons(answer, number)]
    remarks = [each.replace("`", "") for each in answer.remarks]  # a page is no terminal
    quiet = [*dict.fromkeys(why), *left_out(answer), *remarks]
    if quiet:
        parts.append(Words(quiet, quiet=True))
    return Section("The results compared", parts)


def _figures(answer: Comparison) -> Table:
    units = {each.unit for each in answer.figures}
    columns = [Column("figure", left=True)]
    if len(units) > 1:
        columns.append(Column("unit", left=True))
    columns.append(Column("A", about="the first result"))
    for side in answer.sides[1:]:
        columns += [
            Column(side.label),
            Column(f"{side.label} over A", about="how good it is: above 1 is better than A"),
            Column("verdict", left=True),
        ]
    rows = [_row(each, several_units=len(units) > 1) for each in answer.figures]
    unit = "GB/s of nominal bytes" if units == {"GB/s"} else "the figures"
    return Table(
        f"Side by side: {unit}, and how good each result is over A",
        columns,
        rows,
        foot="Intervals are of 95 % confidence; of two to five allocations, runs or rounds they"
        f" are the range. The same is what lies within {100 * answer.margin:g} %.",
    )


def _row(row: ComparedFigure, *, several_units: bool) -> Sequence[Cell]:
    cells = [Cell(row.name)]
    if several_units:
        cells.append(Cell(row.unit))
    cells.append(_figure(row, row.figures[0]))
    for figure, ratio in zip(row.figures[1:], row.ratios, strict=True):
        cells += [_figure(row, figure), _ratio(ratio), Cell(ratio.verdict or "not compared")]
    return cells


def _figure(row: ComparedFigure, figure: SideFigure | None) -> Cell:
    if figure is None:
        return Cell(DASH)
    told = ""
    if figure.low is not None and figure.high is not None:
        told = f"{format_value(figure.low, row.unit)} to {format_value(figure.high, row.unit)}"
    wrong = "!" if figure.valid is False else ""
    return Cell(f"{format_value(figure.value, row.unit)}{wrong}", figure.value, told)


def _ratio(ratio: SideRatio) -> Cell:
    if ratio.value is None:
        return Cell(DASH)
    told = "" if ratio.low is None else f"{ratio.low:.3f} to {ratio.high:.3f}"
    return Cell(f"{ratio.value:.3f}", ratio.value, told, strong=True)
