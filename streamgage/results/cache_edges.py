"""The ends of caches: one rule for bandwidth and for latency, and why the ends differ.

A level ends where the curve has gone half of the way (geometrically) from its plateau to the next
one. No end is given where noise may have made the difference of the two plateaus. The size of
arrays follows what caches claim, and never these ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from streamgage.analysis.hierarchy import Stair
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.noise import differ
from streamgage.units import format_bytes, listed

SMALLER = 0.6
"""Share of what a cache claims below which it acts as a smaller one."""
LARGER = 1.5
"""Ends that are this many times as far as another one differ from it."""
Figures = Mapping[int, tuple[Estimate, int]]
"""The figure of each working set, and the number of rounds behind it."""
By = Literal["bandwidth", "latency"]


@dataclass(frozen=True)
class Edge:
    """The end of a level, and what its caches claim to hold; ``mode``: empty if there is one."""

    level: str
    effective: int
    claimed: int | None
    mode: str = ""


def edge_of(stair: Stair, after: Stair | None, figures: Figures) -> int | None:
    """The end of a level; ``None`` if it and the next one may differ by noise alone."""
    if after is not None:
        one, other = (_usual(each, figures) for each in (stair, after))
        if not differ(one[0], one[1], other[0], other[1]):
            return None
    return stair.effective_bytes


def _usual(stair: Stair, figures: Figures) -> tuple[Estimate, int]:
    """The point of a plateau in the middle of its figures."""
    held = sorted((figures[each.bytes] for each in stair.rates), key=lambda each: each[0].value)
    return held[len(held) // 2]


def rule(by: By) -> str:
    """The meaning of the column with the ends."""
    has = "bandwidth has fallen" if by == "bandwidth" else "latency has risen"
    return f"end by {by}: the size at which {has} halfway to the next level, on a logarithmic scale"


def why_ends_differ(by: By, edges: Sequence[Edge]) -> Iterator[str]:
    """Explain why the ends of the last level differ between modes, or from the reported size.

    The reported size is only compared by latency: by bandwidth the finding smaller-cache does it.
    """
    for level in dict.fromkeys(each.level for each in reversed(edges)):
        ends = [each for each in edges if each.level == level]
        shares = {each.mode: each.effective / (each.claimed or each.effective) for each in ends}
        if by == "bandwidth" and max(shares.values()) > LARGER * min(shares.values()):
            found = listed([f"{format_bytes(e.effective)} ({e.mode})" for e in ends])
            yield (
                f"By bandwidth {level} ends at {found}: other programs push lines out of a shared"
                " cache, and threads that return to a line sooner lose fewer of them. By latency"
                " it can end even earlier (streamgage latency), because a random walk returns"
                " late."
            )
            return
        if by == "latency" and ends[0].claimed and min(shares.values()) < SMALLER:
            yield (
                f"By latency {level} ends at {format_bytes(ends[0].effective)} but claims"
                f" {format_bytes(ends[0].claimed)}. A random walk returns to a line late, and"
                " until then neighbours on a shared cache may push it out; or the hypervisor"
                " reports more than this guest has. By bandwidth it can end later (streamgage"
                " ladder), because streams return sooner."
            )
            return
