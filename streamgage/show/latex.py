r"""``--format latex``: the tables of a page for a paper, with the package ``booktabs``.

``\input`` the text into a document that has ``\usepackage{booktabs}``. Every table is a ``tabular``
of its own, with its title and what its figures are as comments above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from streamgage.records.plain_text import one_line
from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Page, Table, Words, words
from streamgage.show.symbols import UNICODE

_SPECIAL = {
    "\\": r"\textbackslash{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "–": "--",
    "→": r"$\to$",
    "·": r"$\cdot$",
    "✗": r"$\times$",
}


def render(page: Page) -> str:
    """Write each table as a ``tabular``, or a comment if there is no table."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    about = [] if page.machine is None else [line_of_machine(page.machine, UNICODE)]
    yield from map(_comment, (*about, *page.setup, *page.lines))
    yield from (_comment(f"{name}: {meaning}") for name, meaning in page.terms)
    tables = page.tables
    if not (tables or page.body):
        yield _comment(page.nothing)
    for part in page.body or tables:
        yield ""
        if isinstance(part, Words):
            yield from map(_comment, part.sentences)
            continue
        yield _comment(part.whole_title or part.caption)
        yield from _tabular(part) if part.columns else [_comment(part.empty)]
        yield from map(_comment, part.lines_below)
    if tables and page.note:
        yield from ("", _comment(page.note))


def _comment(text: str) -> str:
    return f"% {one_line(text)}"


def _tabular(table: Table[Any]) -> Iterator[str]:
    yield f"\\begin{{tabular}}{{{''.join('l' if each.left else 'r' for each in table.columns)}}}"
    yield r"\toprule"
    if any(each.group for each in table.columns):
        yield from _groups(table)
    yield _row(each.title for each in table.columns)
    yield r"\midrule"
    for row in table.rows:
        yield _row(words(each.cell(row)) for each in table.columns)
    yield from (r"\bottomrule", r"\end{tabular}")


def _groups(table: Table[Any]) -> Iterator[str]:
    """Write the heads of groups of columns, with a rule below each."""
    heads, rules, place = [], [], 1
    for group, members in groupby(table.columns, key=lambda each: each.group):
        count = len(list(members))
        heads.append(f"\\multicolumn{{{count}}}{{c}}{{{escape_latex(group)}}}" if group else "")
        if group:
            rules.append(f"\\cmidrule(lr){{{place}-{place + count - 1}}}")
        place += count
    yield f"{' & '.join(heads)} \\\\"
    yield " ".join(rules)


def _row(texts: Iterator[str]) -> str:
    return f"{' & '.join(map(escape_latex, texts))} \\\\"


def escape_latex(text: str) -> str:
    """Escape text for LaTeX, which then shows it unchanged."""
    return "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
