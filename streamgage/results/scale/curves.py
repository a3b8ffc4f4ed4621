"""From the runs of the points to curves: bandwidth, speedup and efficiency, with intervals.

A run stands for one figure a kernel, the median over its samples; speedups are paired round by
round, so that what drifts on the machine is in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.saturation import ENOUGH, has_saturated
from streamgage.analysis.statistics.bootstrap import bounded, paired_ratio
from streamgage.analysis.statistics.rounds import Rounds, rounds_of
from streamgage.records import Machine
from streamgage.results.rounds import FreshRun
from streamgage.results.scale.bindings import NONE
from streamgage.results.scale.dips import Evidence, dips_of
from streamgage.results.scale.document import (
    Binding,
    Curve,
    Recommendation,
    ScalePoint,
    ScaleRun,
    Scaling,
    Workers,
)
from streamgage.results.scale.findings import judge_scaling
from streamgage.results.scale.points import Point, of_point, placed, why_not
from streamgage.results.scale.words import verdict


@dataclass(frozen=True)
class Asked:
    """What was asked for, as the answer tells it."""

    workers: Workers
    threads_per_worker: int
    launcher: str | None
    rounds: int
    seed: int
    counts: tuple[int, ...]
    bindings: Mapping[str, str]
    """What each is, by name."""
    left_out: tuple[str, ...] = ()


def scaling(
    runs: Sequence[FreshRun], points: Sequence[Point], asked: Asked, machine: Machine | None
) -> Scaling:
    """The answer of ``runs``, whose conditions are the names of ``points``; any may be missing."""
    told = [
        _told(each, point, asked.threads_per_worker)
        for each in runs
        for point in points
        if each.condition == point.name
    ]
    failed = {(each.binding, each.n, each.round) for each in told if each.failure}
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
            meaning=meaning,
            points=[
                found
                for point in points
                if point.binding == name and (found := placed(point, good[point])) is not None
            ],
        )
        for name, meaning in asked.bindings.items()
    ]
    curves = [
        curve
        for kernel, store in _variants(good)
        for binding in bindings
        if (curve := _curve(binding.name, kernel, store, good)) is not None
    ]
    evidence = Evidence(curves, bindings, asked.workers)
    curves = [msgspec.structs.replace(each, dips=dips_of(each, evidence)) for each in curves]
    memories = [each.run.memory for each in runs if each.run.memory is not None]
    answer = Scaling(
        machine=next((each.run.machine for each in runs if each.run.machine), machine),
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
        runs=told,
        left_out=list(asked.left_out),
        verdict=[],
        findings=[],
    )
    return with_words(answer)


def with_words(answer: Scaling) -> Scaling:
    """``answer`` with what it comes to, and its findings."""
    return msgspec.structs.replace(answer, verdict=verdict(answer), findings=judge_scaling(answer))


def _told(each: FreshRun, point: Point, threads: int) -> ScaleRun:
    return ScaleRun(
        round=each.round,
        binding=point.binding,
        n=point.n,
        failure=each.failure or why_not(each.run, point.n * threads),
        records=each.records,
    )


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
        speedup=bounded(speedup),
        efficiency=bounded(speedup, n),
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
