"""Finds where caches end, by the same rule for bandwidth and latency, and why these ends differ.

A level ends where the curve has gone half of the way (geometrically) from its plateau to the next
one. There is no end if noise may explain the difference of the two plateaus. The size of arrays
follows the reported cache sizes, never these ends.
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
"""A cache that ends below this share of its reported size acts like a smaller one."""
LARGER = 1.5
"""Two ends differ if one is at least this many times as large as the other."""
Figures = Mapping[int, tuple[Estimate, int]]
"""The figure of each working set, with the number of its rounds."""
By = Literal["bandwidth", "latency"]


@dataclass(frozen=True)
class Edge:
    """The end of a level, with the reported size of its caches.

    ``mode`` is empty if there is only one.
    """

    level: str
    effective: int
    claimed: int | None
    mode: str = ""


def edge_of(stair: Stair, after: Stair | None, figures: Figures) -> int | None:
    """The end of a level; ``None`` if noise alone may explain the difference to the next level."""
    if after is not None:
        one, other = (_usual(each, figures) for each in (stair, after))
        if not differ(one[0], one[1], other[0], other[1]):
            return None
    return stair.effective_bytes


def _usual(stair: Stair, figures: Figures) -> tuple[Estimate, int]:
    """The point in the middle of a plateau's figures."""
    held = sorted((figures[each.bytes] for each in stair.rates), key=lambda each: each[0].value)
    return held[len(held) // 2]


def rule(by: By) -> str:
    """Explain the column with the ends."""
    has = "bandwidth has fallen" if by == "bandwidth" else "latency has risen"
    return f"end by {by}: the size at which {has} halfway to the next level, on a logarithmic scale"


def why_ends_differ(by: By, edges: Sequence[Edge]) -> Iterator[str]:
    """Explain why the ends of the last level differ between modes, or from the reported size.

    Only the end by latency is compared with the reported size. For bandwidth the finding
    ``smaller-cache`` does that.
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
                f"By latency {level} ends at {format_bytes(ends[0].effective)}, but its reported"
                f" size is {format_bytes(ends[0].claimed)}. A random walk takes long to return to a"
                " line, so neighbours on a shared cache may push it out before; or the hypervisor"
                " reports more than this guest has. By bandwidth it can end later (streamgage"
                " ladder), because streams return sooner."
            )
            return
