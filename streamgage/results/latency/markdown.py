"""``--format markdown``: latencies as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.latency.document import Latencies
from streamgage.results.latency.rows import blocks, foot, series
from streamgage.results.measure.markdown import escape_markdown
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Latencies) -> str:
    """Machine, the levels, a table a mix, what they come to, and findings."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Latencies) -> Iterator[str]:
    if answer.machine is not None:
        yield from (escape_markdown(line_of_machine(answer.machine, UNICODE)), "")
    yield from (escape_markdown(series(answer, UNICODE)), "")
    for block in blocks(answer, UNICODE):
        yield from (f"**{block.title}**, {block.what}", "")
        yield f"| {' | '.join(block.heads)} |"
        yield f"|{'--:|' * len(block.heads)}"
        for row in block.rows:
            yield f"| {' | '.join(row)} |"
        yield ""
    yield escape_markdown(foot(answer, UNICODE))
    for sentence in (*answer.left_out, *answer.verdict):
        yield from ("", escape_markdown(sentence))
    if answer.findings:
        yield ""
    for finding in answer.findings:
        yield f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
