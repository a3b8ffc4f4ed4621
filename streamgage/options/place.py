"""Options that choose the store of a result."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Final, TypedDict

from streamgage.errors import StreamgageError, UsageError
from streamgage.options.declaration import Default, Flag, Form, PythonOnly
from streamgage.options.files import Opens
from streamgage.options.values import PathLike, text_or_path
from streamgage.records.address import StorePlace, place_in
from streamgage.records.reader import Note

if TYPE_CHECKING:
    from streamgage.store.destination import Destination


class OwnStore(Enum):
    """The store that is used if none is named."""

    OWN = "the user's own"

    def __repr__(self) -> str:
        return "OWN"


OWN: Final = OwnStore.OWN
"""The store of this user, or the one that ``STREAMGAGE_STORE`` names."""
Source = Annotated[PathLike | OwnStore | None, Form("FILE|URL"), Opens.STORE]
"""A file, a ``postgresql://...`` address, or the user's own store; ``None`` is refused."""
Place = Annotated[
    PathLike | OwnStore | None,
    Form("FILE|URL"),
    Opens.STORE,
    Flag("--no-store", "Do not store the result."),
]
"""The same, or ``None`` to store nothing."""


class StoreOptions(TypedDict, total=False):
    """Options of every command that reads results.

    Args:
        store: Where results are stored, a file or postgresql://USER@HOST/DATABASE; default:
            $STREAMGAGE_STORE, else your own store.
        progress: Print notes, such as what was left out.
    """

    store: Annotated[Source, Default(OWN)]
    progress: Annotated[bool, Default(True), PythonOnly(True)]


class StoringOptions(TypedDict, total=False):
    """Options of commands that read results and store their own.

    Args:
        store: Where results are stored, a file or postgresql://USER@HOST/DATABASE; default:
            $STREAMGAGE_STORE, else your own store.
        progress: Print notes, such as what was left out.
    """

    store: Annotated[Place, Default(OWN)]
    progress: Annotated[bool, Default(True), PythonOnly(True)]


def destination_in(store: Place, note: Note) -> Destination:
    """Return where results go. Raises ``StreamgageError`` if a named store cannot take them.

    A user without a home has no store; ``note`` gets a sentence about it.
    """
    # Not with this module: what lists results takes little of it, and soon.
    from streamgage.store.destination import Destination
    from streamgage.store.place import named_store, store_place

    if store is None:
        return Destination(None)
    named = place_of(store)
    chosen = named_store(named)
    if chosen is not None:
        from streamgage.store.connect import require_room

        require_room(chosen)
    try:
        return Destination(store_place(named), of_user=named is None)
    except StreamgageError as error:
        note(f"{error} This result is not stored.")
        return Destination(None)


def place_of(store: Place) -> StorePlace | None:
    """The named file or address; ``None``: the user's own store.

    Raises ``UsageError`` for anything else.
    """
    if store is None:
        raise UsageError(
            "Only a measurement can do without a store. To read results, give the file of a store,"
            " or leave store out."
        )
    return None if isinstance(store, OwnStore) else place_in(text_or_path("--store", store))
