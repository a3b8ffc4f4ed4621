"""``--format csv``: a line a figure and side, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.tools.compare.document import Comparison

COLUMNS = (
    *("figure", "kernel", "unit", "lower_is_better", "statistic", "side", "name"),
    *("value", "low", "high", "n", "of", "valid"),
    *("ratio", "ratio_low", "ratio_high", "verdict", "reason"),
)


def render(answer: Comparison) -> str:
    """A header line and a line for each figure of each side, six digits; empty: not known.

    The ratio is that to A, whose own lines have none.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in answer.figures:
        ratios = {each.side: each for each in row.ratios}
        what = [row.name, row.kernel, row.unit, row.lower_is_better, row.statistic]
        for side, figure in zip(answer.sides, row.figures, strict=True):
            if figure is None:
                continue
            ratio = ratios.get(side.label)
            cells = [
                *(*what, side.label, side.name),
                *(figure.value, figure.low, figure.high, figure.n, figure.of, figure.valid),
            ]
            if ratio is not None:
                cells += [ratio.value, ratio.low, ratio.high, ratio.verdict, ratio.reason]
            writer.writerow([_cell(cell) for cell in cells + [None] * (len(COLUMNS) - len(cells))])
    return text.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)
