"""Limits for the real traffic, as shares of the theoretical peak.

On a CPU, more than 98 % is an error: a cache, the way of counting, or a wrong peak. 70 to 92 % is
usual for most processors (see ``usual``). Less than 60 % of it with all threads, or as much less
than what is usual for the processor, has a cause worth looking for. Memory spends the rest on
refresh and on changes of direction.
"""

from __future__ import annotations

from typing import Literal

from streamgage.analysis.peak.usual import USUAL, Usual

Gate = Literal["above", "high", "usual", "moderate", "low"]
HIGHEST = 0.98
_LOWEST = 0.60 / USUAL.low
"""The part of the lower end of what is usual, below which a share is too low."""


def gate_of(share: float, usual: Usual = USUAL) -> Gate:
    """The gate in which ``share`` lies: the real traffic divided by the theoretical peak."""
    if share > HIGHEST:
        return "above"
    if share > usual.high:
        return "high"
    if share >= usual.low:
        return "usual"
    return "moderate" if share >= usual.low * _LOWEST else "low"
