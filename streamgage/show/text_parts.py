"""The parts of a page as text: its first line, the machine, sentences, findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from streamgage.analysis.finding import Finding, Severity
from streamgage.analysis.trust import WORDS, Trust
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import (
    Page,
    Table,
    Words,
)
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import hanging, named_text, tied
from streamgage.show.text_table import dim, print_line, show_table

STYLES: dict[Severity, str] = {
    "error": "bold red",
    "spoiled": "bold red",
    "warning": "yellow",
    "note": "cyan",
    "fact": "dim",
}
_OF_VERDICT = {"quotable": "bold green", "with-care": "bold yellow", "not-quotable": "bold red"}
_MOST_REASONS = 3
_MARKS = {"passed": "green", "warning": "yellow", "error": "red"}


def first_line(console: Console, page: Page, trust: Trust, symbols: Symbols) -> None:
    """Print the main figure, how far it can be trusted, and what lowers the trust."""
    style = _OF_VERDICT[trust.verdict]
    verdict = WORDS[trust.verdict].upper()
    reasons = "; ".join(each.text for each in trust.reasons[:_MOST_REASONS])
    more = len(trust.reasons) - _MOST_REASONS
    reasons += f"; and {more} more" if more > 0 else ""
    if trust.verdict == "not-quotable":
        hanging(console, f" {verdict}: ", symbols.text(f"{reasons}."), style=style)
        if page.first is None and page.headline:
            hanging(console, " ", symbols.text(page.headline))
        return
    headline = Text(tied(symbols.text(page.headline)), style="bold")
    *lines, last = headline.wrap(console, console.width - 1)
    for line in lines:
        print_line(console, Text.assemble(" ", line))
    room = console.width - len(last) - 3
    if room >= len(verdict):
        verdict = verdict.rjust(room)
        print_line(console, Text.assemble(" ", last, " ", (verdict, style)))
    else:
        print_line(console, Text.assemble(" ", last))
        print_line(console, Text(f" {verdict}", style=style))
    if reasons:
        hanging(console, " With care: ", symbols.text(f"{reasons}."), style="yellow")


def heading(console: Console, page: Page, symbols: Symbols) -> None:
    """Print the machine, changes that were made to it, and what ran."""
    if page.machine is not None:
        hanging(console, " ", line_of_machine(page.machine, symbols, page.machine_more))
    for line in (*page.setup, *page.lines):
        hanging(console, " ", symbols.text(line))
    console.print()


def show_body(console: Console, body: Iterable[Table[Any] | Words], symbols: Symbols) -> None:
    """Print tables and sentences, with an empty line after each."""
    for each in body:
        if isinstance(each, Table):
            show_table(console, each, symbols)
            continue
        lead = f" {getattr(symbols, each.mark)} " if each.mark else " "
        for sentence in each.sentences:
            if each.quiet:
                dim(console, symbols.text(sentence))
            else:
                hanging(console, lead, symbols.text(sentence), style=_MARKS.get(each.mark, ""))
        console.print()


def show_findings(console: Console, findings: Sequence[Finding], symbols: Symbols) -> None:
    """Print every finding with its mark and code, in the order given."""
    if not findings:
        return
    widest = max(len(finding.code) for finding in findings)
    for finding in findings:
        lead = f" {symbols.of(finding.severity)} {finding.code}"
        style = STYLES[finding.severity]
        text = finding.sentence if finding.severity == "fact" else finding.text
        named_text(console, lead, text, style=style, indent=widest + 6)
    console.print("   More on each: streamgage explain CODE", style="dim")
