"""Finds where the caches end from the curve of bandwidth, on machines that do not report it."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.hierarchy import Rate
from streamgage.analysis.statistics.intervals import median

_LIKE_MEMORY = 1.25
"""Rates up to this multiple of the plateau belong to memory; caches are faster."""
_PLATEAU = 3
"""The number of the largest working sets whose median is the plateau."""


def cache_edge(rates: Sequence[Rate]) -> int | None:
    """The largest working set that is faster than memory, in bytes.

    ``rates``: in ascending order of the working set. ``None`` if the curve does not show it: it has
    too few points, no cache, or no plateau.
    """
    if len(rates) <= _PLATEAU:
        return None
    last = [each.value for each in rates[-_PLATEAU:]]
    memory = median(sorted(last))
    if max(last) > _LIKE_MEMORY * memory:
        return None
    quick = [each.bytes for each in rates if each.value > _LIKE_MEMORY * memory]
    return max(quick, default=None)
