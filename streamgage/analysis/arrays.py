"""The arrays of a run: those that the built-in kernels share, and those of each own kernel."""

from __future__ import annotations

from streamgage.records import ArrayPages, MemoryRecord
from streamgage.records.run import ELEMENT_BYTES, Run

_LEAST_BYTES = 32 << 20
"""In smaller arrays, such as the row starts of a matrix, one huge page more or less means nothing;
some have no room for a huge page."""


def common_arrays(memory: MemoryRecord) -> list[ArrayPages]:
    """The arrays of the built-in kernels."""
    return [each for each in memory.arrays if "." not in each.name]


def own_arrays(memory: MemoryRecord, kernel: str | None = None) -> list[ArrayPages]:
    """The arrays of one of the user's own kernels, or of all of them."""
    start = "" if kernel is None else f"{kernel}."
    return [each for each in memory.arrays if "." in each.name and each.name.startswith(start)]


def least_huge_share(run: Run) -> float | None:
    """The least share in huge pages, among the arrays for which it matters.

    ``None`` if none is known.
    """
    if run.memory is None:
        return None
    small = {
        f"{kernel.name}.{array.name}"
        for kernel in run.kernels.values()
        for array in (kernel.own.arrays if kernel.own is not None else [])
        if array.elements * ELEMENT_BYTES[array.type] < _LEAST_BYTES
    }
    shares = [
        each.huge_share
        for each in run.memory.arrays
        if each.huge_share is not None and each.name not in small
    ]
    return min(shares, default=None)
