"""``--format table``: a page as people read and paste it.

A narrow terminal drops columns or splits tables, but never shortens figures.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Any

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from streamgage.analysis.conclusion import texts
from streamgage.analysis.finding import Finding, Severity
from streamgage.analysis.trust import WORDS, Trust
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Column, FirstScreen, Page, Point, Table, Words, words
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import NARROW, Terminal, finished, hanging, named_text, new_console

_BETWEEN = 4
"""Blanks between groups of columns."""
_STYLES: dict[Severity, str] = {
    "error": "bold red",
    "spoiled": "bold red",
    "warning": "yellow",
    "note": "cyan",
    "fact": "dim",
}
_OF_VERDICT = {"quotable": "bold green", "with-care": "bold yellow", "not-quotable": "bold red"}
_MOST_REASONS = 3
_LEAD = 13
"""The width of the names on the first screen, in characters."""
_SCREEN_LINES = 24
_MARKS = {"passed": "green", "warning": "yellow", "error": "red"}
_TONES = {"good": "green", "bad": "red", "doubtful": "yellow", "quiet": "dim"}


def render(page: Page, terminal: Terminal, *, details: bool = False) -> str:
    """Write the page as text.

    That is its first screen if it has one, else the machine, the tables, the verdict and the
    findings. ``details``: write the whole page, with the checks that passed, even if there is a
    first screen.
    """
    if page.first is not None and not details:
        return _one_screen(page, page.first, terminal)
    text = io.StringIO()
    console = new_console(text, terminal)
    symbols = terminal.symbols
    if page.trust is not None:
        _first_line(console, page, page.trust, symbols)
    _heading(console, page, symbols)
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


def _first_line(console: Console, page: Page, trust: Trust, symbols: Symbols) -> None:
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
    room = console.width - len(page.headline) - 3
    if room >= len(verdict):
        line = Text(f" {symbols.text(page.headline)} ", style="bold")
        line.append(verdict.rjust(room), style=style)
        _print_line(console, line)
    else:
        hanging(console, " ", symbols.text(page.headline), style="bold")
        console.print(Text(f" {verdict}", style=style))
    if reasons:
        hanging(console, " With care: ", symbols.text(f"{reasons}."), style="yellow")


def _one_screen(page: Page, first: FirstScreen, terminal: Terminal) -> str:
    """Write the first screen; droppable points go until it fits into the lines of a terminal."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if page.trust is not None:
        _first_line(console, page, page.trust, terminal.symbols)
    _first_screen(console, first, terminal.symbols)
    written = finished(text)
    goes = max(first.points, key=lambda each: each.may_go, default=None)
    if written.count("\n") <= _SCREEN_LINES or goes is None or not goes.may_go:
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


def _heading(console: Console, page: Page, symbols: Symbols) -> None:
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
                _dim(console, symbols.text(sentence))
            else:
                hanging(console, lead, symbols.text(sentence), style=_MARKS.get(each.mark, ""))
        console.print()


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
        _dim(console, symbols.text(sentence))
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


def _dim(console: Console, text: str) -> None:
    console.print(Padding(text, (0, 0, 0, 1)), style="dim")


def _terms(console: Console, terms: Sequence[tuple[str, str]], symbols: Symbols) -> None:
    """Print the names that the tables use in a column, each with its meaning."""
    widest = max((len(name) for name, _ in terms), default=0)
    for name, meaning in terms:
        hanging(console, f" {name:<{widest}}  ", symbols.text(meaning))
    if terms:
        console.print()


def show_findings(console: Console, findings: Sequence[Finding], symbols: Symbols) -> None:
    """Print every finding with its mark and code, in the order given."""
    if not findings:
        return
    widest = max(len(finding.code) for finding in findings)
    for finding in findings:
        lead = f" {symbols.of(finding.severity)} {finding.code}"
        style = _STYLES[finding.severity]
        text = finding.sentence if finding.severity == "fact" else finding.text
        named_text(console, lead, text, style=style, indent=widest + 6)
    console.print("   More on each: streamgage explain CODE", style="dim")


