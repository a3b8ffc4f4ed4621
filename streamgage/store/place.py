"""The place of the store: ``$XDG_DATA_HOME/streamgage/store.sqlite``, or the user's choice."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace, place_in
from streamgage.records.files import user_folder

VARIABLE = "STREAMGAGE_STORE"
"""Names another store than the usual one, as ``--store`` does for one command."""


def store_place(
    named: StorePlace | None = None, environment: Mapping[str, str] = os.environ
) -> StorePlace:
    """The place of the store: ``named``, that of the variable, or the user's.

    Raises ``UsageError`` if this user has no home and names none.
    """
    named = named_store(named, environment)
    if named is not None:
        return named
    own = own_store(environment)
    if own is None:
        raise UsageError(
            f"This user has no home folder for the store: set HOME, XDG_DATA_HOME or {VARIABLE},"
            " or name a file with --store."
        )
    return own


def own_store(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The store of a user who names none; ``None`` if this user has no home."""
    folder = user_folder("XDG_DATA_HOME", ".local/share", environment)
    return None if folder is None else folder / "store.sqlite"


def named_store(
    named: StorePlace | None, environment: Mapping[str, str] = os.environ
) -> StorePlace | None:
    """The place that the user named, by an option or the variable; ``None``: none."""
    if named is None and environment.get(VARIABLE):
        return place_in(environment[VARIABLE])
    return named
