"""The formats in which results are written: one entry, and one module, for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from streamgage.show.detail import PLAIN, Detail

if TYPE_CHECKING:
    from streamgage.show.page import Page


class SeriesFormat(StrEnum):
    """Formats of ``--format``."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def as_json(document: msgspec.Struct) -> str:
    """The document as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


@dataclass(frozen=True)
class Shown:
    """A result that is to be written: its document, and what it shows."""

    document: msgspec.Struct
    open_page: Callable[[], Page]
    file: Path | None = None
    """Where the text goes; ``None``: stdout."""
    detail: Detail = PLAIN
    """How much a terminal shows."""

    @property
    def page(self) -> Page:
        """What it shows."""
        return self.open_page()


@dataclass(frozen=True)
class Format:
    """One format of ``--format``; its text comes from the page, or from the document itself."""

    name: str
    suffix: str
    """Of files that have it."""
    write: Callable[[Shown], str]
    needs: str = ""
    """What a kind of result must have to be written so; empty: every kind can."""


def _table(shown: Shown) -> str:
    from streamgage.show.table import render
    from streamgage.show.terminal import terminal_for

    return render(shown.page, terminal_for(shown.file), shown.detail)


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
    Format("latex", ".tex", _page_by("latex")),
)
"""In the order in which they are named."""
