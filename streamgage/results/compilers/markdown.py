"""``--format markdown``: compilers as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.compilers.document import Compilations
from streamgage.results.compilers.rows import foot, kernels_of, rows, series, versions
from streamgage.results.measure.markdown import escape_markdown
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Compilations) -> str:
    """Machine, the figures with what the loops became, what failed, and findings."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Compilations) -> Iterator[str]:
    if answer.machine is not None:
        yield from (escape_markdown(line_of_machine(answer.machine, UNICODE)), "")
    yield from (escape_markdown(series(answer, UNICODE)), "")
    kernels = kernels_of(answer)
    shown = rows(answer, UNICODE)
    heads = [f"{kernel}{what}" for kernel in kernels for what in (", GB/s", " became")]
    yield f"| compiler | {' | '.join(heads)} |"
    yield f"|:--|{'--:|:--|' * len(kernels)}"
    for row in shown:
        if row.failure is None:
            loops = row.loops or [""] * len(kernels)
            pairs = zip(row.cells, loops, strict=True)
            cells = [text for pair in pairs for text in pair]
            yield f"| {escape_markdown(row.name)} | {' | '.join(cells)} |"
    yield ""
    for row in shown:
        if row.failure is not None:
            yield f"- {escape_markdown(row.name)}: {escape_markdown(row.failure)}"
    if told := versions(answer):
        yield from ("", escape_markdown("; ".join(told)))
    yield from ("", escape_markdown(foot(answer, UNICODE)))
    for sentence in answer.verdict:
        yield from ("", escape_markdown(sentence))
    if answer.findings:
        yield ""
    for finding in answer.findings:
        yield f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
