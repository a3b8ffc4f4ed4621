"""Opens the store for reading, after adding the records of killed runs to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.records.spool_folder import LeftRun, left_behind, runs_folder, runs_for
from streamgage.store import Store, store_place
from streamgage.store.database import EmptyStoreError


def is_there(place: StorePlace) -> bool:
    """Return whether a file is at ``place``; always ``True`` for a server.

    ``Store`` checks whether it is a store.
    """
    try:
        return not isinstance(place, Path) or place.exists()
    except OSError:
        return True  # ``Store`` reports this error better


@contextmanager
def open_memory(named: StorePlace | None, note: Note) -> Iterator[Store]:
    """Open the store ``named``, or the user's own, and require that it has results.

    The records that killed runs left for it are added first. Raises ``UsageError`` if nothing is
    stored.
    """
    place = store_place(named)
    left: list[LeftRun] = []
    with suppress(UsageError):  # a user without a home has no such folder
        left = left_behind(runs_folder() if named is None else runs_for(place))
    if left:
        from streamgage.store.left_runs import add_left_runs  # it judges runs, so it loads slowly

        add_left_runs(left, place, note)
    if not is_there(place):
        raise EmptyStoreError(place)
    with Store(place, create=False) as store:
        if store.newest() is None:
            raise EmptyStoreError(place)
        yield store