@dataclass(frozen=True)
class _TextColumn:
    """A column as text: its title, and a text and a style for each row."""

    column: Column[Any]
    head: str
    texts: Sequence[str]
    styles: Sequence[str]
    least: int = 0
    """The least width of the column."""

    @property
    def width(self) -> int:
        return max(self.least, *(len(text) for text in (self.head, *self.texts)))

    def filled(self, row: int) -> str:
        """The text of a row, padded to the width of the column; row -1 is the title."""
        text = self.head if row < 0 else self.texts[row]
        return text.ljust(self.width) if self.column.left else text.rjust(self.width)

    def style(self, row: int) -> str:
        """The style of a row; titles are bold."""
        return "bold" if row < 0 else self.styles[row]


def show_table(console: Console, table: Table[Any], symbols: Symbols) -> None:
    """Print a table with its title, and an empty line after it."""
    if table.title and table.about:
        hanging(console, f" {table.title}  ", symbols.text(table.about), style="bold")
    elif table.title:
        console.print(Text(f" {table.title}", style="bold"))
    foot = table.foot
    if not table.rows:
        console.print(f" {table.empty}")
    elif any(each.roomy and not each.may_go for each in table.columns):
        _print_broken(console, [_text_column(each, table, symbols) for each in table.columns])
    else:
        shown = [_text_column(each, table, symbols) for each in table.columns]
        if table.even:
            widest = max(each.width for each in shown[1:])
            shown[1:] = [replace(each, least=widest) for each in shown[1:]]
        if table.split == "never":
            fitting = _print_fitting(console, shown, table.gap)
            if table.legend:
                foot = [symbols.separator.join((*foot, *_legend(shown, fitting)))]
        else:
            _print_parts(console, table, shown, symbols)
    if foot:
        _dim(console, symbols.text(" ".join(foot)))
    for note in (note for about, note in table.notes if not about):
        hanging(console, " ", symbols.text(note))
    if not table.legend:
        console.print()


def _text_column(column: Column[Any], table: Table[Any], symbols: Symbols) -> _TextColumn:
    cells = [column.cell(row) for row in table.rows]
    marks = [f"{symbols.error} " if cell.wrong else "" for cell in cells]
    texts = [f"{mark}{symbols.text(words(e))}" for mark, e in zip(marks, cells, strict=True)]
    if table.merge and column is table.columns[0]:
        texts = [
            "" if number and text == texts[number - 1] else text
            for number, text in enumerate(texts)
        ]
    first = column is table.columns[0]
    styles = ["bold" if first or c.strong else _TONES.get(c.tone, "not bold") for c in cells]
    return _TextColumn(column, "" if column.half else symbols.text(column.title), texts, styles)


def _total(columns: Sequence[_TextColumn], gap: int) -> int:
    return 1 + sum(each.width + gap for each in columns) - gap


def _fitting(columns: list[_TextColumn], width: int, gap: int) -> list[_TextColumn]:
    """The columns that fit into ``width`` after dropping those that may go."""
    while _total(columns, gap) > width:
        most = max(each.column.may_go for each in columns)
        if not most:
            break
        columns = [each for each in columns if each.column.may_go != most]
    return columns


def _print_fitting(console: Console, columns: list[_TextColumn], gap: int) -> list[_TextColumn]:
    """Print the columns that fit, and return them; names are wrapped if that makes them fit."""
    fitting = _fitting(columns, console.width, gap)
    lead, *rest = fitting
    left = console.width - (_total(fitting, gap) - lead.width)
    longest = max(len(word) for text in (lead.head, *lead.texts) for word in text.split())
    if not longest <= left < lead.width:
        _print_rows(console, fitting, gap)
    else:
        folded = msgspec.structs.replace(lead.column, roomy=True)
        _print_broken(console, [replace(lead, column=folded), *rest])
    return fitting


