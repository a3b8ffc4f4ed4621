"""Where bandwidth falls although there are more workers, and whether their places explain it.

Every worker has an equal share of the arrays, so that all wait for those of the fullest NUMA node.
Where k workers on each of some nodes give B with m of them, n workers of which a node has k should
give n x B / m: a dip that comes out like that is explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgage.analysis.outside import MUCH
from streamgage.results.scale.document import Binding, Curve, Dip, PlacedPoint, ScalePoint, Workers
from streamgage.units import count, format_rate, format_share

LEAST = 0.05
"""Share of the best with fewer workers by which a dip lies below it at least."""
EXPLAINED = 0.10
"""Share by which the figure may differ from what its places would give."""


@dataclass(frozen=True)
class Evidence:
    """All curves, which show what evenly filled nodes give, and where their workers ran."""

    curves: Sequence[Curve]
    bindings: Sequence[Binding]
    workers: Workers


def dips_of(curve: Curve, evidence: Evidence) -> list[Dip]:
    """The points of ``curve`` that lie below one with fewer workers, beyond the noise."""
    found = []
    for number, point in enumerate(curve.points[1:], 1):
        best = max(curve.points[:number], key=lambda each: each.gbps.value)
        if _lies_below(point, best):
            found.append(_dip(curve, point, best, evidence))
    return found


def _lies_below(point: ScalePoint, best: ScalePoint) -> bool:
    high, low = point.gbps.high, best.gbps.low
    apart = high is not None and low is not None and high < low
    return apart and point.gbps.value <= (1 - LEAST) * best.gbps.value


def _dip(curve: Curve, point: ScalePoint, best: ScalePoint, evidence: Evidence) -> Dip:
    even = [
        (each, where)
        for other in evidence.curves
        if (other.kernel, other.store) == (curve.kernel, curve.store)
        for each in other.points
        if (where := _place(evidence.bindings, other.binding, each.n)) is not None
    ]
    place = _place(evidence.bindings, curve.binding, point.n)
    explained, reason = _explained(point, place, even, evidence.workers)
    return Dip(
        n=point.n,
        gbps=point.gbps.value,
        below_n=best.n,
        below_gbps=best.gbps.value,
        explained=explained,
        reason=reason,
    )


def _place(bindings: Sequence[Binding], name: str, n: int) -> PlacedPoint | None:
    return next(
        (point for each in bindings if each.name == name for point in each.points if point.n == n),
        None,
    )


def _explained(
    point: ScalePoint,
    place: PlacedPoint | None,
    even: Sequence[tuple[ScalePoint, PlacedPoint]],
    workers: Workers,
) -> tuple[float | None, str]:
    """What the places would give (null: they explain nothing), and a sentence."""
    if place is None:
        return None, "It was not seen where they ran."
    threads = sum(place.per_node.values())
    most = max(place.per_node.values(), default=0)
    if len(place.per_node) == 1 or min(place.per_node.values()) == most:
        return None, _not_by_nodes(place, threads, workers)
    node = max(place.per_node, key=lambda each: place.per_node[each])
    crowd = (
        f"{count(most, 'thread')} of {threads} are on node {node},"
        f" {_others(place.per_node, node)}, and with equal shares all wait for that node"
    )
    expected = list(_expected(point.n, threads, most, even))
    near = min(expected, key=lambda each: abs(each - point.gbps.value), default=None)
    if near is None or abs(near - point.gbps.value) > EXPLAINED * point.gbps.value:
        return None, f"{crowd}, which alone does not explain it."
    return near, f"{crowd}: as with as many on each node that should give {format_rate(near)} GB/s."


def _not_by_nodes(place: PlacedPoint, threads: int, workers: Workers) -> str:
    """What else the records tell of workers whose nodes are evenly filled."""
    if place.cores < threads:
        return f"{threads} {_plural(workers)} share {count(place.cores, 'core')}."
    if (place.taken or 0.0) > MUCH:
        return (
            f"Other programs or the hypervisor took up to {format_share(place.taken or 0.0)} of"
            " their CPUs meanwhile: measure again when the machine is quiet."
        )
    if not place.bound:
        moved = f" and moved in {count(place.moved, 'sample')}" if place.moved else ""
        return f"They were not bound{moved}."
    return "Their places do not explain it: each had a core, and the nodes had as many each."


def _plural(workers: Workers) -> str:
    return "threads" if workers == "threads" else "threads of the ranks"


def _others(per_node: dict[str, int], full: str) -> str:
    """Such as: 1 on node 1."""
    rest = [f"{number} on node {node}" for node, number in per_node.items() if node != full]
    return rest[0] if len(rest) == 1 else f"{' and '.join((', '.join(rest[:-1]), rest[-1]))}"


def _expected(
    n: int, threads: int, most: int, even: Sequence[tuple[ScalePoint, PlacedPoint]]
) -> Iterator[float]:
    """GB/s of ``n`` workers if each got what it gets where every used node has ``most`` threads."""
    for point, place in even:
        filled = set(place.per_node.values())
        if filled == {most} and sum(place.per_node.values()) != threads:
            yield n * point.gbps.value / point.n
