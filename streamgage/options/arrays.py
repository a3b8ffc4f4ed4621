"""Options for the addresses of arrays, their first content and their pages."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, TypedDict

from streamgage.advice import advice
from streamgage.errors import UsageError
from streamgage.options.declaration import Default, Form
from streamgage.options.values import Size, bytes_of, choose, names_of
from streamgage.records import PageSize
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
    pages: Annotated[
        str | Iterable[str], Form("|".join(PagesName), words=tuple(PagesName)), Default("2m")
    ]


def array_setup(options: ArrayOptions, pages: PageSize | None = None) -> ArraySetup:
    """Return the options in a form for a plan, with ``pages`` in place of the option if given.

    Raises ``UsageError`` for an unreadable value.
    """
    return ArraySetup(
        alignment_bytes=bytes_of("--align", options["align"]),
        init=choose(InitName, "--init", options["init"]).value,
        pages=pages or _one_kind(pages_of(options)),
    )


def pages_of(options: ArrayOptions) -> list[PageSize]:
    """Return the kinds of pages. Raises ``UsageError`` if one is unknown."""
    names = names_of("--pages", options["pages"]) or []
    return [choose(PagesName, "--pages", each).value for each in names]


def _one_kind(pages: list[PageSize]) -> PageSize:
    if len(pages) == 1:
        return pages[0]
    raise UsageError(
        f"--pages names {len(pages)} kinds, and a run has one: leave the others out, or compare"
        f" them with {advice('measure', '--runs', 20, '--pages', ','.join(pages))}."
    )