def _legend(columns: Sequence[_TextColumn], fitting: Sequence[_TextColumn]) -> Iterator[str]:
    """Explain the columns whose title is too short, and name those left out.

    Columns that are left out together have the name of the first.
    """
    yield from dict.fromkeys(
        f"{each.head}: {each.column.about}" for each in reversed(fitting) if each.column.about
    )
    hidden = [each.column for each in columns if each not in fitting]
    names = {each.may_go: each.long_title or each.title for each in reversed(hidden)}
    if hidden:
        first = dict.fromkeys(each.may_go for each in hidden)
        yield f"left out for width: {', '.join(names[each] for each in first)}"


def _print_rows(console: Console, columns: Sequence[_TextColumn], gap: int) -> None:
    for row in range(-1, len(columns[0].texts)):
        line = Text(" ")
        for each, after in zip_longest(columns, columns[1:]):
            near = after is not None and after.column.half
            line.append(each.filled(row) + " " * (1 if near else gap), style=each.style(row))
        _print_line(console, line)


def _print_broken(console: Console, columns: Sequence[_TextColumn]) -> None:
    """Print lines of cells in which long words are wrapped."""
    grid = Grid(box=None, header_style="bold", pad_edge=False)
    kept = [each for each in columns if console.width >= NARROW or not each.column.may_go]
    for each in kept:
        column = each.column
        grid.add_column(
            each.head,
            justify="left" if column.left else "right",
            max_width=column.widest or None,
            no_wrap=not column.roomy,
            overflow="fold" if column.roomy else "ellipsis",
        )
    for row in range(len(columns[0].texts)):
        grid.add_row(*(Text(each.texts[row], each.styles[row]) for each in kept))
    console.print(Padding(grid, (0, 0, 0, 1)))


def _print_line(console: Console, line: Text) -> None:
    line.rstrip()
    console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _print_parts(
    console: Console, table: Table[Any], columns: Sequence[_TextColumn], symbols: Symbols
) -> None:
    """Print the columns in as many parts as the width requires; each repeats the first column."""
    lead, *rest = columns
    groups = [
        (name, list(members)) for name, members in groupby(rest, key=lambda each: each.column.group)
    ]
    if table.split == "columns":
        groups = [("", [each]) for each in rest]
    between = _BETWEEN if table.split == "groups" else table.gap
    notes = dict(table.notes)
    parts = _parts(groups, console.width - 1 - lead.width, between, table.gap)
    for number, part in enumerate(parts):
        if number:
            console.print()
        if table.split == "groups":
            over = Text(" " * (1 + lead.width))
            for name, members in part:
                whole = _total(members, table.gap) - 1
                over.append(" " * between + name.center(whole).rstrip().ljust(whole))
            _print_line(console, over)
        elif table.over:
            whole = sum(between + members[0].width for _, members in part)
            room = min(whole, console.width - 1 - lead.width)
            over_text = table.over.rjust(room)
            over_text = over_text if len(over_text) > len(table.over) else f"  {table.over}"
            console.print(Text(f" {' ' * lead.width}{over_text}", style="dim"))
        for row in range(-1, len(lead.texts)):
            line = Text(" " + lead.filled(row), style=lead.style(row))
            for _, members in part:
                line.append(" " * between)
                for place, each in enumerate(members):
                    line.append(" " * table.gap * bool(place) + each.filled(row), each.style(row))
            _print_line(console, line)
        for name, _ in part:
            if name in notes:
                named = f"{name}: " if len(part) > 1 else ""
                body = symbols.text(f"{named}{notes[name]}")
                hanging(console, f" {' ' * lead.width}  ", body, style="dim")


def _parts(
    groups: Sequence[tuple[str, list[_TextColumn]]], room: int, between: int, gap: int
) -> Iterator[list[tuple[str, list[_TextColumn]]]]:
    """Split the groups into parts that fit, at least one group each."""
    part: list[tuple[str, list[_TextColumn]]] = []
    left = room
    for group in groups:
        needed = between + _total(group[1], gap) - 1
        if part and needed > left:
            yield part
            part, left = [], room
        part.append(group)
        left -= needed
    yield part
