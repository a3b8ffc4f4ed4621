"""The SQLite database of a store: opened, checked, and brought to the layout of this program."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from streamgage.errors import StreamgageError, UsageError
from streamgage.store.migrations import APPLICATION_ID, STEPS

WAIT_SECONDS = 30.0
"""For another writer, who takes some milliseconds."""
_ELSEWHERE = "name another with --store"


class StoreError(StreamgageError):
    """The store could not be read or written."""


_SENTENCES = {
    sqlite3.SQLITE_CORRUPT: (
        "The store {path} is damaged: move it away; `sqlite3 {path} .recover` may save what is"
        " left of it."
    ),
    sqlite3.SQLITE_FULL: f"The disk of the store {{path}} is full: make room, or {_ELSEWHERE}.",
    sqlite3.SQLITE_READONLY: f"The store {{path}} may not be written: {_ELSEWHERE}.",
    sqlite3.SQLITE_CANTOPEN: f"The store {{path}} cannot be opened: {_ELSEWHERE}.",
    sqlite3.SQLITE_BUSY: (
        f"Another program has held the store {{path}} for {WAIT_SECONDS:.0f} s: try again."
    ),
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise into one sentence about the store at ``path``."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _error(path, error) from error
    except OSError as error:
        raise StoreError(
            f"The store {path} cannot be opened ({error.strerror}): {_ELSEWHERE}."
        ) from error
    except (OverflowError, UnicodeError) as error:
        raise StoreError(f"The store {path} cannot take such a value ({error}).") from error


def _error(path: Path, error: sqlite3.DatabaseError) -> StreamgageError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return UsageError(f"{path} is no store of streamgage, nor a database: {_ELSEWHERE}.")
    said = _SENTENCES.get(code, f"The store {{path}} cannot be used ({error}): {_ELSEWHERE}.")
    return StoreError(said.replace("{path}", str(path)))


def open_database(path: Path, *, create: bool, steps: Sequence[str] = STEPS) -> sqlite3.Connection:
    """The database at ``path`` in the layout that ``steps`` lead to.

    An older layout is brought to it, in one transaction. Raises ``UsageError`` where it is another
    database, or of a newer layout, and ``StoreError`` where it cannot be read, or is not there and
    not to be made (``create``).
    """
    if create:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {path.parent} cannot be made ({error.strerror}): {_ELSEWHERE}."
            ) from error
    with told(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder, not a store: name a file with --store.")
        # Reading needs no right to write, but where a killed writer left a journal.
        mode = "rwc" if create else "rw"
        address = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            _bring_to(connection, path, steps, create=create)
        except BaseException:
            connection.close()
            raise
        return connection


def _bring_to(
    connection: sqlite3.Connection, path: Path, steps: Sequence[str], *, create: bool
) -> None:
    # One transaction, so that it is not half of what another program is just making.
    connection.execute("BEGIN")
    version = _version(connection, path, steps)
    connection.execute("COMMIT")
    if version == len(steps):
        return
    if version == 0 and not create:
        raise UsageError(f"{path} is empty, and no store of streamgage: {_ELSEWHERE}.")
    with transaction(connection):  # others may have been quicker, so look again
        for step in steps[_version(connection, path, steps) :]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")


def _version(connection: sqlite3.Connection, path: Path, steps: Sequence[str]) -> int:
    """The number of steps that were taken; 0 of an empty database."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (tables or version):
        raise UsageError(f"{path} is a database, but no store of streamgage: {_ELSEWHERE}.")
    if version > len(steps):
        raise UsageError(
            f"The store {path} is of version {version}, and this streamgage knows up to version"
            f" {len(steps)}: update streamgage, or {_ELSEWHERE}."
        )
    return int(version)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing; the right to write is had before anything is read."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk ends it by itself
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
