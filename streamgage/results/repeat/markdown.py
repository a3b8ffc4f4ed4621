"""``--format markdown``: repeated runs as a table to paste into an issue or a page."""

from __future__ import annotations

from streamgage.results.measure.markdown import escape_markdown
from streamgage.results.repeat.document import Repetition
from streamgage.results.repeat.rows import columns, foot
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import UNICODE


def render(answer: Repetition) -> str:
    """Machine, table, verdict and findings."""
    shown = columns(answer)
    lines = []
    if answer.machine is not None:
        lines += [escape_markdown(line_of_machine(answer.machine, UNICODE)), ""]
    lines += [
        f"| {' | '.join(column.title for column in shown)} |",
        f"|{'|'.join('---' if column.left else '--:' for column in shown)}|",
    ]
    lines += [
        f"| {' | '.join(escape_markdown(column.cell(each)) for column in shown)} |"
        for each in answer.kernels
    ]
    lines += ["", foot(answer)]
    if answer.verdict:
        lines += ["", escape_markdown(" ".join(answer.verdict))]
    if answer.findings:
        lines += [""]
        lines += [
            f"- **{each.code}** ({each.severity}): {escape_markdown(each.text)}"
            for each in answer.findings
        ]
    return "\n".join(lines) + "\n"
