"""Caches that the machine says nothing of are measured before the arrays are sized."""

from __future__ import annotations

import msgspec
import pytest
from example_records import KERNELS, MACHINE, samples_of, vector

from streamgage.analysis.cache_edge import cache_edge
from streamgage.analysis.hierarchy import Rate
from streamgage.plan import Plan
from streamgage.records import Sampling
from streamgage.records.run import Run, collect
from streamgage.results.measure.unknown_caches import are_unknown, with_measured_caches
from streamgage.units import GIB, MIB

change = msgspec.structs.replace
PLAN = Plan(
    kernels=["triad"],
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1),
)
UNKNOWN = change(MACHINE, caches=[], memory_available_bytes=16 * GIB)


def curve(edge: int, *, cache: float = 90.0, memory: float = 30.0) -> list[Rate]:
    sizes = [MIB << power for power in range(11)]
    return [Rate(size, cache if size <= edge else memory) for size in sizes]


@pytest.mark.parametrize("edge", [2 * MIB, 32 * MIB, 128 * MIB])
def test_the_edge_is_the_largest_working_set_that_is_quicker(edge: int) -> None:
    assert cache_edge(curve(edge)) == edge


def test_no_edge_is_seen_without_a_plateau_of_memory() -> None:
    assert cache_edge(curve(512 * MIB)) is None
    assert cache_edge(curve(2 * GIB)) is None
    assert cache_edge(curve(0)) is None
    assert cache_edge(curve(MIB)[:3]) is None


def test_caches_are_unknown_unless_somebody_knows_them() -> None:
    assert are_unknown(PLAN, UNKNOWN)
    assert not are_unknown(PLAN, MACHINE)
    assert not are_unknown(change(PLAN, array_bytes=MIB), UNKNOWN)
    assert not are_unknown(change(PLAN, last_level_cache_bytes=MIB), UNKNOWN)


def machine_whose_caches_end_at(edge: int) -> tuple[list[int], list[str], Plan]:
    """The working sets that were measured, what was said, and the plan that came out."""
    asked: list[int] = []
    said: list[str] = []

    def run(plan: Plan) -> Run:
        size = plan.working_set_bytes or 0
        asked.append(size)
        seconds = size / (90e9 if size <= edge else 30e9)
        return collect([KERNELS[0], vector("sum", "regular"), *samples_of(0, [seconds] * 3)])

    return asked, said, with_measured_caches(PLAN, UNKNOWN, run, said.append)


def test_arrays_are_sized_by_the_edge_that_was_measured() -> None:
    asked, said, plan = machine_whose_caches_end_at(64 * MIB)
    assert plan.last_level_cache_bytes == 64 * MIB
    assert asked == sorted(asked)
    assert (asked[0], asked[-1]) == (MIB, GIB)
    (sentence,) = said
    assert "Bandwidth falls beyond 64 MiB" in sentence


def test_where_no_edge_shows_it_is_said_what_to_do() -> None:
    _, said, plan = machine_whose_caches_end_at(2 * GIB)
    assert plan == PLAN
    assert "Give the size with --llc" in said[0]
