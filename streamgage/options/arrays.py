"""Options for the addresses of arrays, their first content and their pages."""

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


class PagesName(StrEnum):
    """The choices of ``--pages``."""

    SMALL = "4k"
    HUGE = "2m"
    GIANT = "1g"


class ArrayOptions(TypedDict, total=False):
    """Options for the addresses of arrays, their first content and their pages.

    Args:
        align: Start each array at a multiple of SIZE, a power of two such as 64 or 4KiB, that is
            not a multiple of a greater power; default: 2MiB.
        init: First content of the arrays: {words}; random values come from the seed.
        pages: Pages of the arrays: {words}; 2m: where the kernel gives them; 1g: reserved ones.
    """

    align: Size | None
    init: Annotated[InitName | str, Default("pattern")]
    pages: Annotated[PagesName | str, Default("2m")]


def array_setup(options: ArrayOptions) -> ArraySetup:
    """Return the options in a form for a plan. Raises ``UsageError`` for an unreadable value."""
    return ArraySetup(
        alignment_bytes=bytes_of("--align", options["align"]),
        init=choose(InitName, "--init", options["init"]).value,
        pages=choose(PagesName, "--pages", options["pages"]).value,
    )
