"""Where caches end, by one rule, and why ends differ."""

from __future__ import annotations

import pytest

from streamgage.analysis.hierarchy import Rate, Stair
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.cache_edges import By, Edge, edge_of, why_ends_differ
from streamgage.units import MIB


def estimate(value: float, spread: float) -> tuple[Estimate, int]:
    low, high = value * (1 - spread), value * (1 + spread)
    return Estimate(value=value, low=low, high=high, bounded_by="range"), 3


@pytest.mark.parametrize("by", ["bandwidth", "latency"])
@pytest.mark.parametrize(("spread", "edge"), [(0.01, 4 * MIB), (0.4, None)])
def test_a_level_ends_only_where_it_differs_from_the_next_beyond_noise(
    by: By, spread: float, edge: int | None
) -> None:
    near, far = (60.0, 20.0) if by == "bandwidth" else (20.0, 60.0)
    cache = Stair("L3", [Rate(MIB, 3.0), Rate(2 * MIB, 3.0)], 4 * MIB, 8 * MIB)
    memory = Stair("memory", [Rate(8 * MIB, 1.0)], None, None)
    figures = {
        **{size: estimate(near, spread) for size in (MIB, 2 * MIB)},
        8 * MIB: estimate(far, spread),
    }
    assert edge_of(cache, memory, figures) == edge
    assert edge_of(memory, None, figures) is None


def test_ends_that_differ_are_explained_in_one_sentence() -> None:
    apart = [
        Edge("L2", 2 * MIB, 2 * MIB, "sequential"),
        Edge("L3", 40 * MIB, 260 * MIB, "sequential"),
        Edge("L3", 113 * MIB, 260 * MIB, "worksharing"),
    ]
    (said,) = why_ends_differ("bandwidth", apart)
    assert said.startswith(
        "By bandwidth L3 ends at 40 MiB (sequential) and 113 MiB (worksharing): other programs"
    )
    assert not list(why_ends_differ("bandwidth", apart[:2]))
    # Private caches add up where threads share the working set: each has its own claim.
    both = [Edge("L2", 2 * MIB, 2 * MIB, "sequential"), Edge("L2", 8 * MIB, 8 * MIB, "worksharing")]
    assert not list(why_ends_differ("bandwidth", both))
    (said,) = why_ends_differ("latency", [Edge("L3", 16 * MIB, 260 * MIB)])
    assert said.startswith(
        "By latency L3 ends at 16 MiB, but its reported size is 260 MiB. A random walk"
    )
    assert not list(why_ends_differ("latency", [Edge("L3", 200 * MIB, 260 * MIB)]))
    assert not list(why_ends_differ("latency", [Edge("L3", 200 * MIB, None)]))
