"""``--format markdown``: a study as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.measure.markdown import escape_markdown
from streamgage.results.study.document import Study
from streamgage.results.study.rows import blocks, commands, foot, series, solver_line
from streamgage.results.study.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Study) -> str:
    """Machine and command, a table for STREAM and for each phase, and what they come to."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Study) -> Iterator[str]:
    if answer.machine is not None:
        yield from (escape_markdown(line_of_machine(answer.machine, UNICODE)), "")
    if (solver := solver_line(answer)) is not None:
        yield from (escape_markdown(solver), "")
    for command in commands(answer):
        yield from (f"`{command}`", "")
    yield escape_markdown(series(answer, UNICODE))
    for block in blocks(answer, UNICODE):
        yield from ("", f"**{escape_markdown(block.title)}**", "")
        yield f"| {' | '.join(block.heads)} |"
        yield f"|{'--:|' * len(block.heads)}"
        for row in block.rows:
            yield f"| {' | '.join(row)} |"
    yield from ("", escape_markdown(foot(answer, UNICODE)))
    for sentence in (*answer.left_out, *missing_sentences(answer), *answer.verdict):
        yield from ("", escape_markdown(sentence))
    if answer.findings:
        yield ""
    for finding in answer.findings:
        yield f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
