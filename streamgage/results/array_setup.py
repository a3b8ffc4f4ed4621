"""The alignment, the first contents and the pages of arrays, if the user chose them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from streamgage.errors import UsageError
from streamgage.plan import LARGEST_ALIGNMENT
from streamgage.records import ElementType, Init, PageSize
from streamgage.records.quantities import ByteCount
from streamgage.units import format_bytes

if TYPE_CHECKING:  # imported for types only: a list of results must not load the records
    from streamgage.records.run import Run


class ArraySetup(msgspec.Struct, frozen=True, kw_only=True):
    """The alignment, the first contents and the pages of arrays.

    By default, arrays start at a multiple of 2 MiB or more.
    """

    alignment_bytes: ByteCount | None = None
    """Arrays start at a multiple of this power of two, but not of the next greater one."""
    init: Init = "pattern"
    pages: PageSize = "2m"
    """The pages that were asked for."""


USUAL = ArraySetup()
PAGES: dict[PageSize, str] = {"4k": "4 KiB", "2m": "2 MiB", "1g": "1 GiB"}
"""The sizes of pages in words."""


def require_alignment(setup: ArraySetup, element_type: ElementType) -> None:
    """Raise ``UsageError`` if arrays with elements of that type cannot start there."""
    from streamgage.records.run import ELEMENT_BYTES

    size, least = setup.alignment_bytes, ELEMENT_BYTES[element_type]
    if size is None or (least <= size <= LARGEST_ALIGNMENT and not size & (size - 1)):
        return
    raise UsageError(
        f"--align {format_bytes(size)} is not a power of two from {least} bytes (one element)"
        f" to {format_bytes(LARGEST_ALIGNMENT)}: give one such as 64 or 4KiB."
    )


def array_setup_of(run: Run) -> ArraySetup | None:
    """The user's choice for the arrays of a run; ``None`` if there is none."""
    if run.plan is None:
        return None
    if run.device is not None:
        return None  # its memory has pages of its own
    plan = run.plan
    found = ArraySetup(alignment_bytes=plan.alignment_bytes, init=plan.init, pages=plan.pages)
    return None if found == USUAL else found


def words_of_setup(setup: ArraySetup) -> str:
    """The setup in words: ``aligned to 64 bytes, 4 KiB pages``; empty if nothing was chosen."""
    parts = []
    if setup.alignment_bytes is not None:
        parts.append(f"aligned to {format_bytes(setup.alignment_bytes)}")
    if setup.init != USUAL.init:
        parts.append(f"{setup.init} values")
    if setup.pages != USUAL.pages:
        parts.append(f"{PAGES[setup.pages]} pages")
    return ", ".join(parts)
