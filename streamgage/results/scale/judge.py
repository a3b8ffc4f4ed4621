"""Makes curves from the runs of the points, and finds where they bend or fall.

A run gives one figure per kernel, the median over its samples. Speedups are paired round by round,
so a drift of the machine affects both runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.cores import usable_cores
from streamgage.analysis.crossing import stays_above
from streamgage.analysis.outside import SPOILING, taken_by_others
from streamgage.analysis.saturation import ENOUGH, Growth, growth_of
from streamgage.analysis.statistics.bootstrap import BlockMedian, estimate_of, paired_ratio
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.noise import differ
from streamgage.analysis.statistics.rounds import FreshRun, Rounds, rounds_of
from streamgage.analysis.thread_places import Layout, cores_in, places_of
from streamgage.cpu_list import format_cpu_order
from streamgage.records import BenchmarkOutput, Machine
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.scale.document import (
    Curve,
    Dip,
    LeftOut,
    PlacedPoint,
    PlacedWorkers,
    Recommendation,
    Scale,
    ScalePoint,
    ScaleRun,
    Workers,
    place_of,
)
from streamgage.results.scale.placements import unbound

LEAST = 0.05
"""A drop must lie at least this share below the best bandwidth with fewer workers."""
EXPLAINED = 0.10
"""The share by which a figure may differ from what its places would give."""


@dataclass(frozen=True)
class Point:
    """A point: ``n`` workers under one placement."""

    placement: str
    n: int

    @property
    def name(self) -> str:
        """The name of its runs, such as ``compact, 4``."""
        return f"{self.placement}, {self.n}"


@dataclass(frozen=True)
class ScaleSetup:
    """The request, as the document records it."""

    workers: Workers
    threads_per_worker: int
    launcher: str | None
    rounds: int
    seed: int | None
    counts: tuple[int, ...]
    placements: tuple[PlacedWorkers, ...]
    """The placements, before their points are known."""
    left_out: tuple[LeftOut, ...] = ()
    reported: BenchmarkOutput | None = None
    """The other benchmark that ran. Its runs of different points cannot be paired."""


def judge_scale(
    runs: Sequence[FreshRun], points: Sequence[Point], setup: ScaleSetup, machine: Machine | None
) -> Scale:
    """Build the result from ``runs``, whose conditions are the names of ``points``.

    Any may be missing.
    """
    ran = [
        _run(each, point, setup.threads_per_worker)
        for each in runs
        for point in points
        if each.condition == point.name
    ]
    failed = {(each.placement, each.n, each.round) for each in ran if each.failure}
    good = {
        point: [
            each
            for each in of_point(runs, point)
            if (point.placement, point.n, each.round) not in failed
        ]
        for point in points
    }
    placements = [
        msgspec.structs.replace(
            each,
            points=[
                found
                for point in points
                if point.placement == each.name
                and (found := placed(point.n, good[point], machine)) is not None
            ],
        )
        for each in setup.placements
    ]
    curves = [
        curve
        for kernel, store in _variants(good)
        for placement in placements
        if (curve := _curve(placement, kernel, store, good, _ratios(setup))) is not None
    ]
    evidence = Evidence(curves, placements)
    curves = [msgspec.structs.replace(each, dips=dips_of(each, evidence)) for each in curves]
    sizes: list[int | None] = [
        each.run.memory.array_bytes for each in runs if each.run.memory is not None
    ]
    if setup.reported is not None:
        sizes = [setup.reported.array_bytes]
    return Scale(
        **common((each.run for each in runs), machine),
        workers=setup.workers,
        threads_per_worker=setup.threads_per_worker,
        launcher=setup.launcher,
        rounds=setup.rounds,
        seed=setup.seed,
        array_bytes=next(iter(sizes), None),
        counts=list(setup.counts),
        placements=placements,
        curves=curves,
        recommended=list(_recommended(curves, unbound(placements))),
        runs=ran,
        left_out=list(setup.left_out),
        reported=setup.reported,
    )


def _run(each: FreshRun, point: Point, threads: int) -> ScaleRun:
    return ScaleRun(
        round=each.round,
        placement=point.placement,
        n=point.n,
        failure=each.failure or why_not(each.run, point.n * threads),
        records=each.records,
    )


def of_point(runs: Sequence[FreshRun], point: Point) -> list[FreshRun]:
    """The runs of a point in the order in which they ran."""
    return [each for each in runs if each.condition == point.name]


def why_not(run: Run, threads: int, *, hosts: int = 1) -> str | None:
    """Why the figures of a finished run are not those of its point; ``None`` if they are."""
    placement = run.placement
    if placement is None or len(placement.threads) == threads:
        return None
    return (
        f"{threads} threads were requested and {len(placement.threads)} ran"
        f"{'' if hosts == 1 else ' on all hosts together'}."
    )


def placed(n: int, runs: Sequence[FreshRun], machine: Machine | None) -> PlacedPoint | None:
    """Where the workers of a point ran; ``None`` if no run shows it."""
    seen = [each.run for each in runs if each.run.placement is not None]
    places = places_of(*seen)
    if places is None:
        return None
    usable = usable_cores(machine) if machine is not None else 0
    return PlacedPoint(
        n=n,
        cpus=format_cpu_order([place.cpu for place in places.usual]),
        per_node=_threads_by_place(places.usual, "node"),
        per_package=_threads_by_place(places.usual, "package"),
        cores=places.cores,
        crowded=places.count(lambda layout: cores_in(layout) < min(len(layout), usable)),
        samples=places.samples,
        bound=all(run.placement is not None and run.placement.bound for run in seen),
        moved=sum(sample.moved > 0 for run in seen for sample in run.timed_samples()),
        taken=max(
            (share for run in seen if (share := taken_by_others(run)) is not None), default=None
        ),
    )


def _threads_by_place(layout: Layout, what: str) -> dict[str, int]:
    """The number of threads by node or package; for several hosts, by ``host:number``."""
    several = len({place.host for place in layout}) > 1
    counted: dict[str, int] = {}
    for place in layout:
        number = getattr(place, what)
        key = f"{place.host}:{number}" if several else str(number)
        counted[key] = counted.get(key, 0) + 1
    return dict(sorted(counted.items(), key=lambda each: (len(each[0]), each[0])))


Runs = Mapping[Point, Sequence[FreshRun]]


def _variants(good: Runs) -> list[tuple[str, str]]:
    """The kernels with their kinds of stores, in the order of the engine."""
    found = [
        (variant.kernel, variant.store)
        for runs in good.values()
        for each in runs
        for variant in each.run.shown()
    ]
    return list(dict.fromkeys(found))


Ratio = Callable[[Rounds, Rounds], BlockMedian | None]
"""Returns the bandwidth of the second rounds divided by that of the first."""


def _ratios(setup: ScaleSetup) -> Ratio:
    return _paired if setup.reported is None else _unpaired


def _paired(below: Rounds, above: Rounds) -> BlockMedian | None:
    return paired_ratio(below.times, above.times)


def _unpaired(below: Rounds, above: Rounds) -> BlockMedian | None:
    """The ratio of the medians, with the widest bounds that both bounds allow."""
    one, other = below.gbps(), above.gbps()
    value = other.value / one.value
    n = min(len(below.times), len(above.times))
    if n == 1 or None in (one.low, one.high, other.low, other.high):
        return BlockMedian(value, value, value, 1)
    low, high = (other.low or 0.0) / (one.high or 1.0), (other.high or 0.0) / (one.low or 1.0)
    return BlockMedian(value, low, high, n)


def _curve(
    placement: PlacedWorkers, kernel: str, store: str, good: Runs, ratio: Ratio
) -> Curve | None:
    measured = {
        point.n: found
        for point, runs in good.items()
        if point.placement == placement.name
        and (found := rounds_of(kernel, store, runs)) is not None
    }
    if not measured:
        return None
    points = [_point(n, measured[n], measured.get(1), ratio) for n in sorted(measured)]
    best = max(points, key=lambda each: each.gbps.value)
    last = points[-1]
    before = max(points[:-1], key=lambda each: each.gbps.value, default=None)
    enough = next(each.n for each in points if each.gbps.value >= ENOUGH * best.gbps.value)
    growth = None if before is None else _growth(points, before.n, measured, ratio)
    because = None if growth is None or before is None else growth.open_because
    decisive = {last.n, best.n} if before is None else {last.n, best.n, before.n}
    if growth is not None and any(
        (place.taken or 0.0) > SPOILING for place in placement.points if place.n in decisive
    ):
        because = "other-load"
    return Curve(
        placement=placement.name,
        kernel=kernel,
        store=store,
        points=points,
        best_n=best.n,
        best_gbps=best.gbps.value,
        enough_n=enough,
        saturated=None if growth is None or because is not None else growth.saturated,
        open_because=because,
    )


def _growth(
    points: Sequence[ScalePoint], before: int, measured: Mapping[int, Rounds], ratio: Ratio
) -> Growth:
    """Judge how bandwidth grows, over the rounds, or for a single round over its samples."""
    figures = {each.n: each for each in points}

    def ratio_of(above: int, below: int) -> BlockMedian | None:
        paired = ratio(measured[below], measured[above])
        one, other = figures[above].gbps, figures[below].gbps
        if paired is None or paired.n > 1 or None in (one.low, one.high, other.low, other.high):
            return paired
        samples = min(figures[above].samples, figures[below].samples)
        low, high = (one.low or 0.0) / (other.high or 1.0), (one.high or 0.0) / (other.low or 1.0)
        return BlockMedian(paired.value, low, high, samples)

    return growth_of({n: each.gbps.value for n, each in figures.items()}, before, ratio_of)


def _point(n: int, here: Rounds, one: Rounds | None, ratio: Ratio) -> ScalePoint:
    speedup = None if one is None else ratio(one, here)
    return ScalePoint(
        n=n,
        gbps=here.gbps(),
        speedup=estimate_of(speedup),
        efficiency=estimate_of(speedup, n),
        rounds=len(here.times),
        samples=here.samples,
    )


def _recommended(curves: Sequence[Curve], free: Collection[str]) -> Iterator[Recommendation]:
    """Yield for each kernel and kind of stores the fewest workers with 90 % of the best bandwidth.

    ``free``: the names of placements that leave workers unbound. If several placements need as few
    workers, one that binds is preferred, then the one with more bandwidth.
    """
    for kernel, store in dict.fromkeys((each.kernel, each.store) for each in curves):
        these = [each for each in curves if (each.kernel, each.store) == (kernel, store)]
        best = max(each.best_gbps for each in these)
        found = [
            (point.n, each.placement in free, -point.gbps.value, each.placement)
            for each in these
            for point in each.points
            if point.gbps.value >= ENOUGH * best
        ]
        n, _, negative, placement = min(found)
        at = {each.placement: _at(each, n) for each in these}
        chosen = next(each for each in these if each.placement == placement)
        here = at[placement]
        assert here is not None
        yield Recommendation(
            kernel=kernel,
            store=store,
            placement=placement,
            n=n,
            gbps=-negative,
            best_gbps=best,
            sure=stays_above(_from(chosen, n), ENOUGH * best),
            no_different=[
                name
                for name, other in at.items()
                if name != placement and other is not None and not _differ(here, other)
            ],
        )


def _from(curve: Curve, n: int) -> list[Estimate]:
    """The figures of ``n`` workers and of more, without drops that their places explain."""
    explained = {each.n for each in curve.dips if each.explained is not None}
    return [each.gbps for each in curve.points if each.n >= n and each.n not in explained - {n}]


def _at(curve: Curve, n: int) -> ScalePoint | None:
    return next((each for each in curve.points if each.n == n), None)


def _differ(one: ScalePoint, other: ScalePoint) -> bool:
    return differ(one.gbps, one.rounds, other.gbps, other.rounds)


@dataclass(frozen=True)
class Evidence:
    """All curves, which show what evenly filled nodes give, and where their workers ran.

    Every worker has an equal share of the arrays, so all wait for those of the fullest NUMA node.
    If k workers on each of several nodes give B with m workers in all, then n workers with k on the
    fullest node should give n x B / m. A drop to that figure is explained.
    """

    curves: Sequence[Curve]
    placements: Sequence[PlacedWorkers]


def dips_of(curve: Curve, evidence: Evidence) -> list[Dip]:
    """The points of ``curve`` that are lower than one with fewer workers, beyond noise."""
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
        if (where := place_of(evidence.placements, other.placement, each.n)) is not None
    ]
    return Dip(
        n=point.n,
        gbps=point.gbps.value,
        below_n=best.n,
        below_gbps=best.gbps.value,
        explained=_explained(point, place_of(evidence.placements, curve.placement, point.n), even),
    )


def _explained(
    point: ScalePoint,
    place: PlacedPoint | None,
    even: Sequence[tuple[ScalePoint, PlacedPoint]],
) -> float | None:
    """The bandwidth that the places would give; ``None`` if they explain nothing."""
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
    """Yield the GB/s that ``n`` workers should have by points with ``most`` threads per node."""
    for point, place in even:
        filled = set(place.per_node.values())
        if filled == {most} and sum(place.per_node.values()) != threads:
            yield n * point.gbps.value / point.n
