"""A plain line an interval, for pipes and logs."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.tools.traffic.document import Rates, SeenInterval, Trust
from streamgage.tools.traffic.words import rate_or_unknown

_MARKS = {
    "replayed": "REPLAYED ",
    "not-calibrated": "NOT CALIBRATED ",
    "rejected": "NOT BELIEVED ",
    "impossible": "NOT BELIEVED ",
}


def line(interval: SeenInterval, names: Sequence[str], trust: Trust) -> str:
    """When the interval ended, and the rates of each domain; GB/s."""
    parts = [_rates(name, each) for name, each in zip(names, interval.domains, strict=True)]
    if len(parts) > 1:
        parts.append(_rates("together", interval.whole))
    mark = _MARKS.get(trust.state, "")
    return f"{mark}{interval.start + interval.seconds:.2f} s: {'; '.join(parts)}"


def _rates(name: str, rates: Rates) -> str:
    total = f"{rate_or_unknown(rates.total_gbps)} GB/s"
    if rates.read_gbps is None or rates.written_gbps is None:
        return f"{name} {total}"
    read, written = rate_or_unknown(rates.read_gbps), rate_or_unknown(rates.written_gbps)
    return f"{name} {total} (reads {read}, writes {written})"
