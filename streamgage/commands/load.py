"""Results that were measured earlier."""

from __future__ import annotations

from typing import Unpack

from streamgage.analysis.user_facts import Given
from streamgage.api.declaration import Shown, command
from streamgage.api.lookup import Named, load_one
from streamgage.api.notes import Notes
from streamgage.api.place import OWN, StoreOptions, file_of
from streamgage.api.runs import Ending
from streamgage.api.series import AnyRun, run_of
from streamgage.api.values import Rate, given_peak
from streamgage.results.render import FORMATS
from streamgage.store.destination import Destination, Stored
from streamgage.store.place import store_path

EXAMPLES = (
    ("streamgage show", "This user's newest run again."),
    ("streamgage show --verbose --explain", "With the checks that passed, and why each shape."),
    ("streamgage show run.jsonl --format markdown", "A run that was kept with --records."),
)


@command(Shown(FORMATS, details=("verbose", "explain")))
def load(
    result: Named | None = None, *, peak: Rate | None = None, **options: Unpack[StoreOptions]
) -> AnyRun:
    """Show an earlier result again.

    Args:
        result: Number of a kept result (`streamgage history`), last, last-1, or a file: records, a
            document of --format json, or another benchmark's output; default: last.
        peak: Theoretical peak of the memory; default: as found. In Python GB/s.
        **StoreOptions

    Raises:
        UsageError: there is no such result, or it cannot be read.
    """
    store = options["store"]
    notes = Notes(options["progress"])
    given = Given(peak_gbps=given_peak(peak))
    loaded = load_one(result or "last", file_of(store), notes, given)
    destination = Destination(store_path(file_of(store)), of_user=store is OWN)
    return run_of(
        loaded,
        Ending(stored=Stored(loaded.number), destination=destination, notes=tuple(notes.sentences)),
    )
