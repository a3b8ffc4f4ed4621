"""What a page is made of. All of it is plain text: the templates escape it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

Trace = dict[str, Any]
Layout = dict[str, Any]
"""A layout of Plotly, except that every colour is the name of one in ``report.css``."""


@dataclass(frozen=True)
class Cell:
    """One figure or word of a table."""

    text: str
    order: float | None = None
    """What the column is sorted by; ``None``: the text."""
    detail: str = ""
    """Next to the text, in lighter type: an interval, or how the figure is known."""
    strong: bool = False
    link: str = ""
    """The place in the page that it leads to."""


@dataclass(frozen=True)
class Column:
    """The head of a column."""

    title: str
    left: bool = False
    """Whether the column has words, not figures."""
    roomy: bool = False
    """Whether the column has long words, which may be broken."""
    about: str = ""
    """What the figures are, if the title is too short to say it."""


@dataclass(frozen=True)
class Table:
    """A table with a caption; the first cell of each row is its head."""

    template: ClassVar[str] = "table"
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    foot: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture, or one of several to choose from."""

    name: str
    traces: Sequence[Trace]
    layout: Layout
    shared: Sequence[Trace] = ()
    """Arrays that several traces have, each written once: a trace says ``{"shared": 0}``."""


@dataclass(frozen=True)
class Figure:
    """A plot, with its content in words and, for readers who cannot see it, as a table."""

    template: ClassVar[str] = "figure"
    title: str
    about: str
    drawings: Sequence[Drawing]
    table: Table
    select: str = ""
    """What the reader chooses between, if there are several drawings."""
    first: int = 0
    """The drawing that is shown at first."""
    tall: bool = False
    wide: bool = False


@dataclass(frozen=True)
class Words:
    """Sentences, a paragraph each."""

    template: ClassVar[str] = "words"
    sentences: Sequence[str]
    answer: bool = False
    """Whether the words are the conclusion of the whole result."""
    title: str = ""
    """Before the first sentence, such as ``To quote``."""
    quiet: bool = False
    tone: str = ""
    """For an answer: the verdict on how far it can be trusted."""


@dataclass(frozen=True)
class Facts:
    """Terms, and what the page says about each."""

    template: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str]]


Part = Table | Figure | Words | Facts


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    parts: Sequence[Part] = field(default_factory=tuple)
