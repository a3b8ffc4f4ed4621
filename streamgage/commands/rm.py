"""Results out of the store."""

from __future__ import annotations

from typing import Annotated, Unpack

from streamgage.api.declaration import Form, command
from streamgage.api.notes import Notes
from streamgage.api.place import StoreOptions, file_of
from streamgage.store.transfer import removed

EXAMPLES = (
    (
        "streamgage rm 13",
        "Remove the result with the number 13, with its records.",
    ),
    (
        "streamgage rm last last-1",
        "Remove the two newest.",
    ),
)


@command()
def rm(*results: Annotated[str, Form("RUN...")], **options: Unpack[StoreOptions]) -> int:
    """Remove kept results with their records; all that are named, or none.

    Args:
        results: Numbers of kept results, last, or last-1.
        **StoreOptions
    """
    notes = Notes(options["progress"])
    numbers = removed(results, file_of(options["store"]), notes)
    notes(f"Removed: {', '.join(f'run {number}' for number in numbers)}.")
    return 0
