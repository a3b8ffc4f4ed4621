"""Alpha, the part of the lines stored that the store reads, and the verdict its bounds allow."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.quantities import Difference

FULL = (0.75, 1.25)
NONE = (-0.2, 0.25)
PARTIAL = (0.15, 0.85)


class Alpha(msgspec.Struct, frozen=True, kw_only=True):
    """Lines read because of a store, per line stored that the kernel does not itself read."""

    verdict: Literal["full", "none", "partial", "at-most", "cannot-tell"] | None = None
    value: Difference | None = None
    low: Difference | None = None
    high: Difference | None = None
    evidence: Literal["measured", "replayed", "inferred", "excluded", "likely"] | None = None
    """``measured``: counted by hardware. ``replayed``: counters were played back from a recording,
    so nothing of it was measured. ``likely``: the evidence speaks for it by 3:1 or more, too little
    for a figure to quote."""
    reason: str | None = None


def settled(low: float, high: float) -> Literal["full", "none"] | None:
    """``full`` or ``none`` if the whole interval lies in that band; else ``None``."""
    if FULL[0] <= low and high <= FULL[1]:
        return "full"
    if NONE[0] <= low and high <= NONE[1]:
        return "none"
    return None


def is_partial(low: float, high: float) -> bool:
    """Return whether the interval lies strictly between none and full."""
    return PARTIAL[0] < low and high < PARTIAL[1]


def refuse(why: str) -> Alpha:
    """The alpha "cannot tell", with the reason."""
    return Alpha(verdict="cannot-tell", reason=why)
