"""The store to read from, with what earlier runs left outside of it taken in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.reader import Note
from streamgage.records.spool_folder import left_behind, runs_folder
from streamgage.store import Store, store_path


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True  # which the store then says better


@contextmanager
def open_memory(named: Path | None, note: Note) -> Iterator[Store]:
    """The store ``named``, or the user's own, in which there is something.

    What killed runs left is taken into the user's own first. Raises ``UsageError`` where nothing is
    kept.
    """
    path = store_path(named)
    left = left_behind(runs_folder()) if named is None else []
    if not left and not _is_there(path):
        raise UsageError(f"No result is kept in {path}: measure first, or name a file.")
    if left:
        from streamgage.store.left_runs import take_in  # that judges runs, which takes a while

        take_in(left, path, note)
    with Store(path, create=False) as store:
        yield store
