"""Limits for the real traffic, as shares of the theoretical peak.

On a CPU, more than 98 % is an error: a cache, the way of counting, or a wrong peak. 70 to 92 % is
usual. Less than 60 % with all threads has a cause worth looking for. Memory spends the rest on
refresh and on changes of direction.
"""

from __future__ import annotations

from typing import Literal

Gate = Literal["above", "high", "usual", "moderate", "low"]
HIGHEST = 0.98
USUAL_FROM, USUAL_TO = 0.70, 0.92
LOWEST = 0.60


def gate_of(share: float) -> Gate:
    """The gate in which ``share`` lies: the real traffic divided by the theoretical peak."""
    if share > HIGHEST:
        return "above"
    if share > USUAL_TO:
        return "high"
    if share >= USUAL_FROM:
        return "usual"
    return "moderate" if share >= LOWEST else "low"
