"""``--format markdown``: a comparison to paste into an issue or a page."""

from __future__ import annotations

from streamgage.show.markdown import escape_markdown
from streamgage.show.symbols import UNICODE
from streamgage.tools.compare.document import Comparison
from streamgage.tools.compare.page_rows import (
    NOT_TOLD,
    Column,
    columns,
    foot,
    left_out,
    nothing_differs,
    reasons,
    rows_of,
    side_line,
    untold,
)


def render(answer: Comparison) -> str:
    """The sides, what differs, a table for each side but A, verdict and remarks."""
    lines = [
        f"- **{side.label}**: {escape_markdown(side_line(side, UNICODE.separator))}"
        for side in answer.sides
    ]
    lines += ["", *_differences(answer), *_paragraphs(untold(answer))]
    for number in range(1, len(answer.sides)):
        if rows_of(answer, number):
            lines += _figures(answer, number)
    lines += _paragraphs(left_out(answer))
    lines += [line for each in answer.verdict for line in (f"**{escape_markdown(each)}**", "")]
    lines += [f"- {escape_markdown(each)}" for each in answer.remarks]
    if answer.acceptance is not None:
        lines += ["", f"**{escape_markdown(answer.acceptance.text)}**"]
    return "\n".join(lines).rstrip("\n") + "\n"


def _differences(answer: Comparison) -> list[str]:
    if not answer.differences:
        return [nothing_differs(answer), ""]
    labels = [side.label for side in answer.sides]
    lines = [
        f"| what differs | {' | '.join(labels)} | why it matters |",
        f"|---|{'---|' * len(labels)}---|",
    ]
    for each in answer.differences:
        cells = [each.what, *(value or NOT_TOLD for value in each.values), each.why]
        lines.append(_row(cells))
    return [*lines, ""]


def _figures(answer: Comparison, number: int) -> list[str]:
    shown: list[Column] = columns(answer, number)
    lines = [
        f"| {' | '.join(column.title for column in shown)} |",
        f"|{'|'.join('---' if column.left else '--:' for column in shown)}|",
    ]
    lines += [_row([column.cell(row) for column in shown]) for row in rows_of(answer, number)]
    return [*lines, "", *_paragraphs([foot(answer, number), *reasons(answer, number)])]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(escape_markdown(cell) for cell in cells)} |"


def _paragraphs(sentences: list[str]) -> list[str]:
    return [line for each in sentences for line in (escape_markdown(each), "")]
