"""Finds out whether repeated times fall into two groups, and where these lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.statistics.dip import dip_probability
from streamgage.analysis.statistics.intervals import median

LEAST_SHARE = 0.10
"""The least share of the samples in each mode."""
GAP_IN_SCALES = 5.0
DIP_PROBABILITY = 0.01
LEAST_DISTANCE = 0.01
"""Modes whose medians differ by less than this are closer than the stopping rule resolves."""
_MOST = 1000
_NORMAL_SCALE = 1.4826
"""The ratio of the standard deviation to the median absolute deviation, in a normal sample."""


@dataclass(frozen=True)
class Modes:
    """Two groups of times: their medians in seconds, and the share of samples in the faster one."""

    fast: float
    slow: float
    fast_share: float


def two_modes(times: Sequence[float]) -> Modes | None:
    """The two modes of ``times`` in seconds; ``None`` if nothing shows more than one.

    There are two if the largest gap between neighbours exceeds 5 times the MAD scale with at least
    10 % of the samples on both sides. There are also two if Hartigan's dip has p < 0.01; then the
    split is the one with the least variance inside the groups.
    """
    ordered = sorted(times)
    cuts = _cuts(len(ordered))
    if not cuts:
        return None
    middle = median(ordered)
    scale = _NORMAL_SCALE * median(sorted(abs(time - middle) for time in ordered))
    widest = max(cuts, key=lambda cut: ordered[cut] - ordered[cut - 1])
    if scale > 0 and ordered[widest] - ordered[widest - 1] > GAP_IN_SCALES * scale:
        return _modes(ordered, widest)
    if dip_probability(ordered) < DIP_PROBABILITY:
        return _modes(ordered, _best_split(ordered, cuts))
    return None


def thinned(ordered: Sequence[float]) -> Sequence[float]:
    """At most some thousand values, evenly spaced: enough to see whether there are two groups."""
    return ordered[:: -(-len(ordered) // _MOST)] if len(ordered) > _MOST else ordered


def _cuts(n: int) -> range:
    """The sizes of the lower group for which both groups have their least share."""
    least = max(1, -int(-LEAST_SHARE * n // 1))
    return range(least, n - least + 1)


def _best_split(ordered: Sequence[float], cuts: range) -> int:
    """The cut with the greatest variance between the groups (Otsu 1979)."""
    total = sum(ordered)
    n = len(ordered)
    best, best_cut, below = -1.0, cuts[0], sum(ordered[: cuts[0]])
    for cut in cuts:
        distance = below / cut - (total - below) / (n - cut)
        between = cut * (n - cut) * distance * distance
        if between > best:
            best, best_cut = between, cut
        below += ordered[cut] if cut < n else 0.0
    return best_cut


def _modes(ordered: Sequence[float], cut: int) -> Modes | None:
    fast, slow = median(ordered[:cut]), median(ordered[cut:])
    if slow - fast < LEAST_DISTANCE * fast:
        return None
    return Modes(fast, slow, cut / len(ordered))
