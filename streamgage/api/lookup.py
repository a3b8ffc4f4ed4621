"""Finds results by name, or takes them as objects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from streamgage.analysis.user_facts import UserFacts
from streamgage.api.runs import BaseRun
from streamgage.options.declaration import Form
from streamgage.options.files import Opens
from streamgage.records.address import StorePlace
from streamgage.records.reader import Note
from streamgage.results.result import Result
from streamgage.store.load import load_all, load_file

Named = Annotated[str | int | os.PathLike[str], Form("RUN|FILE", completes="runs"), Opens.READS]
"""``12``, ``"last"``, ``"last-1"``, or a file."""


def load_one(
    result: Named,
    store: StorePlace | None,
    note: Note,
    given: UserFacts = UserFacts(),  # noqa: B008 - frozen
) -> Result[Any]:
    """Load the named result; a path object always names a file. Raises ``UsageError``."""
    if isinstance(result, os.PathLike):
        return load_file(Path(result), note, given)
    [loaded] = load_all([str(result)], store, note, given)
    return loaded


def loaded_from(
    result: Named | BaseRun[Any],
    store: StorePlace | None,
    note: Note,
) -> Result[Any]:
    """Return a result that is given as an object or by name. Raises ``UsageError``."""
    return result.result() if isinstance(result, BaseRun) else load_one(result, store, note)
