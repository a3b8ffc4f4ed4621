"""``--format table``: a page as people read and paste it.

A narrow terminal drops columns or splits tables, but never shortens figures.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import msgspec
from rich.console import Console

from streamgage.analysis.conclusion import texts
from streamgage.show.brief import BELOW, SCREEN_LINES, brief
from streamgage.show.page import (
    FirstScreen,
    Page,
    Point,
)
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import Terminal, finished, hanging, named_text, new_console
from streamgage.show.text_parts import first_line, heading, show_body, show_findings
from streamgage.show.text_table import dim, show_table

_LEAD = 13
"""The width of the names on the first screen, in characters."""


def render(page: Page, terminal: Terminal, *, details: bool = False) -> str:
    """Write the page as text.

    That is its first screen if it has one, else the machine, the tables, the verdict and the
    findings. On a terminal that has no room for these, it is what fits of them: the answer first.
    ``details``: write the whole page, with the checks that passed.
    """
    if page.first is not None and not details:
        return _one_screen(page, page.first, terminal)
    whole = _whole(page, terminal, details=details)
    if details or terminal.lines is None or whole.count("\n") <= terminal.lines - BELOW:
        return whole
    return brief(page, terminal)


def _whole(page: Page, terminal: Terminal, *, details: bool) -> str:
    """Write the whole page; ``details``: with the checks that passed."""
    text = io.StringIO()
    console = new_console(text, terminal)
    symbols = terminal.symbols
    if page.trust is not None:
        first_line(console, page, page.trust, symbols)
    heading(console, page, symbols)
    _terms(console, page.terms, symbols)
    if page.body:
        show_body(console, page.body, symbols)
        return finished(text).strip("\n") + "\n"
    _tables(console, page, symbols)
    sentences = [*page.remarks, *([] if page.shown_in_tables else texts(page.conclusions))]
    for sentence in sentences:
        hanging(console, " ", symbols.text(sentence))
    if sentences:
        console.print()
    _lists(console, page, symbols, details=False)
    _named_sentence(console, " The limit: ", page.limit, symbols)
    _named_sentence(console, " To quote:  ", page.quote, symbols, style="bold")
    if details:
        _lists(console, page, symbols, details=True)
    show_findings(console, page.findings, symbols)
    _passed(console, page, symbols, details=details)
    return finished(text)


def _one_screen(page: Page, first: FirstScreen, terminal: Terminal) -> str:
    """Write the first screen; droppable points go until it fits into the lines of a terminal."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if page.trust is not None:
        first_line(console, page, page.trust, terminal.symbols)
    _first_screen(console, first, terminal.symbols)
    written = finished(text)
    goes = max(first.points, key=lambda each: each.may_go, default=None)
    room = SCREEN_LINES if terminal.lines is None else terminal.lines - BELOW
    if written.count("\n") <= room or goes is None or not goes.may_go:
        return written
    kept = _without(first.points, goes)
    return _one_screen(page, msgspec.structs.replace(first, points=kept), terminal)


def _without(points: Sequence[Point], gone: Point) -> list[Point]:
    """The points without ``gone``. A point below it that shares its name takes over the name."""
    number = next(number for number, each in enumerate(points) if each is gone)
    before, after = points[:number], list(points[number + 1 :])
    if gone.name and after and not after[0].name:
        after[0] = msgspec.structs.replace(after[0], name=gone.name)
    return [*before, *after]


def _first_screen(console: Console, first: FirstScreen, symbols: Symbols) -> None:
    for sentence in first.before:
        hanging(console, " ", symbols.text(sentence))
    hanging(console, " ", symbols.text(first.subject))
    console.print()
    show_table(console, first.table, symbols)
    for each in first.points:
        hanging(console, f" {each.name}", symbols.text(each.text), indent=_LEAD + 1)
    console.print()
    if first.quote:
        hanging(console, " Quote", symbols.text(first.quote), indent=_LEAD + 1, style="bold")
        console.print()
    hanging(console, " More", symbols.text(first.more), indent=_LEAD + 1)


def _tables(console: Console, page: Page, symbols: Symbols) -> None:
    """Print the tables, and what their figures are."""
    for number, table in enumerate(page.tables):
        if number and page.tables[number - 1].legend:
            console.print()
        show_table(console, table, symbols)
    if not page.tables:
        console.print(f" {page.nothing}")
        console.print()
    for name, fact in page.facts:
        hanging(console, f" {name}  ", symbols.text(fact))
    if page.facts:
        console.print()
    for source in page.sources:
        hanging(console, " ", symbols.text(source))
    if page.sources:
        console.print()
    legend = bool(page.tables) and page.tables[-1].legend
    quiet = [page.note] if page.tables and page.note and not legend else []
    quiet += [f"{name}: {fact}" for e in page.lists if e.quiet for name, fact in e.pairs]
    for sentence in quiet:
        dim(console, symbols.text(sentence))
    if quiet or legend:
        console.print()


def _named_sentence(
    console: Console, lead: str, sentence: str, symbols: Symbols, *, style: str = ""
) -> None:
    """Print a name and a sentence; an empty sentence prints nothing."""
    if sentence:
        hanging(console, lead, symbols.text(sentence), style=style)
        console.print()


def _lists(console: Console, page: Page, symbols: Symbols, *, details: bool) -> None:
    """Print the lists that need ``--details``, or those that do not."""
    for each in page.lists:
        if each.details != details or each.quiet or not (each.pairs or each.empty):
            continue
        if each.heading:
            hanging(console, " ", each.heading, style="bold")
        if not each.pairs:
            hanging(console, " ", each.empty)
        widest = max((len(name) + 1 for name, _ in each.pairs), default=0)
        for name, fact in each.pairs:
            named_text(console, f" {name}", symbols.text(fact), indent=widest + 2)
        console.print()


def _passed(console: Console, page: Page, symbols: Symbols, *, details: bool) -> None:
    """Print the checks that found nothing wrong; without ``details`` only their number."""
    number = len(page.passed)
    if number and not details:
        more = "more " if page.findings else ""
        checks = "check" if number == 1 else "checks"
        console.print(f"   {number} {checks} {more}passed: --details", style="dim")
    elif number:
        for _, seen in page.passed:
            hanging(console, f" {symbols.passed} ", symbols.text(seen), style="green")


def _terms(console: Console, terms: Sequence[tuple[str, str]], symbols: Symbols) -> None:
    """Print the names that the tables use in a column, each with its meaning."""
    widest = max((len(name) for name, _ in terms), default=0)
    for name, meaning in terms:
        hanging(console, f" {name:<{widest}}  ", symbols.text(meaning))
    if terms:
        console.print()
