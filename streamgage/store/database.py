"""The interface of a store's database, whether SQLite or PostgreSQL.

Both run the same statements, in which ``?`` stands for a value. What differs between them is in
their classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import StorePlace

WAIT_SECONDS = 30.0
"""How long to wait for another writer, who usually needs some milliseconds."""
ELSEWHERE = "name another with --store"
Row = tuple[Any, ...]


class StoreError(StreamgageError):
    """The store could not be read or written."""


class EmptyStoreError(UsageError):
    """There is no store, or it holds no result."""

    def __init__(self, place: StorePlace) -> None:
        """Name the empty store in the message."""
        super().__init__(f"No result is stored in {place}: measure first, or name a file.")


class Database(ABC):
    """An open database. All methods raise ``StoreError`` if it cannot be used."""

    begin: ClassVar[str]
    """The statement that begins a writing transaction."""
    like: ClassVar[str]
    """The operator that matches a pattern, ignoring the case of ASCII letters."""
    total_bytes: ClassVar[str]
    """The expression for the sum of ``files.bytes`` as an integer; 0 if there is no row."""

    @abstractmethod
    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Return the rows that the statement selects."""

    @abstractmethod
    def run(self, statement: str, values: Iterable[Sequence[object]] = ((),)) -> None:
        """Run the statement once for each row of values."""

    @abstractmethod
    def number_of_new(self, statement: str, values: Sequence[object]) -> int | None:
        """Insert a row and return its number.

        ``None`` if another writer just inserted the same row.
        """

    @abstractmethod
    def roll_back(self) -> None:
        """Undo the transaction, if it has not ended by itself."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction: either all of it takes effect, or nothing."""
        self.run(self.begin)
        try:
            yield
        except BaseException:
            self.roll_back()
            raise
        self.run("COMMIT")
