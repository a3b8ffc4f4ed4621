"""Opens the store for reading; first adds the records of earlier runs that were killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.records.spool_folder import Left, left_behind, runs_folder, runs_for
from streamgage.store import Store, store_place
from streamgage.store.database import EmptyStoreError


def is_there(place: StorePlace) -> bool:
    """Whether something is there; ``Store`` says whether that is a store, and of a server all."""
    try:
        return not isinstance(place, Path) or place.exists()
    except OSError:
        return True  # which the store then says better


@contextmanager
def open_memory(named: StorePlace | None, note: Note) -> Iterator[Store]:
    """The store ``named``, or the user's own, if it has any results.

    Records that killed runs left for it are stored first. Raises ``UsageError`` if nothing is
    stored.
    """
    place = store_place(named)
    left: list[Left] = []
    with suppress(UsageError):  # a user without a home has no such folder
        left = left_behind(runs_folder() if named is None else runs_for(place))
    if not left and not is_there(place):
        raise EmptyStoreError(place)
    if left:
        from streamgage.store.left_runs import take_in  # that judges runs, which takes a while

        take_in(left, place, note)
    with Store(place, create=False) as store:
        yield store
