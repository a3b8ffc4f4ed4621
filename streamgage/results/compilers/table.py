"""``--format table``: compilers as people compare them."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.compilers.document import Compilations
from streamgage.results.compilers.rows import Row, foot, kernels_of, rows, series, versions
from streamgage.results.measure.table import tell_findings
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.terminal import Terminal, finished, hanging, new_console

_GAP = 3


def render(answer: Compilations, terminal: Terminal) -> str:
    """Machine, the figures, what the loops became, what failed, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    hanging(console, " ", series(answer, terminal.symbols))
    console.print()
    shown = rows(answer, terminal.symbols)
    kernels = kernels_of(answer)
    measured = [(each.name, each.cells) for each in shown if each.failure is None]
    if measured:
        _table(console, ("GB/s", kernels), measured)
    else:
        console.print(" Nothing was measured.")
        console.print()
    loops = [(each.name, each.loops) for each in shown if each.loops and each.failure is None]
    if loops:
        _table(console, ("what the loops became", kernels), loops)
    _failures(console, shown)
    told = versions(answer)
    for each in told:
        hanging(console, " ", each)
    if told:
        console.print()
    if measured:
        console.print(Padding(foot(answer, terminal.symbols), (0, 0, 0, 1)), style="dim")
        console.print()
    for sentence in answer.verdict:
        hanging(console, " ", sentence)
    if answer.verdict:
        console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _table(
    console: Console, head: tuple[str, list[str]], body: list[tuple[str, list[str]]]
) -> None:
    """The columns in as many parts as the width makes necessary."""
    lead = max(len(head[0]), *(len(name) for name, _ in body))
    widths = [
        max(len(title), *(len(cells[number]) for _, cells in body)) + _GAP
        for number, title in enumerate(head[1])
    ]
    first = 0
    while first < len(widths):
        room, last = console.width - 1 - lead, first
        while last < len(widths) and (last == first or room >= widths[last]):
            room -= widths[last]
            last += 1
        for name, cells in [head, *body]:
            line = Text(" " + name.ljust(lead), style="bold" if name is head[0] else "")
            for cell, width in zip(cells[first:last], widths[first:last], strict=True):
                line.append(cell.rjust(width))
            console.print(line, no_wrap=True, overflow="ignore", crop=False)
        console.print()
        first = last


def _failures(console: Console, shown: list[Row]) -> None:
    failed = [each for each in shown if each.failure is not None]
    for each in failed:
        hanging(console, f" {each.name}  ", each.failure or "")
    if failed:
        console.print()
