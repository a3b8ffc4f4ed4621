"""Where a result goes, and the word on it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from streamgage.cli.store_options import note
from streamgage.documents import Document
from streamgage.errors import StreamgageError, UsageError
from streamgage.studies.keeping import Keeping, Kept, keep_series


class Done(Protocol):
    """A series that has ended; ``folder`` has its files (null: they are nowhere)."""

    @property
    def answer(self) -> Document: ...
    @property
    def exit_status(self) -> int: ...
    @property
    def folder(self) -> Path | None: ...


def keeping_of(store: Path | None, no_store: bool) -> Keeping:
    """Where results go. Raises ``UsageError`` where that cannot be both."""
    from streamgage.store.place import store_path

    if store is not None and no_store:
        raise UsageError("--store and --no-store exclude each other: leave one out.")
    if no_store:
        return Keeping(None)
    if store is not None and store.is_dir():
        raise UsageError(f"--store {store} is a folder: name a file.")
    try:
        return Keeping(store_path(store), of_user=store is None)
    except StreamgageError as error:
        note(f"{error} This result is not kept.")
        return Keeping(None)


@contextmanager
def kept_series(done: Done, keeping: Keeping) -> Iterator[None]:
    """Keep the series at once, and say where when it has been shown."""
    kept = keep_series(keeping, done.answer, done.folder, note, exit_status=done.exit_status)
    try:
        yield
    finally:
        say(kept, keeping)


def say(kept: Kept, keeping: Keeping) -> None:
    """Tell on stderr how the result is seen again."""
    if kept.number is not None:
        where = "" if keeping.of_user else f" --store {shlex.quote(str(keeping.store))}"
        note(f"To see this again: streamgage show {kept.number}{where}")
    elif kept.path is not None and kept.path.is_dir():
        note(f"The records of the runs are in {kept.path}")
    elif kept.path is not None:
        note(f"To see this again: streamgage show {kept.path}")
