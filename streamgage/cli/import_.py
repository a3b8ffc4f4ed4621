"""``streamgage import``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgage.cli.store_options import StoreOption, note
from streamgage.store import store_path
from streamgage.store.transfer import taken_in

EXAMPLES = (
    (
        "streamgage import run.jsonl",
        "Keep the result of a records file.",
    ),
    (
        "streamgage import stream.log",
        "Keep what another benchmark printed.",
    ),
)


def import_(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Records, documents of --format json, exports, outputs of other benchmarks, other"
            " stores, or folders that `streamgage export --files` wrote.",
        ),
    ],
    store: StoreOption = None,
) -> int:
    """Keep results that are in files; those that are kept already stay as they are."""
    for each in taken_in(files, store_path(store), note):
        what = "is now" if each.new else "was kept already as"
        note(f"{each.name} {what} run {each.number}.")
    return 0
