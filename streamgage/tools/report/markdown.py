"""The same results as one document of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.results.result import Result
from streamgage.show.markdown import escape_markdown, render
from streamgage.tools.report.content import Content, content
from streamgage.tools.report.overview import overview
from streamgage.tools.report.page import title_of
from streamgage.tools.report.parts import Cell, Table


def markdown(results: Sequence[Result[Any]], *, comparison: str | None = None) -> str:
    """A heading for each result; ``comparison`` is Markdown that stands above them."""
    shown = [content(each, number, with_files=False) for number, each in enumerate(results, 1)]
    lines = [f"# {escape_markdown(title_of(shown))}", ""]
    if len(results) > 1:
        lines += ["## Overview", "", *_table(overview([*zip(results, shown, strict=True)])), ""]
    if comparison is not None:
        lines += [comparison.strip(), ""]
    for each in shown:
        lines += _result(each)
    return "\n".join(lines).rstrip() + "\n"


def _result(shown: Content) -> Iterator[str]:
    yield from (f"## {escape_markdown(f'{shown.title}: {shown.name}')}", "")
    for warning in shown.warnings:
        yield from (f"**{escape_markdown(warning)}**", "")
    yield from (
        render(shown.page).strip(),
        "",
        "### How it was measured",
        "",
    )
    for term, text in shown.facts.pairs:
        lead = f"{escape_markdown(term)}: " if term else ""
        yield f"- {lead}{escape_markdown(text)}"
    yield ""


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(escape_markdown(column.title) for column in table.columns)} |"
    yield f"|{'|'.join('---' if column.left else '--:' for column in table.columns)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(cell: Cell) -> str:
    detail = f" ({cell.detail})" if cell.detail else ""
    return escape_markdown(f"{cell.text}{detail}".replace("\n", " "))
