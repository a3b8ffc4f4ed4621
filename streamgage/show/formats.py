"""The formats in which answers are written: one entry, and one module, for each."""

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
    """The document as indented JSON."""
    text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    return f"{escaped_in_json(text)}\n"


@dataclass(frozen=True)
class Shown:
    """An answer to write in some format: its document and its page."""

    document: Document
    open_page: Callable[[], Page]
    file: Path | None = None
    """The file of the text; ``None``: stdout."""
    details: bool = False
    """``True`` if a terminal shows all that there is, not the first screen alone."""

    @property
    def page(self) -> Page:
        """The page."""
        return self.open_page()


@dataclass(frozen=True)
class Format:
    """One format of ``--format``; its text comes from the page, or from the document itself."""

    name: str
    suffix: str
    """Suffix of files in this format."""
    write: Callable[[Shown], str]
    needs: str = ""
    """What an answer needs for this format; empty: every answer has it."""


def _table(shown: Shown) -> str:
    from streamgage.show.table import render
    from streamgage.show.terminal import terminal_for

    return render(shown.page, terminal_for(shown.file), details=shown.details)


def _csv(shown: Shown) -> str:
    from streamgage.show.csv import render

    return render(shown.page.data)


def _page_by(name: str) -> Callable[[Shown], str]:
    """What ``render`` of that module of this folder makes of the page."""

    def write(shown: Shown) -> str:
        text: str = import_module(f"streamgage.show.{name}").render(shown.page)
        return text

    return write


def _dat(shown: Shown) -> str:
    from streamgage.show.dat import render

    columns = shown.page.columns
    assert columns is not None, "its kind has columns"
    return render(columns, shown.page.machine)


def _own(_: Shown) -> str:
    raise AssertionError("a kind that has this format writes it itself")


FORMATS = (
    Format("table", ".txt", _table),
    Format("stream", "", _own, needs="stream"),
    Format("json", ".json", lambda shown: as_json(shown.document)),
    Format("csv", ".csv", _csv),
    Format("markdown", ".md", _page_by("markdown")),
    Format("dat", ".dat", _dat, needs="columns"),
    Format("latex", ".tex", _page_by("latex"), needs="tables"),
    Format("mlc", "", _own, needs="mlc"),
    Format("roofline", "", _own, needs="roofline"),
    Format("roofline-csv", "", _own, needs="roofline"),
    Format("line", "", _own, needs="line"),
    Format("openmetrics", ".prom", _own, needs="line"),
)
"""The formats in the order of display."""


def formats_of(gives: Container[str]) -> tuple[str, ...]:
    """The names of the formats that an answer has which gives that."""
    return tuple(each.name for each in FORMATS if not each.needs or each.needs in gives)


def suffixes_of(formats: Container[str]) -> dict[str, str]:
    """The file suffixes of these formats, each with its format."""
    return {each.suffix: each.name for each in FORMATS if each.suffix and each.name in formats}


def write(form: str, shown: Shown) -> str:
    """The text in the format of that name."""
    return next(each for each in FORMATS if each.name == form).write(shown)
