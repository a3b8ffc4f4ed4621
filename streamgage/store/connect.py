"""Opens the database of a store, by the kind that its place says."""

from __future__ import annotations

from streamgage.records.address import Address, StorePlace
from streamgage.store.database import Database


def open_database(place: StorePlace, *, create: bool) -> Database:
    """The database at ``place``; its tables are made if there are none (``create``).

    Raises ``UsageError`` if it is another database, or of another layout, and ``StoreError`` if it
    cannot be read, or is not there and not to be made.
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
