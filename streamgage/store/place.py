"""Finds the place of the store.

The user can choose it; otherwise it is ``$XDG_DATA_HOME/streamgage/store.sqlite``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.address import StorePlace, place_in
from streamgage.records.files import user_folder

VARIABLE = "STREAMGAGE_STORE"
"""The variable that names a store for all commands, as ``--store`` does for one command."""


def store_place(
    named: StorePlace | None = None, environment: Mapping[str, str] = os.environ
) -> StorePlace:
    """The place of the store: ``named``, else the one in the variable, else the user's own.

    Raises ``UsageError`` if none is named and this user has no home.
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


def option_of(place: StorePlace) -> str:
    """The value of ``--store`` that leads to ``place``; empty if a command finds it without one."""
    try:
        found = store_place()
    except UsageError:
        return str(place)
    return "" if found == place else str(place)


def own_store(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The store of a user who names none; ``None`` if this user has no home folder."""
    folder = user_folder("XDG_DATA_HOME", ".local/share", environment)
    return None if folder is None else folder / "store.sqlite"


def named_store(
    named: StorePlace | None, environment: Mapping[str, str] = os.environ
) -> StorePlace | None:
    """The store that the user named with the option or the variable; ``None`` if there is none."""
    if named is None and environment.get(VARIABLE):
        return place_in(environment[VARIABLE])
    return named
