"""Words and figures that every view of memory traffic has in common."""

from __future__ import annotations

from streamgage.show.symbols import Symbols
from streamgage.tools.traffic.document import TrafficResult, Trust
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


def heading(traffic: TrafficResult, symbols: Symbols) -> str:
    """What was traffic, by what, and for how long."""
    beside = f" beside {' '.join(traffic.command)}" if traffic.command else ""
    number = len(traffic.intervals)
    parts = [
        f"Memory traffic{beside}",
        traffic.source,
        f"{traffic.seconds:.3g} s" if traffic.seconds < 100 else f"{traffic.seconds:.0f} s",
        f"{number} interval" if number == 1 else f"{number} intervals",
    ]
    return symbols.separator.join(parts)
