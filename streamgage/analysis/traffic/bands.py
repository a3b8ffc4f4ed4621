"""The bands of alpha that lead to a verdict."""

from __future__ import annotations

from typing import Literal

FULL = (0.75, 1.25)
NONE = (-0.2, 0.25)
PARTIAL = (0.15, 0.85)


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
