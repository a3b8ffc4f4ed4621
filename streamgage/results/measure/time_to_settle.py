"""Says how long a run has to be for a well-known main figure."""

from __future__ import annotations

from streamgage.units import format_duration

_LONGEST_SECONDS = 1800.0


def time_to_settle(seconds: float) -> str:
    """``about 45 s``."""
    if seconds > _LONGEST_SECONDS:
        return "more than half an hour"
    return f"about {format_duration(seconds)}"
