"""Words and figures that every view of memory traffic has in common."""

from __future__ import annotations

from streamgage.show.symbols import Symbols
from streamgage.tools.traffic.document import Trust, WatchedTraffic
from streamgage.units import format_rate

REPLAYED = "REPLAYED: these figures come from a recording or a made-up machine, not from this one."
UNKNOWN = "n/a"


def distrust(trust: Trust) -> str | None:
    """What to know before any figure is read; null where the source is believed."""
    if trust.refused:
        return f"NOT BELIEVED: {trust.text}"
    return f"NOT CALIBRATED: {trust.text}" if trust.state == "not-calibrated" else None


def rate_or_unknown(gbps: float | None) -> str:
    """GB/s without the unit; what is not known is not 0."""
    return UNKNOWN if gbps is None else format_rate(gbps)


def heading(watched: WatchedTraffic, symbols: Symbols) -> str:
    """What was watched, by what, and for how long."""
    beside = f" beside {' '.join(watched.command)}" if watched.command else ""
    number = len(watched.intervals)
    parts = [
        f"Memory traffic{beside}",
        watched.source,
        f"{watched.seconds:.3g} s" if watched.seconds < 100 else f"{watched.seconds:.0f} s",
        f"{number} interval" if number == 1 else f"{number} intervals",
    ]
    return symbols.separator.join(parts)
