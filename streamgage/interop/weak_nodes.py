"""Names the nodes of one output whose rate is far below that of the others."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from streamgage.units import format_gbps, format_share, listed

_WEAK = 0.10
"""A node that lies this share below the median is reported."""
_FEWEST = 3
_MOST_NAMED = 5
_ADVICE = " Check them for an empty memory channel or a failing module."


def weak_nodes(kernel: str, rates: Mapping[str, float], what: str = "node") -> list[str]:
    """A sentence on the nodes that are far below the others; empty if there are none.

    ``what``: what the names are, in the singular.
    """
    if len(rates) < _FEWEST:
        return []
    usual = median(rates.values())
    weak = {name: 1 - rate / usual for name, rate in rates.items() if rate < (1 - _WEAK) * usual}
    if not weak:
        return []
    named = list(weak.items())[:_MOST_NAMED]
    shown = [f"{name} by {format_share(share)}" for name, share in named]
    more = f" and {len(weak) - _MOST_NAMED} more" if len(weak) > _MOST_NAMED else ""
    advice = (
        " Check them for an empty memory channel or a failing module." if what == "node" else ""
    )
    return [
        f"Of {len(rates)} {what}s, these are below the median of {kernel}, {format_gbps(usual)}:"
        f" {listed(shown)}{more}.{advice}"
    ]
