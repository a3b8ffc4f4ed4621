"""The conclusions of a scaling study, in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator

from streamgage.analysis.conclusion import Conclusion, sound, undecided
from streamgage.analysis.cores import NONE
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.noise import differ
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.scale.document import (
    Curve,
    Dip,
    LeftOut,
    PlacedPoint,
    Recommendation,
    SamePlacement,
    Scale,
    ScalePoint,
    TooFewCpus,
    Workers,
    name_of,
    place_of,
    placement_named,
    workers_of,
)
from streamgage.results.scale.placements import unbound
from streamgage.units import count, format_gbps, format_rate, format_share, listed


def left_out(reasons: Iterable[LeftOut]) -> Iterator[str]:
    """Say why requested placements or points were not measured."""
    for each in reasons:
        match each:
            case SamePlacement():
                yield (
                    f"{each.placement} uses the same CPUs in the same order as {each.same_as} here,"
                    " so it was measured once."
                )
            case TooFewCpus():
                yield (
                    f"{each.placement} has no points above {each.most}: it has"
                    f" {count(each.cpus, 'CPU')}."
                )


def reason_of(answer: Scale, curve: Curve, dip: Dip) -> str:
    """Say why bandwidth is lower with more workers."""
    place = place_of(answer.placements, curve.placement, dip.n)
    if place is None:
        return "It is unknown where they ran."
    if place.even:
        return _not_by_nodes(place, answer.workers)
    node = max(place.per_node, key=lambda each: place.per_node[each])
    crowd = (
        f"{count(place.per_node[node], 'thread')} of {place.threads} are on node {node},"
        f" {_others(place.per_node, node)}, and with equal shares all wait for that node"
    )
    if dip.explained is None:
        return f"{crowd}, which alone does not explain it."
    return f"{crowd}: that explains a drop to {format_gbps(dip.explained)}."


def _not_by_nodes(place: PlacedPoint, workers: Workers) -> str:
    """Say what else the records show about workers whose nodes are evenly filled."""
    if place.cores < place.threads:
        return f"{place.threads} {_plural(workers)} share {count(place.cores, 'core')}."
    if (place.taken or 0.0) > MUCH_LOAD:
        return (
            f"Other programs or the hypervisor took up to {format_share(place.taken or 0.0)} of"
            " their CPUs during the run: measure again when the machine is quiet."
        )
    if not place.bound:
        moved = f" and moved in {count(place.moved, 'sample')}" if place.moved else ""
        return f"They were not bound{moved}."
    return "Their places do not explain it: each had its own core, and each node equally many."


def _plural(workers: Workers) -> str:
    return "threads" if workers == "threads" else "threads of the ranks"


def _others(per_node: dict[str, int], full: str) -> str:
    """Count the threads on the other nodes, as in: 1 on node 1."""
    rest = [f"{number} on node {node}" for node, number in per_node.items() if node != full]
    return rest[0] if len(rest) == 1 else f"{' and '.join((', '.join(rest[:-1]), rest[-1]))}"


def conclusions(answer: Scale) -> list[Conclusion]:
    """Say how many workers are enough, what share one worker has, and what placements change."""
    sentences = [_enough(answer, each) for each in answer.recommended]
    return [*sentences, *_against_unbound(answer)]


def _enough(answer: Scale, each: Recommendation) -> Conclusion:
    name = name_of(each.kernel, each.store)
    workers = placement_named(answer.placements, each.placement).workers
    enough = workers_of(each.n, workers)
    curve = next(
        curve
        for curve in answer.curves
        if (curve.placement, curve.kernel, curve.store) == (each.placement, each.kernel, each.store)
    )
    several = len(answer.placements) > 1
    where = f" ({each.placement})" if several else ""
    also = _alike(each, unbound(answer.placements)) if several else ""
    most = curve.points[-1].n
    if each.n == 1 == len({point.n for point in curve.points}):
        return undecided(
            f"{name}: {enough} gives {format_gbps(each.gbps)}; nothing else was measured."
        )
    if not each.sure or curve.saturated is None:
        return undecided(
            f"{name}: {enough}{where} {_have(each.n)} {format_rate(each.gbps)} of at most"
            f" {format_gbps(each.best_gbps)}; it is not clear whether more"
            f" would gain, because {why_open(curve)}.{also}"
        )
    if each.n == 1:
        return sound(
            f"{name}: one {workers.removesuffix('s')} already has"
            f" {format_rate(each.gbps)} of at most {format_gbps(each.best_gbps)}{where}:"
            f" more gain little for a memory-bound program.{also}"
        )
    if each.n == most and curve.saturated is False:
        return sound(
            f"{name}: bandwidth still rises at {enough}{where}, {format_gbps(each.best_gbps)}:"
            f" the cores are the limit, and more of them would gain.{also}"
        )
    return sound(
        f"{name}: {enough}{where} give {format_gbps(each.gbps)}, at least 90 % of the best"
        f" ({format_rate(each.best_gbps)}): that many are enough for a memory-bound program.{also}"
    )


def _alike(each: Recommendation, free: Collection[str]) -> str:
    """Name the placements that are no worse within noise."""
    if not each.no_different:
        return ""
    names = [
        f"{name.removesuffix(NONE)}unbound" if name in free else name for name in each.no_different
    ]
    if not any(", " in name for name in names):
        return f" As good within noise, with the same number: {listed(names)}."
    more = len(names) - _MOST_NAMED
    shown = [*names[:_MOST_NAMED], f"{more} more"] if more > 1 else names
    return f" As good within noise, with the same number: {'; '.join(shown)}."


def _have(n: int) -> str:
    return "has" if n == 1 else "have"


_MOST_NAMED = 3
_OPEN = {
    "other-load": "other programs or the hypervisor had much of the CPUs' time",
    "falls": "all of them have far less bandwidth than fewer have, which no memory causes",
    "few-samples": "one round alone does not show the noise",
    "coarse": "it flattens between the last two numbers that were measured",
}


def why_open(curve: Curve) -> str:
    """Say why the points of a curve do not show whether more workers would gain."""
    if curve.open_because is None and any(each.explained is None for each in curve.dips):
        return "bandwidth falls again with more, and nothing explains it"
    return _OPEN.get(curve.open_because or "", "the rounds scatter too much")


def _against_unbound(answer: Scale) -> Iterator[Conclusion]:
    """Say what leaving the workers unbound costs, for the first kernel at the most workers of both.

    Only the kind of worker and the compiler with the best bandwidth are compared.
    """
    if not answer.recommended:
        return
    first = answer.recommended[0]
    placement = placement_named(answer.placements, first.placement)
    ways = {
        each.name: each.way
        for each in answer.placements
        if (each.workers, each.compiler) == (placement.workers, placement.compiler)
    }
    these = [
        each
        for each in answer.curves
        if (each.kernel, each.store) == (first.kernel, first.store) and each.placement in ways
    ]
    free = next((each for each in these if ways[each.placement] == NONE), None)
    bound = [each for each in these if ways[each.placement] != NONE]
    if free is None or not bound:
        return
    best = max(bound, key=lambda each: each.best_gbps)
    shared = sorted({point.n for point in free.points} & {point.n for point in best.points})
    if not shared:
        return
    n = shared[-1]
    free_point, bound_point = _at(free, n), _at(best, n)
    ratio = free_point.gbps.value / bound_point.gbps.value
    apart = abs(free_point.gbps.value - bound_point.gbps.value)
    noise = math.hypot(_wider(free_point.gbps), _wider(bound_point.gbps))
    same = apart <= noise or not differ(
        free_point.gbps, free_point.rounds, bound_point.gbps, bound_point.rounds
    )
    change = "makes no difference beyond noise" if same else ""
    grade = undecided if same else sound
    yield grade(
        f"{name_of(first.kernel, first.store)}: at {workers_of(n, placement.workers)} not binding"
        f" {change or f'gives {ratio:.2f} of the bandwidth of {best.placement}'}"
        f" ({format_rate(free_point.gbps.value)} against {format_gbps(bound_point.gbps.value)})."
    )


def _wider(figure: Estimate) -> float:
    """The wider half of its bounds, which is written after ±."""
    ends = [end for end in (figure.low, figure.high) if end is not None]
    return max((abs(end - figure.value) for end in ends), default=0.0)


def _at(curve: Curve, n: int) -> ScalePoint:
    return next(each for each in curve.points if each.n == n)
