"""``--store`` and ``--no-store``, and what commands say beside their result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Store of the results; default: $STREAMGAGE_STORE, else the user's own.",
    ),
]
NoStoreOption = Annotated[bool, typer.Option("--no-store", help="Keep nothing of the result.")]


def note(sentence: str) -> None:
    """A sentence on stderr."""
    print(f"streamgage: {sentence}", file=sys.stderr)
