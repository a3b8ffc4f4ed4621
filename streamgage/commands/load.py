"""Results that were measured earlier."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from streamgage.analysis.given import Given
from streamgage.api.endings import Ending
from streamgage.api.notes import Notes
from streamgage.api.runs import BaseRun
from streamgage.api.series import AnyRun, run_of
from streamgage.api.storing import OWN, Own, file_of
from streamgage.api.values import PathLike, given_peak
from streamgage.records.reader import Note
from streamgage.store.keep import Keeping, Kept
from streamgage.store.load import Loaded, load_all, load_file
from streamgage.store.place import store_path

Named = str | int | os.PathLike[str]
"""``12``, ``"last"``, ``"last-1"``, or a file."""


def load(
    result: Named = "last",
    *,
    peak: float | str | None = None,
    store: PathLike | Own = OWN,
    progress: bool = True,
) -> AnyRun:
    """An earlier result, of any kind: what ``streamgage show`` shows.

    Args:
        result: the number of a kept result (see ``history``), ``"last"``, ``"last-1"``, or a file:
            records, a document of ``--format json``, or the saved output of another benchmark.
        peak: theoretical peak of the memory in GB/s; default: as found.
        store: the store's file; default: the user's own.
        progress: print sentences such as what was left out; they are in ``notes``, too.

    Raises:
        UsageError: there is no such result, or it cannot be read.
    """
    notes = Notes(progress)
    given = Given(peak_gbps=given_peak(peak))
    loaded = load_one(result, file_of(store), notes, given)
    keeping = Keeping(store_path(file_of(store)), of_user=store is OWN)
    return run_of(
        loaded, Ending(kept=Kept(loaded.number), keeping=keeping, notes=tuple(notes.sentences))
    )


def load_one(
    result: Named,
    store: Path | None,
    note: Note,
    given: Given = Given(),  # noqa: B008 - frozen
) -> Loaded:
    """The result that is named; a path is always a file. Raises ``UsageError``."""
    if isinstance(result, os.PathLike):
        return load_file(Path(result), note, given)
    [loaded] = load_all([str(result)], store, note, given)
    return loaded


def loaded_from(
    result: Named | BaseRun[Any],
    store: Path | None,
    note: Note,
) -> Loaded:
    """A result that is here, or is named. Raises ``UsageError``."""
    return result.loaded() if isinstance(result, BaseRun) else load_one(result, store, note)
