"""Opens and checks a store in an SQLite file, or makes one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.records.files import resolved
from streamgage.records.foreign import MOST_BYTES
from streamgage.store.database import ELSEWHERE, WAIT_SECONDS, Database, Row, StoreError
from streamgage.store.layout import APPLICATION_ID, LAYOUT, VERSION
from streamgage.store.place import own_store

_LEAST_FREE_BYTES = 1 << 20
"""The least free space, in bytes: more than most results need."""
_SENTENCES = {
    sqlite3.SQLITE_CORRUPT: (
        "The store {path} is damaged: move it away; `sqlite3 {path} .recover` may save what is"
        " left of it."
    ),
    sqlite3.SQLITE_FULL: f"The disk of the store {{path}} is full: make room, or {ELSEWHERE}.",
    sqlite3.SQLITE_READONLY: f"The store {{path}} cannot be written: {ELSEWHERE}.",
    sqlite3.SQLITE_CANTOPEN: f"The store {{path}} cannot be opened: {ELSEWHERE}.",
    sqlite3.SQLITE_BUSY: (
        f"Another program has held the store {{path}} for {WAIT_SECONDS:.0f} s: try again."
    ),
}


@contextmanager
def _errors_in_words(path: Path) -> Iterator[None]:
    """Turn exceptions of SQLite and the system into one sentence about the store at ``path``."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _error(path, error) from error
    except OSError as error:
        raise StoreError(
            f"The store {path} cannot be opened ({error.strerror}): {ELSEWHERE}."
        ) from error
    except (OverflowError, UnicodeError) as error:
        raise StoreError(
            f"The store {path} cannot hold a value of this result ({error})."
        ) from error


def _error(path: Path, error: sqlite3.DatabaseError) -> StreamgageError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return UsageError(
            f"{path} is neither a store of streamgage nor another database: {ELSEWHERE}."
        )
    sentence = _SENTENCES.get(code, f"The store {{path}} cannot be used ({error}): {ELSEWHERE}.")
    return StoreError(sentence.replace("{path}", str(path)))


class SqliteDatabase(Database):
    """An SQLite file."""

    begin = "BEGIN IMMEDIATE"  # take the right to write before anything is read
    like = "LIKE"
    total_bytes = "CAST(total(bytes) AS INTEGER)"

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the file. See ``open_database``."""
        self._path = path
        self._connection = _opened(path, create=create)

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """See ``Database``."""
        with _errors_in_words(self._path):
            return self._connection.execute(statement, values).fetchall()

    def run(self, statement: str, values: Iterable[Sequence[object]] = ((),)) -> None:
        """See ``Database``."""
        with _errors_in_words(self._path):
            for each in values:
                self._connection.execute(statement, each)

    def number_of_new(self, statement: str, values: Sequence[object]) -> int | None:
        """See ``Database``. No other program writes at the same time."""
        with _errors_in_words(self._path):
            return self._connection.execute(statement, values).lastrowid

    def roll_back(self) -> None:
        """See ``Database``."""
        if self._connection.in_transaction:  # a full disk has ended the transaction already
            with _errors_in_words(self._path):
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """See ``Database``."""
        self._connection.close()


def _opened(path: Path, *, create: bool) -> sqlite3.Connection:
    if create:
        _require_folder(path)
    with _errors_in_words(path):
        _require_file(path)
        # Reading needs no right to write, except after a writer was killed and left a journal.
        mode = "rwc" if create else "rw"
        address = f"{resolved(path).as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            _prepare(connection, path, create=create)
        except BaseException:
            connection.close()
            raise
        return connection


def require_room(path: Path) -> None:
    """See ``connect.require_room``."""
    with _errors_in_words(path):
        _require_file(path)
        folder = resolved(path).parent
        empty = not path.exists() or path.stat().st_size == 0
    if empty:
        _require_folder(path, make=False)
    else:
        _opened(path, create=False).close()
    # SQLite writes a journal next to the store.
    needed = [folder, *([path] if path.exists() else [])]
    if not all(os.access(each, os.W_OK) for each in needed):
        raise StoreError(_SENTENCES[sqlite3.SQLITE_READONLY].replace("{path}", str(path)))
    with _errors_in_words(path):
        disk = os.statvfs(needed[-1])
    if disk.f_bavail * disk.f_frsize < _LEAST_FREE_BYTES:
        raise StoreError(_SENTENCES[sqlite3.SQLITE_FULL].replace("{path}", str(path)))


def _require_file(path: Path) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a store: name a file with --store.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is a device or a pipe, not a store: name a file with --store.")


def _require_folder(path: Path, *, make: bool = True) -> None:
    """Make the folder of the user's own store. Any other missing folder is a mistake."""
    folder = path.parent
    try:
        if make and path == own_store():
            folder.mkdir(parents=True, exist_ok=True)
        elif not folder.is_dir():
            raise UsageError(
                f"There is no folder {folder} for the store {path}: make it, or {ELSEWHERE}."
            )
    except OSError as error:
        raise StoreError(
            f"The folder {folder} cannot be made ({error.strerror}): {ELSEWHERE}."
        ) from error


def _prepare(connection: sqlite3.Connection, path: Path, *, create: bool) -> None:
    # In one transaction, so that it never sees a store that another program has half made.
    connection.execute("BEGIN")
    empty = _is_empty(connection, path)
    connection.execute("COMMIT")
    if not empty:
        return
    if not create:
        raise UsageError(f"{path} is an empty file, not a store of streamgage: {ELSEWHERE}.")
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or rolls back after an error
        if not _is_empty(connection, path):  # another program has just made it
            return
        for statement in LAYOUT.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _is_empty(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the database is empty.

    Raises ``UsageError`` if it holds anything but a store.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID:
        if tables or version:
            raise UsageError(f"{path} is a database, but not a store of streamgage: {ELSEWHERE}.")
        return True
    if version != VERSION:
        raise UsageError(
            f"The store {path} was made by another version of streamgage, which stores other"
            f" facts: use that version, or {ELSEWHERE}."
        )
    found = connection.execute(_TABLES).fetchall()
    if sorted(found) != _tables_of_layout():
        # Do not query it: a view in place of a table may never come to an end.
        raise UsageError(
            f"The store {path} has tables that no store of streamgage has: {ELSEWHERE}."
        )
    return False


_TABLES = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
"""Selects the tables that somebody defined: only SQLite's own names begin with ``sqlite_``."""


@cache
def _tables_of_layout() -> list[tuple[str, str, str]]:
    """The tables that ``LAYOUT`` defines, as SQLite describes them."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(LAYOUT)
        return sorted(model.execute(_TABLES).fetchall())
