"""``streamgage rm``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.cli.store_options import StoreOption, note
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


def rm(
    *,
    results: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="Numbers of kept results, last, or last-1."),
    ],
    store: StoreOption = None,
) -> int:
    """Remove kept results with their records; all that are named, or none."""
    numbers = removed(results, store, note)
    note(f"Removed: {', '.join(f'run {number}' for number in numbers)}.")
    return 0
