"""Gates on what crossed the memory bus (hardware counting), as shares of the peak.

Above 98 % is an error on a CPU (a cache, the convention, or a wrong peak), 70 to 92 % is usual, and
below 60 % with all threads there is something to look for. Refresh and changes of direction cost
memory the rest.
"""

from __future__ import annotations

from typing import Literal

Gate = Literal["above", "high", "usual", "moderate", "low"]
HIGHEST = 0.98
USUAL_FROM, USUAL_TO = 0.70, 0.92
LOWEST = 0.60


def gate_of(share: float) -> Gate:
    """The gate of ``share`` = GB/s that crossed / theoretical peak."""
    if share > HIGHEST:
        return "above"
    if share > USUAL_TO:
        return "high"
    if share >= USUAL_FROM:
        return "usual"
    return "moderate" if share >= LOWEST else "low"
