"""A prediction as people read it."""

from __future__ import annotations

import io

from streamgage.show.machine_lines import line_of_machine
from streamgage.show.markdown import escape_markdown
from streamgage.show.symbols import UNICODE, Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console
from streamgage.tools.predict.document import Prediction
from streamgage.units import count, format_rate


def render(answer: Prediction, terminal: Terminal) -> str:
    """The machine and what was measured, then the sentences."""
    text = io.StringIO()
    console = new_console(text, terminal)
    for line in _head(answer, terminal.symbols):
        hanging(console, " ", line)
    console.print()
    for sentence in answer.verdict:
        hanging(console, " ", sentence)
    return finished(text)


def markdown(answer: Prediction) -> str:
    """The same as paragraphs."""
    lines = [*_head(answer, UNICODE), *answer.verdict]
    return "\n\n".join(escape_markdown(line) for line in lines) + "\n"


def _head(answer: Prediction, symbols: Symbols) -> list[str]:
    rate = f"{format_rate(answer.gbps.value)} GB/s with {answer.n}"
    bounds = answer.gbps
    if bounds.low is not None and bounds.high is not None:
        rate += f" ({format_rate(bounds.low)} to {format_rate(bounds.high)})"
    measured = symbols.separator.join(
        [
            f"by {answer.kernel} {answer.store} with {answer.workers}, {answer.binding}",
            count(answer.rounds, "round"),
            rate,
        ]
    )
    if answer.machine is None:
        return [measured]
    where = f"{answer.machine.host}, {answer.machine.time[:10]}"
    return [line_of_machine(answer.machine, symbols), f"{where}{symbols.separator}{measured}"]
