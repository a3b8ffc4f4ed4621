"""``--format csv``: a line a row and kernel, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.results.compilers.document import Compilations

COLUMNS = (
    *("name", "compiler", "language", "kernel", "gbps", "gbps_low", "gbps_high"),
    *("ratio", "ratio_low", "ratio_high", "rounds", "loop", "failure"),
)


def render(answer: Compilations) -> str:
    """A header line and a line for each figure; a row that failed has one line with the reason."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in answer.compilations:
        lead = [row.name, row.compiler or "", row.language]
        own = [each for each in answer.rates if each.name == row.name]
        words = {loop.kernel: loop.words for loop in row.loops}
        if not own:
            writer.writerow([*lead, *[""] * 9, row.failure or ""])
        for each in own:
            figures = [*_bounded(each.gbps), *_bounded(each.ratio), each.rounds]
            writer.writerow([*lead, each.kernel, *figures, words.get(each.kernel, ""), ""])
    return text.getvalue()


def _bounded(figure: Bounded | None) -> list[str]:
    values = (None,) * 3 if figure is None else (figure.value, figure.low, figure.high)
    return ["" if value is None else f"{value:.6g}" for value in values]
