"""``--format table``: the answer as people read it.

First the machine, what was done to it, the table, the sentence to quote; then what to know,
weightiest first. Narrow terminals drop columns, never digits.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console

from streamgage.analysis.finding import Finding
from streamgage.results.measure.counted_lines import counted_lines
from streamgage.results.measure.judge import Answer
from streamgage.results.measure.limit_line import limit_line
from streamgage.results.measure.own_kernel_lines import own_kernel_lines
from streamgage.results.measure.rates_table import rates_table
from streamgage.results.measure.reported_lines import reported_line, reported_setting_line
from streamgage.results.measure.reported_table import reported_table
from streamgage.results.measure.shape_lines import NOTHING_CHOSEN, shape_lines
from streamgage.show.detail import PLAIN, Detail
from streamgage.show.machine_lines import machine_line, setting_line
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import Terminal, finished, hanging, new_console, told

_STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}


def render(answer: Answer, terminal: Terminal, detail: Detail = PLAIN) -> str:
    """The whole answer as text."""
    text = io.StringIO()
    console = new_console(text, terminal)
    _heading(console, answer, terminal.symbols)
    if answer.run.reported is None:
        rates_table(console, answer, terminal.symbols)
    else:
        reported_table(console, answer, terminal.symbols)
    _own_kernels(console, answer)
    _limit(console, answer)
    _quote(console, answer)
    if detail.explain:
        _shapes(console, answer)
    if detail.verbose:
        _counted(console, answer)
    tell_findings(console, answer.result.findings, terminal.symbols)
    _passed(console, answer, terminal.symbols, verbose=detail.verbose)
    return finished(text)


def _limit(console: Console, answer: Answer) -> None:
    line = limit_line(answer)
    if line is not None:
        hanging(console, " The limit: ", line)
        console.print()


def _own_kernels(console: Console, answer: Answer) -> None:
    lines = [(f" {name}", text) for name, text in own_kernel_lines(answer.result)]
    widest = max((len(lead) for lead, _ in lines), default=0)
    for lead, text in lines:
        told(console, lead, text, indent=widest + 2)
    if lines:
        console.print()


def _heading(console: Console, answer: Answer, symbols: Symbols) -> None:
    for line in (
        machine_line(answer, symbols),
        setting_line(answer, symbols),
        reported_line(answer, symbols),
        reported_setting_line(answer, symbols),
    ):
        if line:
            hanging(console, " ", line)
    console.print()


def _quote(console: Console, answer: Answer) -> None:
    if answer.result.quote:
        hanging(console, " To quote:  ", answer.result.quote, style="bold")
        console.print()


def _shapes(console: Console, answer: Answer) -> None:
    hanging(console, " ", "How the access shapes were chosen", style="bold")
    lines = [(f" {name}", text) for name, text in shape_lines(answer)]
    if not lines:
        hanging(console, " ", NOTHING_CHOSEN)
    widest = max((len(lead) for lead, _ in lines), default=0)
    for lead, text in lines:
        told(console, lead, text, indent=widest + 2)
    console.print()


def _counted(console: Console, answer: Answer) -> None:
    lines = [(f" {name}", text) for name, text in counted_lines(answer)]
    if not lines:
        return
    hanging(console, " ", "What the counters of the memory controllers saw", style="bold")
    widest = max(len(lead) for lead, _ in lines)
    for lead, text in lines:
        told(console, lead, text, indent=widest + 2)
    console.print()


def tell_findings(console: Console, findings: Sequence[Finding], symbols: Symbols) -> None:
    """Every finding, with its code and mark, in the order given."""
    if not findings:
        return
    widest = max(len(finding.code) for finding in findings)
    for finding in findings:
        lead = f" {symbols.of(finding.severity)} {finding.code}"
        style = _STYLES[finding.severity]
        told(console, lead, finding.text, style=style, indent=widest + 6)
    console.print("   More on each: streamgage explain CODE", style="dim")


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
        hanging(
            console,
            f" {symbols.passed} {passed.code}",
            passed.text,
            style="green",
            indent=widest + 6,
        )
