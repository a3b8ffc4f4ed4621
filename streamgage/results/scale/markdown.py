"""``--format markdown``: the curves as tables to paste into an issue or a page."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.measure.markdown import escape_markdown
from streamgage.results.scale.document import Curve, Scaling
from streamgage.results.scale.names import (
    DASH,
    best,
    counts_of,
    curves_of,
    efficiency,
    foot,
    kinds,
    point_at,
    proof,
    rate,
    series,
    speedup,
)
from streamgage.results.scale.words import missing_sentences
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Scaling) -> str:
    """Machine, bindings, a table a kernel, what the curves come to, and findings."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Scaling) -> Iterator[str]:
    if answer.machine is not None:
        yield from (escape_markdown(line_of_machine(answer.machine, UNICODE)), "")
    yield from (escape_markdown(series(answer, UNICODE)), "")
    for each in answer.bindings:
        yield f"- **{escape_markdown(each.name)}**: {escape_markdown(each.meaning)} ({proof(each)})"
    yield ""
    for kernel, store in kinds(answer):
        yield from (f"**{kernel} {store}**", "")
        yield from _table(answer, curves_of(answer, kernel, store))
    yield escape_markdown(foot(answer, UNICODE)) if answer.curves else "No point was measured."
    for sentence in (*answer.left_out, *missing_sentences(answer), *answer.verdict):
        yield from ("", escape_markdown(sentence))
    if answer.findings:
        yield ""
    for finding in answer.findings:
        yield f"- **{finding.code}** ({finding.severity}): {escape_markdown(finding.text)}"


def _table(answer: Scaling, curves: list[Curve]) -> Iterator[str]:
    heads = [
        f"{escape_markdown(each.binding)}: {what}"
        for each in curves
        for what in ("GB/s", "speedup", "efficiency")
    ]
    yield f"| n | {' | '.join(heads)} |"
    yield f"|--:|{'--:|' * len(heads)}"
    for n in counts_of(answer, curves):
        cells = []
        for each in curves:
            point = point_at(each, n)
            cells += (
                [DASH] * 3
                if point is None
                else [rate(point, UNICODE), speedup(point), efficiency(point)]
            )
        yield f"| {n} | {' | '.join(cells)} |"
    yield ""
    for each in curves:
        yield f"- {escape_markdown(each.binding)}: {best(each)}"
    yield ""
