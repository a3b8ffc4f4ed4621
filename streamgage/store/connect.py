"""Opens the database of a store: a file of SQLite, or PostgreSQL on a server."""

from __future__ import annotations

from streamgage.records.address import Address, StorePlace
from streamgage.store.database import Database


def open_database(place: StorePlace, *, create: bool) -> Database:
    """Open the database at ``place``; with ``create``, make its tables if there are none.

    Raises ``UsageError`` if it is some other database, or has another layout. Raises ``StoreError``
    if it cannot be read, or does not exist and ``create`` is false.
    """
    if isinstance(place, Address):
        from streamgage.store import postgresql

        return postgresql.open_database(place, create=create)
    from streamgage.store.sqlite import SqliteDatabase

    return SqliteDatabase(place, create=create)


def require_room(place: StorePlace) -> None:
    """Check that a result can be stored at ``place``, without making or changing anything.

    Raises ``UsageError`` and ``StoreError`` as ``open_database`` and ``Store.add`` would.
    """
    if isinstance(place, Address):
        from streamgage.store import postgresql

        postgresql.require_room(place)
    else:
        from streamgage.store import sqlite

        sqlite.require_room(place)
