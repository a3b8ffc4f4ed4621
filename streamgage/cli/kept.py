"""Where a result goes, and the word on it."""

from __future__ import annotations

import shlex
from pathlib import Path

from streamgage.api.storing import OWN, Place
from streamgage.cli.store_options import note
from streamgage.errors import UsageError
from streamgage.store.keep import Keeping, Kept


def place_of(store: Path | None, no_store: bool) -> Place:
    """Where results go. Raises ``UsageError`` where that cannot be both."""
    if store is not None and no_store:
        raise UsageError("--store and --no-store exclude each other: leave one out.")
    return None if no_store else OWN if store is None else store


def say(kept: Kept, keeping: Keeping) -> None:
    """Tell on stderr how the result is seen again."""
    if kept.number is not None:
        where = "" if keeping.of_user else f" --store {shlex.quote(str(keeping.store))}"
        note(f"To see this again: streamgage show {kept.number}{where}")
    elif kept.path is not None and kept.path.is_dir():
        note(f"The records of the runs are in {kept.path}")
    elif kept.path is not None:
        note(f"To see this again: streamgage show {kept.path}")
