"""The return values of commands, and how the command line shows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from streamgage.api.rows import Rows, rows_of
from streamgage.errors import UsageError
from streamgage.options.values import PathLike
from streamgage.show.formats import ResultToWrite, write
from streamgage.show.output import open_output

if TYPE_CHECKING:
    import pandas

    from streamgage.show.page import Page

Of = TypeVar("Of", bound=msgspec.Struct)
AS_FILE = Path("table.txt")
"""A placeholder for a file: a table that goes to a file has the same width everywhere."""


class Answer(ABC):
    """The return value of a command, and how the command line shows it."""

    @property
    def exit_status(self) -> int:
        """The command's exit status."""
        return 0

    @property
    def notes_before(self) -> tuple[str, ...]:
        """Sentences that the command prints on stderr before the answer."""
        return ()

    @property
    def notes_after(self) -> tuple[str, ...]:
        """Sentences that the command prints on stderr after the answer."""
        return ()

    @abstractmethod
    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, for ``file`` (``None``: stdout)."""

    def table(self) -> Text:
        """The table that the command prints, 100 characters wide."""
        return Text(self.printed("table"))

    def to_json(self) -> str:
        """The JSON that the command prints."""
        return self.printed("json")

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


class PagedAnswer(Answer):
    """The base of every answer that has a page."""

    @property
    @abstractmethod
    def document(self) -> Any:  # noqa: ANN401 - each has its own
        """The document that ``--format json`` prints, typed."""

    @property
    @abstractmethod
    def page(self) -> Page:
        """The page of the answer, for any format."""

    @cached_property
    def rates(self) -> Rows:
        """A row per figure, with the columns of ``--format csv``; rates are GB/s."""
        return rows_of(self.page.data, self._title)

    @property
    def _title(self) -> str:
        return self.page.title

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that the command prints with ``--format``, for ``file`` (``None``: stdout)."""
        return write(form, ResultToWrite(self.document, lambda: self.page, file, details))

    def to_csv(self) -> str:
        """The text of ``--format csv``."""
        return self.printed("csv")

    def to_markdown(self) -> str:
        """The text of ``--format markdown``."""
        return self.printed("markdown")

    def to_pandas(self) -> pandas.DataFrame:
        """``rates`` as a data frame. Raises ``UsageError`` if pandas is not installed."""
        return self.rates.to_pandas()


class BaseAnswer(Answer, Generic[Of]):
    """The base of every answer that is not a result."""

    _forms: ClassVar[dict[str, str]] = {".txt": "table", ".json": "json"}
    """The formats of ``save``, by the suffix of the name."""

    def __init__(self, document: Of, notes: tuple[str, ...] = ()) -> None:
        """Keep ``document``, which the command prints, and ``notes``, sentences already printed."""
        self._document = document
        self.notes = notes
        """Sentences printed while the answer was worked out."""

    @property
    def document(self) -> Of:
        """The answer as a typed document; ``schema/`` describes it."""
        return self._document

    def to_dict(self) -> dict[str, Any]:
        """The answer as lists and mappings: what the command prints as JSON."""
        built: dict[str, Any] = msgspec.to_builtins(self.document)
        return built

    def save(self, path: PathLike) -> Path:
        """Write the answer to a file, in the format of its suffix, and return its path.

        Raises ``UsageError`` for an unknown suffix, ``StreamgageError`` if the file cannot be
        written.
        """
        file = Path(path)
        form = self._forms.get(file.suffix.lower())
        if form is None:
            raise UsageError(f"{file} has no suffix that is known: use {', '.join(self._forms)}.")
        with open_output(file, "path") as out:
            out.write_bytes(self._content(form, file))
        return file

    def _content(self, form: str, file: Path) -> bytes:
        """Return the bytes that ``save`` writes."""
        return self.printed(form).encode("utf-8")


class Text(str):
    """A string that is shown as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # A notebook's own style would break the lines of a wide table.
        return f'<pre style="white-space: pre; overflow-x: auto">{escape(self)}</pre>'
