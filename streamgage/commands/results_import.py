"""Store results from files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Unpack

from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Form, command
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.options.values import PathLike
from streamgage.store import store_place
from streamgage.store.transfer import import_results

ANSWERS = Question.EARLIER
EXAMPLES = (
    (
        "streamgage results import run.jsonl",
        "Store the result of a records file.",
    ),
    (
        "streamgage results import stream.log",
        "Store what another benchmark printed.",
    ),
)


@command()
def results_import(
    *files: Annotated[PathLike, Form("FILE...", file=True)], **options: Unpack[StoreOptions]
) -> int:
    """Store results from files.

    Results that are already stored stay as they are.

    Args:
        files: Records, documents of --format json, exports, outputs of other benchmarks, other
            stores, or folders that `streamgage results export --files` wrote.
        **StoreOptions
    """
    notes = Notes(options["progress"])
    store = store_place(place_of(options["store"]))
    for each in import_results([Path(file) for file in files], store, notes):
        what = "is now" if each.new else "was already stored as"
        notes.say(f"{each.name} {what} run {each.number}.")
    return 0
