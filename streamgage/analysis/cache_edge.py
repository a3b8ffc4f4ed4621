"""Finds the end of the caches from the curve of bandwidth, on a machine that does not report it."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.hierarchy import Rate
from streamgage.analysis.statistics.intervals import median

_LIKE_MEMORY = 1.25
"""Rates up to that many times the plateau of memory are on it; a cache gives more."""
_PLATEAU = 3
"""The largest working sets, whose median is the plateau."""


def cache_edge(rates: Sequence[Rate]) -> int | None:
    """The largest working set that is quicker than memory, in bytes; of ascending working sets.

    ``None`` if the curve does not show it: it has too few points, no cache, or no plateau.
    """
    if len(rates) <= _PLATEAU:
        return None
    last = [each.value for each in rates[-_PLATEAU:]]
    memory = median(sorted(last))
    if max(last) > _LIKE_MEMORY * memory:
        return None
    quick = [each.bytes for each in rates if each.value > _LIKE_MEMORY * memory]
    return max(quick, default=None)
