"""``--format table``: the levels of each curve as people read and paste them."""

from __future__ import annotations

import io

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from streamgage.results.ladder.document import Ladder, LadderCurve
from streamgage.results.ladder.rows import HEADS, LEFT, cells, foot, mode_of, series
from streamgage.results.ladder.words import missing_sentences
from streamgage.results.measure.table import tell_findings
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console

_GAP = 2
_MAY_GO = ("range", "working sets", "claimed")
"""Columns that a narrow terminal has no room for, the first to go first."""


def render(answer: Ladder, terminal: Terminal) -> str:
    """Machine, a table a curve with a line a level, and findings."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if answer.machine is not None:
        hanging(console, " ", line_of_machine(answer.machine, terminal.symbols))
    hanging(console, " ", series(answer, terminal.symbols))
    console.print()
    for curve in answer.curves:
        _curve(console, curve, terminal.symbols)
    if answer.curves:
        console.print(Padding(foot(answer), (0, 0, 0, 1)), style="dim")
    else:
        console.print(" No point was measured.")
    console.print()
    sentences = [*answer.left_out, *missing_sentences(answer)]
    for sentence in sentences:
        hanging(console, " ", sentence)
    if sentences:
        console.print()
    tell_findings(console, answer.findings, terminal.symbols)
    return finished(text)


def _curve(console: Console, curve: LadderCurve, symbols: Symbols) -> None:
    hanging(console, f" {curve.kernel} {curve.store}  ", f"{mode_of(curve)} ({curve.mode})")
    rows = [dict(zip(HEADS, cells(step, symbols), strict=True)) for step in curve.steps]
    if not rows:
        console.print(" Too few points to tell levels.")
    shown = _fitting(rows, console.width)
    for row in ([dict(zip(HEADS, HEADS, strict=True)), *rows]) if rows else []:
        line = Text(" ")
        for head in shown:
            width = _width(head, rows)
            filled = row[head].ljust(width) if head in LEFT else row[head].rjust(width)
            bold = row[head] == head or head in ("level", "GB/s")
            line.append(filled + " " * _GAP, style="bold" if bold else "not bold")
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    console.print()


def _fitting(rows: list[dict[str, str]], width: int) -> list[str]:
    """The columns that there is room for."""
    shown = list(HEADS)
    for head in _MAY_GO:
        if 1 + sum(_width(each, rows) + _GAP for each in shown) - _GAP > width:
            shown.remove(head)
    return shown


def _width(head: str, rows: list[dict[str, str]]) -> int:
    return max(len(head), *(len(row[head]) for row in rows)) if rows else len(head)
