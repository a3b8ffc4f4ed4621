"""Writes results as one Markdown document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streamgage.html.content import Content, content
from streamgage.html.overview import overview
from streamgage.html.page import title_of
from streamgage.results.result import Result
from streamgage.show.markdown import escape_markdown, render, table_lines


def markdown(results: Sequence[Result[Any]], *, comparison: str | None = None) -> str:
    """The document, with a heading for each result, below ``comparison``, which is Markdown."""
    shown = [content(each, number, with_files=False) for number, each in enumerate(results, 1)]
    lines = [f"# {escape_markdown(title_of(shown))}", ""]
    if len(results) > 1:
        lines += ["## Overview", "", *table_lines(overview(shown))]
    if comparison is not None:
        lines += [comparison.strip(), ""]
    for each in shown:
        lines += _result(each)
    return "\n".join(lines).rstrip() + "\n"


def _result(shown: Content) -> Iterator[str]:
    yield from (f"## {escape_markdown(f'{shown.page.title}: {shown.name}')}", "")
    for warning in shown.warnings:
        yield from (f"**{escape_markdown(warning)}**", "")
    yield from (
        render(shown.page).strip(),
        "",
        "### How it was measured",
        "",
    )
    for term, text in shown.settings:
        lead = f"{escape_markdown(term)}: " if term else ""
        yield f"- {lead}{escape_markdown(text)}"
    yield ""
