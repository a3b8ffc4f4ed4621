"""``--format markdown``: a page to paste into an issue or another page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.analysis.conclusion import texts
from streamgage.analysis.finding import Finding
from streamgage.analysis.trust import Trust
from streamgage.records.plain_text import one_line
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Cell, Code, Listing, Page, Table, Words, words
from streamgage.show.symbols import UNICODE

_MARKUP = re.compile(
    r"""
      [\\`*_|<>]|&(?=\#?\w+;)       # of words, tables and entities
    | \](?=[(\[:])                   # of links and pictures
    | (?<=[A-Za-z]):(?=//)           # what looks like an address becomes a link
    | (?i:(?<=\bwww)\.)
    | (?<=[\w.+-])@(?=[\w-])
    | \A[-+=\#~](?=\s|\#|=|~|-)  # at its start: of headings, lists and lines
    | (?<=\A[0-9])[.)](?=\s)
    """,
    re.VERBOSE,
)
_ALL = "Every kernel and store mode"


def render(page: Page) -> str:
    """Write the page as Markdown: machine, tables, verdict and findings."""
    return "\n".join(_lines(page)).rstrip("\n") + "\n"


def _lines(page: Page) -> Iterator[str]:
    if page.trust is not None:
        yield from _first(page, page.trust)
    if page.machine is not None:
        yield from paragraph(line_of_machine(page.machine, UNICODE, page.machine_more))
    for line in (*page.setup, *page.lines):
        yield from paragraph(line)
    for name, meaning in page.terms:
        yield f"- **{escape_markdown(name)}**: {escape_markdown(meaning)}"
    if page.terms:
        yield ""
    if page.body:
        yield from _body(page.body)
        return
    yield from _tables(page)
    for name, fact in page.facts:
        yield f"- {escape_markdown(name)}: {escape_markdown(fact)}"
    if page.facts:
        yield ""
    if page.sources:
        yield from paragraph("; ".join(page.sources))
    last = [page.note] if page.tables else [page.nothing]
    last += [*page.remarks, *([] if page.shown_in_tables else texts(page.conclusions))]
    yield "\n\n".join(escape_markdown(each) for each in last if each)
    for each in page.lists:
        yield from _list_lines(each)


def _first(page: Page, trust: Trust) -> Iterator[str]:
    """Write the figure, how far it can be trusted, how to quote it, and the findings."""
    yield from (f"**{escape_markdown(page.headline)}: {escape_markdown(trust.words)}.**", "")
    if page.quote:
        yield from (f"> {escape_markdown(page.quote)}", "")
    if page.findings:
        yield from (*finding_lines(page.findings), "")


def _tables(page: Page) -> Iterator[str]:
    """Write all tables; long ones are folded below a short one."""
    folded = page.first is not None and page.first.folds
    if page.first is not None and folded:
        yield from table_lines(page.first.table)
        yield from (f"<details><summary>{_ALL}</summary>", "")
    for table in page.tables:
        yield from table_lines(table)
    if folded:
        yield from ("</details>", "")


def _body(body: Sequence[Table[Any] | Words]) -> Iterator[str]:
    """Write tables, and sentences as paragraphs, or as a list if they have a mark."""
    for each in body:
        if isinstance(each, Table):
            yield from table_lines(each)
            continue
        for sentence in each.sentences:
            text = escape_markdown(sentence)
            if each.strong:
                yield from (f"**{text}**", "")
            elif each.mark:
                yield f"- {text}"
            else:
                yield from (text, "")
        if each.mark and not each.strong:
            yield ""


def _list_lines(listing: Listing) -> Iterator[str]:
    """Write a list with its title, after an empty line."""
    if not listing.pairs or (listing.details and not listing.title):
        return
    yield ""
    if listing.title:
        yield from (f"{escape_markdown(listing.title)}:", "")
    for name, fact in listing.pairs:
        yield f"- {escape_markdown(f'{name}: {fact}')}"


def paragraph(text: str) -> tuple[str, str]:
    """Write text as a paragraph of one line."""
    return _code(text) if isinstance(text, Code) else escape_markdown(text), ""


def _code(text: str) -> str:
    """Write text as code, between backticks that the text itself does not contain."""
    shown = one_line(text)
    fence = "`" * (max((len(each) for each in re.findall("`+", shown)), default=0) + 1)
    space = " " if "`" in shown else ""
    return f"{fence}{space}{shown}{space}{fence}"


def finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Write every finding with its code."""
    for each in findings:
        yield f"- **{each.code}** ({each.severity}): {escape_markdown(each.text)}"


def table_lines(table: Table[Any]) -> Iterator[str]:
    """Write a table with its title, then an empty line.

    If the table has no columns, its ``empty`` text replaces it.
    """
    if table.title:
        about = f", {escape_markdown(table.about)}" if table.about else ""
        yield from (f"**{escape_markdown(table.title)}**{about}", "")
    if not table.columns:
        yield from paragraph(table.empty)
        return
    yield f"| {' | '.join(escape_markdown(each.whole_title) for each in table.columns)} |"
    yield f"|{''.join(':--|' if each.left else '--:|' for each in table.columns)}"
    for row in table.rows:
        cells = (_cell(each.cell(row)) for each in table.columns)
        yield f"| {' | '.join(cells)} |"
    yield ""
    named = [each for each in table.notes if each[0]]
    for name, note in named:
        yield f"- {escape_markdown(f'{name}: {note}')}"
    if named:
        yield ""
    for sentence in (*table.lines_below, *(note for name, note in table.notes if not name)):
        yield from paragraph(sentence)


def _cell(cell: Cell) -> str:
    detail = f" ({cell.detail})" if cell.detail else ""
    text = escape_markdown(f"{words(cell)}{detail}")
    return f"**{text}**" if cell.wrong else text


def escape_markdown(text: str) -> str:
    """Escape text for one line of Markdown, so that it makes no link, picture or list."""
    return _MARKUP.sub(r"\\\g<0>", one_line(text))
