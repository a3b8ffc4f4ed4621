"""Remove results from the store."""

from __future__ import annotations

from typing import Annotated, Unpack

from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Form, command
from streamgage.options.place import StoreOptions, place_of
from streamgage.options.question import Question
from streamgage.store.transfer import remove_results

ANSWERS = Question.EARLIER
EXAMPLES = (
    (
        "streamgage results rm 13",
        "Remove result 13 and its records.",
    ),
    (
        "streamgage results rm last last-1",
        "Remove the two newest results.",
    ),
)


@command()
def results_rm(
    *results: Annotated[str, Form("RUN...", completes="runs")], **options: Unpack[StoreOptions]
) -> int:
    """Remove stored results and their records.

    If one of the named results cannot be removed, none is.

    Args:
        results: Numbers of stored results, last, or last-1.
        **StoreOptions
    """
    notes = Notes(options["progress"])
    numbers = remove_results(results, place_of(options["store"]), notes)
    notes(f"Removed: {', '.join(f'run {number}' for number in numbers)}.")
    return 0
