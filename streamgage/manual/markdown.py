"""Pages of commands for the documentation, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from streamgage.manual.page import Option, Page

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def render(page: Page, more: Mapping[str, str] | None = None) -> str:
    """The text of a page; ``more`` maps titles of further pages to their addresses."""
    return "\n".join(_lines(page, more or {})) + "\n"


def escaped(text: str) -> str:
    """Escape all characters that have a meaning in Markdown."""
    return _SPECIAL.sub(r"\\\1", text)


def _lines(page: Page, more: Mapping[str, str]) -> Iterator[str]:
    yield f"# {page.name}"
    yield ""
    yield escaped(page.summary)
    yield ""
    yield f"`{page.name} {page.usage}`"
    for remark in page.remarks:
        yield ""
        yield escaped(remark)
    if more:
        yield ""
        yield "More: " + ", ".join(f"[{title}]({address})" for title, address in more.items()) + "."
    yield from _listed("Arguments", page.arguments)
    if page.examples:
        yield from ("", "## Examples")
        for line, does in page.examples:
            yield from ("", escaped(does), "", "```sh", line, "```")
    yield from _listed("Options", page.options)
    yield from _table("Exit status", page.statuses)
    yield from _table("Variables of the environment", page.variables)
    yield from _table("Files", page.files)


def _listed(heading: str, options: Sequence[Option]) -> Iterator[str]:
    if not options:
        return
    yield from ("", f"## {heading}", "", "| | |", "|---|---|")
    for option in options:
        names = ", ".join(_code(f"{name} {option.value or ''}".strip()) for name in option.names)
        default = f" Default: {_code(option.default)}." if option.default else ""
        yield f"| {names} | {escaped(option.text)}{default} |"


def _table(heading: str, rows: Mapping[str, str]) -> Iterator[str]:
    if not rows:
        return
    yield from ("", f"## {heading}", "", "| | |", "|---|---|")
    for name, text in rows.items():
        yield f"| {_code(name)} | {escaped(text)} |"


def _code(text: str) -> str:
    """Write code for a table's cell, with bars escaped because they would end the cell."""
    return (
        "<code>"
        + text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")
        + "</code>"
    )
