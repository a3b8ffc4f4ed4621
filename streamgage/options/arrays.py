"""Options for the addresses of arrays and their first content."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypedDict

from streamgage.options.declaration import Default
from streamgage.options.values import Size, bytes_of, choose
from streamgage.results.array_setup import ArraySetup


class InitName(StrEnum):
    """The choices of ``--init``."""

    PATTERN = "pattern"
    CONSTANT = "constant"
    RANDOM = "random"


class ArrayOptions(TypedDict, total=False):
    """Options for the addresses of arrays and their first content.

    Args:
        align: Start each array at a multiple of SIZE, a power of two such as 64 or 4KiB, that is
            not a multiple of a greater power; default: 2MiB.
        init: First content of the arrays: {words}; random values come from the seed.
    """

    align: Size | None
    init: Annotated[InitName | str, Default("pattern")]


def array_setup(options: ArrayOptions) -> ArraySetup:
    """Return both options in a form for a plan. Raises ``UsageError`` for an unreadable value."""
    return ArraySetup(
        alignment_bytes=bytes_of("--align", options["align"]),
        init=choose(InitName, "--init", options["init"]).value,
    )
