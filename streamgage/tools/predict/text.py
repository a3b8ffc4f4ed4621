"""A prediction as people read it, and as a line of CSV."""

from __future__ import annotations

import csv as csv_module
import io

from streamgage.analysis.statistics.estimate import Bounded
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.markdown import escape_markdown
from streamgage.show.symbols import UNICODE, Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console
from streamgage.tools.predict.document import Prediction
from streamgage.units import count, format_rate

_BOUNDS = ("", "_low", "_high")
COLUMNS = (
    *("n", "workers", "binding", "kernel", "store"),
    *(f"gbps{bound}" for bound in _BOUNDS),
    *(f"speedup{bound}" for bound in _BOUNDS),
    *(f"efficiency{bound}" for bound in _BOUNDS),
    *("rounds", "interpolated", "worth_n"),
)


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


def csv(answer: Prediction) -> str:
    """A header line and one of figures; what is not known is empty."""
    text = io.StringIO()
    writer = csv_module.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    figures = [*_three(answer.gbps), *_three(answer.speedup), *_three(answer.efficiency)]
    writer.writerow(
        [
            *(answer.n, answer.workers, answer.binding, answer.kernel, answer.store),
            *figures,
            *(answer.rounds, int(answer.between is not None), answer.worth_n),
        ]
    )
    return text.getvalue()


def _three(figure: Bounded) -> list[str]:
    values = (figure.value, figure.low, figure.high)
    return ["" if value is None else f"{value:.6g}" for value in values]


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
