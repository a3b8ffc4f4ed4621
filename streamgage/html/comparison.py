"""The comparison of a page's results: what differs, the figures side by side, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from streamgage.comparison.compare.document import ComparedFigure, Comparison
from streamgage.comparison.compare.page import (
    differences_table,
    format_value,
    left_out,
    nothing_differs,
    page_of,
    reasons,
    unrecorded,
)
from streamgage.show.page import DASH, Cell, Column, Page, Table, Words

_MOST_SENTENCES = 12
"""The most sentences of verdicts on the page, because many pairs would fill it."""


def comparison_page(answer: Comparison) -> Page:
    """The page of a comparison. One table has the figures of all sides; the first side is A."""
    body: list[Table[Any] | Words] = [
        replace(differences_table(answer), notes=())
        if answer.differences
        else Words([nothing_differs(answer)]),
    ]
    if sentences := unrecorded(answer):
        body.append(Words(sentences, quiet=True))
    if answer.figures:
        body.append(_figures(answer))
    if answer.conclusions:
        said = answer.sentences[:_MOST_SENTENCES]
        body.append(Words(said, strong=True, title="In short"))
    why = [each for number in range(1, len(answer.sides)) for each in reasons(answer, number)]
    remarks = [each.replace("`", "") for each in answer.remarks]  # a page is no terminal
    quiet = [*dict.fromkeys(why), *left_out(answer), *remarks]
    if quiet:
        body.append(Words(quiet, quiet=True))
    return replace(page_of(answer), title="The results compared", body=body)


def _figures(answer: Comparison) -> Table[ComparedFigure]:
    units = {each.unit for each in answer.figures}
    columns = [Column[ComparedFigure]("figure", lambda each: Cell(each.name), left=True)]
    if len(units) > 1:
        columns.append(Column("unit", lambda each: Cell(each.unit), left=True))
    columns.append(Column("A", _figure(0), about="the first result"))
    for number, side in enumerate(answer.sides[1:], 1):
        columns += [
            Column(side.label, _figure(number)),
            Column(
                f"{side.label} over A",
                _ratio(number),
                about="above 1 is better than A",
            ),
            Column("verdict", _verdict(number), left=True),
        ]
    unit = "GB/s of nominal bytes" if units == {"GB/s"} else "the figures"
    return Table(
        columns,
        answer.figures,
        caption=f"Side by side: {unit}, and how good each result is compared with A",
        report_note="Intervals have 95 % confidence; with only two to five allocations, runs or"
        " rounds they are the range of the figures. Results within"
        f" {100 * answer.margin:g} % count as the same.",
    )


def _figure(number: int) -> Callable[[ComparedFigure], Cell]:
    def cell(row: ComparedFigure) -> Cell:
        figure = row.figures[number]
        if figure is None:
            return Cell(DASH)
        ends = ""
        if figure.low is not None and figure.high is not None:
            ends = f"{format_value(figure.low, row.unit)} to {format_value(figure.high, row.unit)}"
        wrong = "!" if figure.valid is False else ""
        return Cell(f"{format_value(figure.value, row.unit)}{wrong}", figure.value, detail=ends)

    return cell


def _ratio(number: int) -> Callable[[ComparedFigure], Cell]:
    def cell(row: ComparedFigure) -> Cell:
        ratio = row.ratios[number - 1]
        if ratio.value is None:
            return Cell(DASH)
        ends = "" if ratio.low is None else f"{ratio.low:.3f} to {ratio.high:.3f}"
        return Cell(f"{ratio.value:.3f}", ratio.value, detail=ends, strong=True)

    return cell


def _verdict(number: int) -> Callable[[ComparedFigure], Cell]:
    return lambda row: Cell(row.ratios[number - 1].verdict or "not compared")
