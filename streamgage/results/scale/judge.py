"""From the runs of the points to curves, where they bend or fall, and what they come to.

A run stands for one figure a kernel, the median over its samples; speedups are paired round by
round, so that what drifts on the machine is in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.saturation import ENOUGH, has_saturated
from streamgage.analysis.statistics.bootstrap import estimate_of, paired_ratio
from streamgage.analysis.statistics.rounds import FreshRun, Rounds, rounds_of
from streamgage.cpu_list import format_cpu_order
from streamgage.records import Machine, PlacementRecord
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.scale.bindings import NONE
from streamgage.results.scale.document import (
    Binding,
    Curve,
    Dip,
    LeftOut,
    PlacedPoint,
    Recommendation,
    Scale,
    ScalePoint,
    ScaleRun,
    Workers,
    place_of,
)

LEAST = 0.05
"""Share of the best with fewer workers by which a dip lies below it at least."""
EXPLAINED = 0.10
"""Share by which the figure may differ from what its places would give."""


@dataclass(frozen=True)
class Point:
    """``n`` workers under one binding."""

    binding: str
    n: int

    @property
    def name(self) -> str:
        """Such as ``compact, 4``: what its runs are called."""
        return f"{self.binding}, {self.n}"


@dataclass(frozen=True)
class Asked:
    """What was asked for, as the document records it."""

    workers: Workers
    threads_per_worker: int
    launcher: str | None
    rounds: int
    seed: int
    counts: tuple[int, ...]
    bindings: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()


def judge_scale(
    runs: Sequence[FreshRun], points: Sequence[Point], asked: Asked, machine: Machine | None
) -> Scale:
    """The answer of ``runs``, whose conditions are the names of ``points``; any may be missing."""
    ran = [
        _run(each, point, asked.threads_per_worker)
        for each in runs
        for point in points
        if each.condition == point.name
    ]
    failed = {(each.binding, each.n, each.round) for each in ran if each.failure}
    good = {
        point: [
            each
            for each in of_point(runs, point)
            if (point.binding, point.n, each.round) not in failed
        ]
        for point in points
    }
    bindings = [
        Binding(
            name=name,
            points=[
                found
                for point in points
                if point.binding == name and (found := placed(point, good[point])) is not None
            ],
        )
        for name in asked.bindings
    ]
    curves = [
        curve
        for kernel, store in _variants(good)
        for binding in bindings
        if (curve := _curve(binding.name, kernel, store, good)) is not None
    ]
    evidence = Evidence(curves, bindings)
    curves = [msgspec.structs.replace(each, dips=dips_of(each, evidence)) for each in curves]
    memories = [each.run.memory for each in runs if each.run.memory is not None]
    return Scale(
        **common((each.run for each in runs), machine),
        workers=asked.workers,
        threads_per_worker=asked.threads_per_worker,
        launcher=asked.launcher,
        rounds=asked.rounds,
        seed=asked.seed,
        array_bytes=memories[0].array_bytes if memories else None,
        counts=list(asked.counts),
        bindings=bindings,
        curves=curves,
        recommended=list(_recommended(curves)),
        runs=ran,
        left_out=list(asked.left_out),
    )


def _run(each: FreshRun, point: Point, threads: int) -> ScaleRun:
    return ScaleRun(
        round=each.round,
        binding=point.binding,
        n=point.n,
        failure=each.failure or why_not(each.run, point.n * threads),
        records=each.records,
    )


def of_point(runs: Sequence[FreshRun], point: Point) -> list[FreshRun]:
    """The runs of a point, in the order in which they ran."""
    return [each for each in runs if each.condition == point.name]


def why_not(run: Run, threads: int, *, hosts: int = 1) -> str | None:
    """Why the figures of a finished run are not those of its point; None where they are."""
    placement = run.placement
    if placement is None or len(placement.threads) == threads:
        return None
    return (
        f"{threads} threads were asked for and {len(placement.threads)} ran"
        f"{'' if hosts == 1 else ' on all hosts together'}."
    )


def placed(point: Point, runs: Sequence[FreshRun]) -> PlacedPoint | None:
    """Where the workers of a point ran; None where no run came that far."""
    seen = [each.run for each in runs if each.run.placement is not None]
    if not seen:
        return None
    first = seen[0].placement
    assert first is not None
    cpus = [place.cpu for place in first.threads]
    return PlacedPoint(
        n=point.n,
        cpus=format_cpu_order(cpus) if cpus else None,
        per_node=_counted(first, "node"),
        per_package=_counted(first, "package"),
        cores=first.cores_in_use,
        bound=all(run.placement is not None and run.placement.bound for run in seen),
        moved=sum(sample.moved > 0 for run in seen for sample in run.timed_samples()),
        taken=max(
            (share for run in seen if (share := taken_by_others(run)) is not None), default=None
        ),
    )


def _counted(placement: PlacementRecord, what: str) -> dict[str, int]:
    """Threads by node or package; those of several hosts by ``host:number``."""
    several = len(placement.hosts) > 1
    counted: dict[str, int] = {}
    for place in placement.threads:
        number = getattr(place, what)
        key = f"{place.host}:{number}" if several else str(number)
        counted[key] = counted.get(key, 0) + 1
    return dict(sorted(counted.items(), key=lambda each: (len(each[0]), each[0])))


Runs = Mapping[Point, Sequence[FreshRun]]


def _variants(good: Runs) -> list[tuple[str, str]]:
    """Kernels with their kinds of stores, in the order of the engine."""
    found = [
        (variant.kernel, variant.store)
        for runs in good.values()
        for each in runs
        for variant in each.run.shown()
    ]
    return list(dict.fromkeys(found))


def _curve(binding: str, kernel: str, store: str, good: Runs) -> Curve | None:
    measured = {
        point.n: found
        for point, runs in good.items()
        if point.binding == binding and (found := rounds_of(kernel, store, runs)) is not None
    }
    if not measured:
        return None
    points = [_point(n, measured[n], measured.get(1)) for n in sorted(measured)]
    best = max(points, key=lambda each: each.gbps.value)
    last = points[-1]
    before = max(points[:-1], key=lambda each: each.gbps.value, default=None)
    ratio = (
        None if before is None else paired_ratio(measured[before.n].times, measured[last.n].times)
    )
    enough = next(each.n for each in points if each.gbps.value >= ENOUGH * best.gbps.value)
    return Curve(
        binding=binding,
        kernel=kernel,
        store=store,
        points=points,
        best_n=best.n,
        best_gbps=best.gbps.value,
        enough_n=enough,
        saturated=None
        if before is None or ratio is None
        else has_saturated(enough, before.n, last.n, ratio.value),
    )


def _point(n: int, here: Rounds, one: Rounds | None) -> ScalePoint:
    speedup = None if one is None else paired_ratio(one.times, here.times)
    return ScalePoint(
        n=n,
        gbps=here.gbps(),
        speedup=estimate_of(speedup),
        efficiency=estimate_of(speedup, n),
        rounds=len(here.times),
        samples=here.samples,
    )


def _recommended(curves: Sequence[Curve]) -> Iterator[Recommendation]:
    """Of each kernel and kind of stores: the fewest workers with 90 % of the best of all bindings.

    Of bindings that need as few one that binds, and of these the one that gives more.
    """
    for kernel, store in dict.fromkeys((each.kernel, each.store) for each in curves):
        these = [each for each in curves if (each.kernel, each.store) == (kernel, store)]
        best = max(each.best_gbps for each in these)
        found = [
            (point.n, each.binding == NONE, -point.gbps.value, each.binding)
            for each in these
            for point in each.points
            if point.gbps.value >= ENOUGH * best
        ]
        n, _, negative, binding = min(found)
        yield Recommendation(
            kernel=kernel, store=store, binding=binding, n=n, gbps=-negative, best_gbps=best
        )


@dataclass(frozen=True)
class Evidence:
    """All curves, which show what evenly filled nodes give, and where their workers ran.

    Every worker has an equal share of the arrays, so all wait for those of the fullest NUMA node.
    Where k workers on each of some nodes give B with m of them, n workers with k on the fullest
    should give n x B / m: a dip that comes out like that is explained.
    """

    curves: Sequence[Curve]
    bindings: Sequence[Binding]


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
        if (where := place_of(evidence.bindings, other.binding, each.n)) is not None
    ]
    return Dip(
        n=point.n,
        gbps=point.gbps.value,
        below_n=best.n,
        below_gbps=best.gbps.value,
        explained=_explained(point, place_of(evidence.bindings, curve.binding, point.n), even),
    )


def _explained(
    point: ScalePoint,
    place: PlacedPoint | None,
    even: Sequence[tuple[ScalePoint, PlacedPoint]],
) -> float | None:
    """What the places would give; ``None``: they explain nothing."""
    if place is None or place.even:
        return None
    expected = list(_expected(point.n, place.threads, max(place.per_node.values()), even))
    near = min(expected, key=lambda each: abs(each - point.gbps.value), default=None)
    if near is None or abs(near - point.gbps.value) > EXPLAINED * point.gbps.value:
        return None
    return near


def _expected(
    n: int, threads: int, most: int, even: Sequence[tuple[ScalePoint, PlacedPoint]]
) -> Iterator[float]:
    """GB/s of ``n`` workers if each got what it gets where every used node has ``most`` threads."""
    for point, place in even:
        filled = set(place.per_node.values())
        if filled == {most} and sum(place.per_node.values()) != threads:
            yield n * point.gbps.value / point.n
