"""The interface of a store's database, of any kind.

The statements are the same for every kind: ``?`` stands for a value. What differs is in the class
of the kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.address import StorePlace

WAIT_SECONDS = 30.0
"""How long to wait for another writer, who takes some milliseconds."""
ELSEWHERE = "name another with --store"
Row = tuple[Any, ...]


class StoreError(StreamgageError):
    """The store could not be read or written."""


class EmptyStoreError(UsageError):
    """Nothing is stored there yet."""

    def __init__(self, place: StorePlace) -> None:
        """Say where."""
        super().__init__(f"No result is stored in {place}: measure first, or name a file.")


class Database(ABC):
    """A database that is open. All methods raise ``StoreError`` if it cannot be used."""

    begin: ClassVar[str]
    """Begins a transaction that writes."""
    like: ClassVar[str]
    """Compares with a pattern, in upper or lower case of ASCII."""
    total_bytes: ClassVar[str]
    """The sum of ``files.bytes`` as an integer; 0 without a row."""

    @abstractmethod
    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """The rows that the statement finds."""

    @abstractmethod
    def run(self, statement: str, values: Iterable[Sequence[object]] = ((),)) -> None:
        """Run the statement with each of the rows of values."""

    @abstractmethod
    def number_of_new(self, statement: str, values: Sequence[object]) -> int | None:
        """Insert a row; its number. ``None``: another writer was quicker with the same row."""

    @abstractmethod
    def roll_back(self) -> None:
        """Undo what the transaction did, if it has not ended by itself."""

    @abstractmethod
    def close(self) -> None:
        """End the connection."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as a transaction: all of it or nothing."""
        self.run(self.begin)
        try:
            yield
        except BaseException:
            self.roll_back()
            raise
        self.run("COMMIT")
