"""Measures the size of the caches, by a short ladder, on a machine that does not report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from streamgage.analysis.cache_edge import cache_edge
from streamgage.analysis.hierarchy import Rate
from streamgage.analysis.statistics.intervals import median
from streamgage.plan import Plan
from streamgage.records import Machine, Sampling
from streamgage.records.reader import Note
from streamgage.records.run import Run
from streamgage.units import GIB, MIB, format_bytes

_KERNEL = "sum"
"""A kernel that only reads: its working set is one array."""
_FEW = Sampling(min_samples=3, look_every=3, max_samples=3, budget_seconds=0.2)
_LOW, _HIGH = MIB, GIB
_SHARE_OF_MEMORY = 0.25

RunPlan = Callable[[Plan], Run]


def are_unknown(plan: Plan, machine: Machine) -> bool:
    """Return whether the size of the arrays depends on caches whose size is unknown."""
    given = (plan.array_bytes, plan.working_set_bytes, plan.last_level_cache_bytes)
    return all(each is None for each in given) and not any(
        each.bytes for each in machine.last_level_caches
    )


def with_measured_caches(plan: Plan, machine: Machine, run: RunPlan, note: Note) -> Plan:
    """Add the size of the caches to ``plan``, as a short ladder measured with ``run`` shows it."""
    found = cache_edge(list(_rates(plan, machine, run)))
    if found is None:
        note(
            "The machine does not say how large its caches are, and bandwidth shows no edge,"
            " so the arrays have a million elements. Give the size with --llc to correct it."
        )
        return plan
    note(
        "The machine does not say how large its caches are. Bandwidth falls beyond"
        f" {format_bytes(found)}, so the arrays are four times that; --llc or --size correct it."
    )
    return msgspec.structs.replace(plan, last_level_cache_bytes=found)


def _rates(plan: Plan, machine: Machine, run: RunPlan) -> Iterator[Rate]:
    free = machine.memory_available_bytes
    most = _HIGH if free is None else min(_HIGH, int(_SHARE_OF_MEMORY * free))
    sizes = [_LOW << power for power in range((_HIGH // _LOW).bit_length())]
    for size in (each for each in sizes if each <= most):
        brief = Plan(
            kernels=[_KERNEL],
            stores=["regular"],
            type=plan.type,
            placement=plan.placement,
            memory_nodes=plan.memory_nodes,
            working_set_bytes=size,
            sampling=_FEW,
        )
        found = run(brief)
        times = sorted(each for number in found.variants for each in found.times(number) if each)
        if times:
            yield Rate(bytes=size, value=size / median(times) / 1e9)
