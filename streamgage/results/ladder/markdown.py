"""``--format markdown``: the levels of each curve as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.ladder.document import Ladder
from streamgage.results.ladder.rows import HEADS, LEFT, cells, foot, mode_of, series
from streamgage.results.ladder.words import missing_sentences
from streamgage.results.measure.markdown import escape_markdown
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Ladder) -> str:
    """Machine, a table a curve, and findings."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Ladder) -> Iterator[str]:
    if answer.machine is not None:
        yield from (escape_markdown(line_of_machine(answer.machine, UNICODE)), "")
    yield from (escape_markdown(series(answer, UNICODE)), "")
    for curve in answer.curves:
        yield from (f"**{curve.kernel} {curve.store}**, {mode_of(curve)} ({curve.mode})", "")
        yield f"| {' | '.join(HEADS)} |"
        yield f"|{''.join(':--|' if head in LEFT else '--:|' for head in HEADS)}"
        for step in curve.steps:
            yield f"| {' | '.join(cells(step, UNICODE))} |"
        yield ""
    yield escape_markdown(foot(answer)) if answer.curves else "No point was measured."
    for sentence in (*answer.left_out, *missing_sentences(answer)):
        yield from ("", escape_markdown(sentence))
    if answer.findings:
        yield ""
    for finding in answer.findings:
        yield f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"
