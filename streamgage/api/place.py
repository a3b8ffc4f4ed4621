"""Which store a result is kept in, or read from."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypedDict

from streamgage.api.declaration import Default, Flag, Form, PythonOnly
from streamgage.api.values import PathLike, as_path
from streamgage.errors import StreamgageError, UsageError
from streamgage.records.reader import Note

if TYPE_CHECKING:
    from streamgage.store.destination import Destination


class Own(Enum):
    """A store that nobody had to name."""

    OWN = "the user's own"

    def __repr__(self) -> str:
        return "OWN"


OWN: Final = Own.OWN
"""The store of this user, or the one that ``STREAMGAGE_STORE`` names."""
Place = Annotated[
    PathLike | Own | None,
    Form("FILE", file=True),
    Flag("--no-store", "Keep nothing of the result."),
]
"""A file, the user's own store, or (to keep results in) none."""


class StoreOptions(TypedDict, total=False):
    """Options of every command that reads results.

    Args:
        store: Store of the results; default: $STREAMGAGE_STORE, else the user's own.
        progress: Print sentences such as what was left out.
    """

    store: Annotated[PathLike | Own, Default(OWN)]
    progress: Annotated[bool, Default(True), PythonOnly(True)]


def destination_in(store: Place, note: Note) -> Destination:
    """Where results go. Raises ``UsageError`` where ``store`` is a folder.

    A user without a home has no store, which ``note`` is told.
    """
    # Not with this module: what lists results takes little of it, and soon.
    from streamgage.store.destination import Destination
    from streamgage.store.place import store_path

    if store is None:
        return Destination(None)
    named = file_of(store)
    if named is not None and named.is_dir():
        raise UsageError(f"--store {named} is a folder: name a file.")
    try:
        return Destination(store_path(named), of_user=named is None)
    except StreamgageError as error:
        note(f"{error} This result is not kept.")
        return Destination(None)


def file_of(store: Place) -> Path | None:
    """The file that was named; null: the user's own. Raises ``UsageError`` for what is none."""
    if store is None:
        raise UsageError(
            "store=None is for what is measured, to keep it nowhere: name the file of a store to"
            " read, or leave store out."
        )
    return None if isinstance(store, Own) else as_path("--store", store)
