"""A cache in front of the memory: HBM in cache mode, or DRAM before Optane."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.records.setting import OVER_CACHES
from streamgage.units import format_bytes, format_ratio

CODE = "memory-side-cache"
_NEAR = 0.99
"""Working sets have whole lines for each thread, so they may be smaller than requested by this
factor."""


def memory_behind(cache: int, largest: int, figures: str, remedy: str) -> Finding | None:
    """Find that the largest working set does not show the memory behind a cache of ``cache`` bytes.

    ``None`` if it does. ``figures``: what was measured. ``remedy``: what shows more; ``{}`` in it
    is replaced by a size.
    """
    if largest >= _NEAR * OVER_CACHES * cache:
        return None
    held = "fits in" if largest <= cache else f"is only {format_ratio(largest / cache)}"
    share = "none" if largest <= cache else "not all"
    return Finding(
        code=CODE,
        severity="warning",
        text=f"The largest working set, {format_bytes(largest)}, {held} the memory-side cache of"
        f" {format_bytes(cache)}: {share} of the {figures} belong to the memory behind it. A"
        " program that uses more memory gets less from it."
        f" {remedy.format(format_bytes(OVER_CACHES * cache).replace(' ', ''))}",
    )
