"""``--format markdown``: the matrices as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.measure.markdown import escape_markdown
from streamgage.results.numa.blocks import blocks, columns, foot
from streamgage.results.numa.document import NumaMatrix
from streamgage.results.numa.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(matrix: NumaMatrix) -> str:
    """Machine, a table a kernel, the latencies, what they come to, and findings."""
    return "\n".join(_lines(matrix)) + "\n"


def _lines(matrix: NumaMatrix) -> Iterator[str]:
    if matrix.machine is not None:
        yield from (escape_markdown(line_of_machine(matrix.machine, UNICODE)), "")
    heads = [escape_markdown(head) for head in columns(matrix)]
    shown = blocks(matrix)
    for block in shown:
        yield from (f"**{block.title}**, {block.what}", "")
        yield f"| CPUs of node | {' | '.join(f'memory of node {head}' for head in heads)} |"
        yield f"|--:|{'--:|' * len(heads)}"
        for row, figures in zip(matrix.cpu_nodes, block.rows, strict=True):
            yield f"| {row.node} | {' | '.join(figures)} |"
        yield ""
    yield escape_markdown(foot(matrix)) if shown else "No cell was measured."
    for sentence in (*matrix.left_out, *missing_sentences(matrix), *matrix.verdict):
        yield from ("", escape_markdown(sentence))
    if matrix.findings:
        yield ""
    for each in matrix.findings:
        yield f"- **{each.code}** ({each.severity}): {escape_markdown(each.text)}"
