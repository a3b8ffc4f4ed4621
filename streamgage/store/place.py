"""Where the store is: ``$XDG_DATA_HOME/streamgage/store.sqlite``, as XDG asks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.files import user_folder

VARIABLE = "STREAMGAGE_STORE"
"""Names another file than the usual one, as ``--store`` does for one command."""


def store_path(named: Path | None = None, environment: Mapping[str, str] = os.environ) -> Path:
    """The file of the store: ``named``, that of the variable, or the user's.

    Raises ``UsageError`` where this user has no home and names none.
    """
    if named is not None:
        return named
    if environment.get(VARIABLE):
        return Path(environment[VARIABLE])
    folder = user_folder("XDG_DATA_HOME", "~/.local/share", environment)
    if folder is None:
        raise UsageError(
            "This user has no home folder in which results are kept: set HOME, XDG_DATA_HOME or"
            f" {VARIABLE}, or name a file with --store."
        )
    return folder / "store.sqlite"
