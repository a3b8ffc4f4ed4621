"""``--format table``: the answer as people read it.

First the machine, what was done to it, the table, the sentence to quote; then what to know,
weightiest first. Narrow terminals drop columns, never digits.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from streamgage.analysis.summary import Answer
from streamgage.present.detail import PLAIN, Detail
from streamgage.present.limit_line import limit_line
from streamgage.present.machine_lines import machine_line, setting_line
from streamgage.present.rates_table import rates_table
from streamgage.present.reported_lines import reported_line, reported_setting_line
from streamgage.present.reported_table import reported_table
from streamgage.present.shape_lines import NOTHING_CHOSEN, shape_lines
from streamgage.present.symbols import Symbols

_STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=%|GB/s|[KMG]iB|bytes|s\b|us\b|ns\b)")
_NARROW = 70
_TIED = "\ue000"
"""Stands for a space at which no line is to break, while lines are broken."""


@dataclass(frozen=True)
class Terminal:
    """What the output can show: ``width`` in characters, colour or none, and which marks."""

    width: int
    colour: bool
    symbols: Symbols


def render(answer: Answer, terminal: Terminal, detail: Detail = PLAIN) -> str:
    """The whole answer as text."""
    text = io.StringIO()
    console = Console(
        file=text,
        width=terminal.width,
        force_terminal=terminal.colour,
        color_system="standard" if terminal.colour else None,
        no_color=not terminal.colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    _heading(console, answer, terminal.symbols)
    if answer.run.reported is None:
        rates_table(console, answer, terminal.symbols)
    else:
        reported_table(console, answer, terminal.symbols)
    _limit(console, answer)
    _quote(console, answer)
    if detail.explain:
        _shapes(console, answer)
    _findings(console, answer, terminal.symbols)
    _passed(console, answer, terminal.symbols, verbose=detail.verbose)
    lines = text.getvalue().replace(_TIED, " ").split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _hanging(
    console: Console, lead: str, body: str, *, style: str = "", indent: int | None = None
) -> None:
    """``lead`` once, with ``body`` wrapped to its right."""
    grid = Table.grid(padding=0)
    grid.add_column(width=indent or len(lead), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(
        Text(lead, style=style),
        Text(_BEFORE_UNIT.sub(_TIED, body)),
    )
    console.print(grid)


def _limit(console: Console, answer: Answer) -> None:
    line = limit_line(answer)
    if line is not None:
        _hanging(console, " The limit: ", line)
        console.print()


def _heading(console: Console, answer: Answer, symbols: Symbols) -> None:
    for line in (
        machine_line(answer, symbols),
        setting_line(answer, symbols),
        reported_line(answer, symbols),
        reported_setting_line(answer, symbols),
    ):
        if line:
            _hanging(console, " ", line)
    console.print()


def _quote(console: Console, answer: Answer) -> None:
    if answer.result.quote:
        _hanging(console, " To quote:  ", answer.result.quote, style="bold")
        console.print()


def _shapes(console: Console, answer: Answer) -> None:
    _hanging(console, " ", "How the access shapes were chosen", style="bold")
    lines = [(f" {name}", text) for name, text in shape_lines(answer)]
    if not lines:
        _hanging(console, " ", NOTHING_CHOSEN)
    widest = max((len(lead) for lead, _ in lines), default=0)
    for lead, text in lines:
        _told(console, lead, text, indent=widest + 2)
    console.print()


def _findings(console: Console, answer: Answer, symbols: Symbols) -> None:
    findings = answer.result.findings
    if not findings:
        return
    widest = max(len(finding.code) for finding in findings)
    for finding in findings:
        lead = f" {symbols.of(finding.severity)} {finding.code}"
        style = _STYLES[finding.severity]
        _told(console, lead, finding.text, style=style, indent=widest + 6)
    console.print("   More on each: streamgage explain CODE", style="dim")


def _told(console: Console, lead: str, body: str, *, indent: int, style: str = "") -> None:
    """``body`` to the right of ``lead``, or below it where the terminal is narrow."""
    if console.width < _NARROW:
        console.print(lead, style=style)
        _hanging(console, "   ", body)
    else:
        _hanging(console, lead, body, style=style, indent=indent)


def _passed(console: Console, answer: Answer, symbols: Symbols, *, verbose: bool) -> None:
    number = len(answer.passed)
    if not number:
        return
    if not verbose:
        more = "more " if answer.result.findings else ""
        checks = "check" if number == 1 else "checks"
        console.print(f"   {number} {checks} {more}passed: --verbose", style="dim")
        return
    widest = max(len(passed.code) for passed in answer.passed)
    for passed in answer.passed:
        _hanging(
            console,
            f" {symbols.passed} {passed.code}",
            passed.text,
            style="green",
            indent=widest + 6,
        )
