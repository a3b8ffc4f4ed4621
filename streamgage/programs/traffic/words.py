"""Words and figures that every view of memory traffic has in common."""

from __future__ import annotations

from streamgage.programs.traffic.document import CurveState, Rates, TrafficResult, Trust
from streamgage.show.symbols import Symbols
from streamgage.units import format_parts, format_rate

REPLAYED = "REPLAYED: these figures come from a recording or a made-up machine, not from this one."
UNKNOWN = "n/a"
STATES: dict[CurveState, str] = {
    "free": "unhindered",
    "slowed": "slowed",
    "bound": "bound",
    "beyond": "above the curve",
    "unknown": "not counted",
}
"""What the states of intervals on a curve are called."""


def distrust(trust: Trust) -> str | None:
    """What the reader must know before any figure; ``None`` if the source is believed."""
    if trust.refused:
        return f"NOT BELIEVED: {trust.text}"
    return f"NOT CALIBRATED: {trust.text}" if trust.state == "not-calibrated" else None


def rate_or_unknown(gbps: float | None) -> str:
    """GB/s without the unit; an unknown rate is not 0."""
    return UNKNOWN if gbps is None else format_rate(gbps)


def parts_of(rates: Rates) -> list[tuple[str, float]]:
    """How the traffic divides, in words and as the share of the first part.

    ``75 % reads, 25 % writes``, and ``60 % local, 40 % remote`` where the source tells that.
    """
    known = (
        (rates.read_share, "reads", "writes"),
        (rates.local_share, "local", "remote"),
    )
    return [
        (format_parts(share, one, other), share) for share, one, other in known if share is not None
    ]


def heading(traffic: TrafficResult, symbols: Symbols) -> str:
    """The program, the source and the duration."""
    during = f" during {' '.join(traffic.command)}" if traffic.command else ""
    number = len(traffic.intervals)
    parts = [
        f"Memory traffic{during}",
        traffic.source,
        f"{traffic.seconds:.3g} s" if traffic.seconds < 100 else f"{traffic.seconds:.0f} s",
        f"{number} interval" if number == 1 else f"{number} intervals",
    ]
    return symbols.separator.join(parts)
