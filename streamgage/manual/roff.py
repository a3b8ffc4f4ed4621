"""Writes pages for ``man``: roff with the macros of man(7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from streamgage.manual.page import Option, Page

SECTION = 1


def render(page: Page, version: str, others: Sequence[str] = ()) -> str:
    """The text of a page, which ends with the titles ``others`` of further pages."""
    return "\n".join(_lines(page, version, others)) + "\n"


def _lines(page: Page, version: str, others: Sequence[str]) -> Iterator[str]:
    yield '.\\" Written by python -m streamgage.manual: change the program, not this file.'
    yield f'.TH {page.title.upper()} {SECTION} "" "streamgage {version}" "streamgage"'
    yield ".nh"  # names are not to be broken
    yield ".ad l"
    yield ".SH NAME"
    yield f"{_text(page.title)} \\- {_text(_as_name(page.summary))}"
    yield ".SH SYNOPSIS"
    yield f".B {_literal(page.name)}"
    yield _literal(page.usage)
    yield ".SH DESCRIPTION"
    yield _text(page.summary)
    for remark in page.remarks:
        yield ".PP"
        yield _text(remark)
    if page.commands:
        yield ".SH COMMANDS"
        for name, summary in page.commands:
            yield from _item(f"\\fB{_literal(name)}\\fR", summary)
    yield from _listed("ARGUMENTS", page.arguments)
    yield from _listed("OPTIONS", page.options)
    if page.examples:
        yield ".SH EXAMPLES"
        for line, does in page.examples:
            yield from _item(f"\\fB{_literal(line)}\\fR", does)
    yield from _table("EXIT STATUS", page.statuses)
    yield from _table("ENVIRONMENT", page.variables)
    yield from _table("FILES", page.files)
    if others:
        yield ".SH SEE ALSO"
        for number, title in enumerate(others, 1):
            comma = "," if number < len(others) else ""
            yield f".BR {_literal(title)} ({SECTION}){comma}"


def _listed(heading: str, options: Sequence[Option]) -> Iterator[str]:
    if not options:
        return
    yield f".SH {heading}"
    for option in options:
        names = ", ".join(f"\\fB{_literal(name)}\\fR" for name in option.names)
        words = _literal(option.value or "").replace("|", "|\\:")  # where a line may end
        value = f" \\fI{words}\\fR" if words else ""
        default = f" Default: {option.default}." if option.default else ""
        yield from _item(names + value, option.text + default)


def _table(heading: str, rows: Mapping[str, str]) -> Iterator[str]:
    if not rows:
        return
    yield f".SH {heading}"
    for name, text in rows.items():
        yield from _item(f"\\fB{_literal(name)}\\fR", text)


def _item(tag: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield tag
    yield _text(text)


def _text(text: str) -> str:
    """Text whose lines man fills; nothing in it is taken for a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _literal(text: str) -> str:
    """Text to be typed by the reader: quotes and accents stay as they are."""
    marks = {"'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
    return "".join(marks.get(each, each) for each in _text(text).removeprefix("\\&"))


def _as_name(summary: str) -> str:
    """The summary in the form that ``whatis`` shows."""
    first = summary.partition(";")[0].rstrip(".")
    return first[:1].lower() + first[1:]
