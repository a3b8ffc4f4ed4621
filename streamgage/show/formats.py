"""The output formats: each has an entry here, and a module that writes it."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from streamgage.records.plain_text import escaped_in_json

if TYPE_CHECKING:
    from streamgage.show.page import Page

Document = msgspec.Struct | Sequence[msgspec.Struct]


def as_json(document: Document) -> str:
    """Write the document as indented JSON."""
    text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    return f"{escaped_in_json(text)}\n"


@dataclass(frozen=True)
class ResultToWrite:
    """A result to write in some format: its document, and its page once that is needed."""

    document: Document
    open_page: Callable[[], Page]
    file: Path | None = None
    """The file that it is written to; ``None`` is stdout."""
    details: bool = False
    """``True`` if a terminal shows everything instead of the first screen."""

    @property
    def page(self) -> Page:
        """The page of the result."""
        return self.open_page()


@dataclass(frozen=True)
class Format:
    """One format of ``--format``. Its text comes from the page, or from the document itself."""

    name: str
    suffix: str
    """The suffix of files in this format; empty if there is none."""
    write: Callable[[ResultToWrite], str]
    needs: str = ""
    """The capability that a result needs for this format; empty if every result has the format."""


def _table(result: ResultToWrite) -> str:
    from streamgage.show.table import render
    from streamgage.show.terminal import terminal_for

    return render(result.page, terminal_for(result.file), details=result.details)


def _csv(result: ResultToWrite) -> str:
    from streamgage.show.csv import render

    return render(result.page.data)


def _page_by(name: str) -> Callable[[ResultToWrite], str]:
    """Make a function that renders the page with the module ``streamgage.show.NAME``."""

    def write(result: ResultToWrite) -> str:
        text: str = import_module(f"streamgage.show.{name}").render(result.page)
        return text

    return write


def _dat(result: ResultToWrite) -> str:
    from streamgage.show.dat import render

    columns = result.page.columns
    assert columns is not None, "its kind has columns"
    return render(columns, result.page.machine)


def _own(_: ResultToWrite) -> str:
    raise AssertionError("a kind that has this format writes it itself")


FORMATS = (
    Format("table", ".txt", _table),
    Format("stream", "", _own, needs="stream"),
    Format("json", ".json", lambda result: as_json(result.document)),
    Format("csv", ".csv", _csv),
    Format("markdown", ".md", _page_by("markdown")),
    Format("dat", ".dat", _dat, needs="columns"),
    Format("latex", ".tex", _page_by("latex"), needs="tables"),
    Format("bibtex", ".bib", _page_by("bibtex"), needs="quote"),
    Format("mlc", "", _own, needs="mlc"),
    Format("roofline", "", _own, needs="roofline"),
    Format("roofline-csv", "", _own, needs="roofline"),
    Format("line", "", _own, needs="line"),
    Format("openmetrics", ".prom", _own, needs="state"),
)
"""All formats, in the order in which they are listed."""


def formats_of(gives: Container[str]) -> tuple[str, ...]:
    """The names of the formats of a result with these capabilities."""
    return tuple(each.name for each in FORMATS if not each.needs or each.needs in gives)


def suffixes_of(formats: Container[str]) -> dict[str, str]:
    """The file suffixes of these formats, each with the name of its format."""
    return {each.suffix: each.name for each in FORMATS if each.suffix and each.name in formats}


def write(form: str, result: ResultToWrite) -> str:
    """Write the result in the format with that name."""
    return next(each for each in FORMATS if each.name == form).write(result)
