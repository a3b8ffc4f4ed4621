"""What a scaling study comes to, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.scale.bindings import NONE
from streamgage.results.scale.document import (
    Curve,
    Recommendation,
    Scale,
    ScalePoint,
    workers_of,
)
from streamgage.units import format_rate


def verdict(answer: Scale) -> list[str]:
    """How many workers are enough, how much of it one has, and what the bindings change."""
    sentences = [_enough(answer, each) for each in answer.recommended]
    return [*sentences, *_against_unbound(answer)]


def _enough(answer: Scale, each: Recommendation) -> str:
    name = f"{each.kernel} {each.store}"
    enough = workers_of(each.n, answer.workers)
    curve = next(
        curve
        for curve in answer.curves
        if (curve.binding, curve.kernel, curve.store) == (each.binding, each.kernel, each.store)
    )
    several = len(answer.bindings) > 1
    where = f" ({each.binding})" if several else ""
    most = curve.points[-1].n
    if each.n == 1 == len({point.n for point in curve.points}):
        return f"{name}: {enough} gives {format_rate(each.gbps)} GB/s; nothing else was measured."
    if each.n == 1:
        return (
            f"{name}: one {answer.workers.removesuffix('s')} already has"
            f" {format_rate(each.gbps)} of the {format_rate(each.best_gbps)} GB/s that were the"
            f" best{where}: more gain nothing."
        )
    if each.n == most and curve.saturated is False:
        return (
            f"{name}: bandwidth still rises at {enough}{where}, {format_rate(each.best_gbps)} GB/s:"
            " it is the cores that are the limit, and more of them would gain."
        )
    return (
        f"{name}: {enough}{where} give {format_rate(each.gbps)} GB/s, at least 90 % of the best"
        f" ({format_rate(each.best_gbps)}): so many are enough for what memory limits."
    )


def _against_unbound(answer: Scale) -> Iterator[str]:
    """What leaving the workers unbound costs, of the first kernel, at the most workers of both."""
    for kernel, store in dict.fromkeys((each.kernel, each.store) for each in answer.curves):
        these = [each for each in answer.curves if (each.kernel, each.store) == (kernel, store)]
        free = next((each for each in these if each.binding == NONE), None)
        bound = [each for each in these if each.binding != NONE]
        if free is None or not bound:
            return
        best = max(bound, key=lambda each: each.best_gbps)
        shared = sorted({point.n for point in free.points} & {point.n for point in best.points})
        if not shared:
            return
        n = shared[-1]
        one, other = _at(free, n), _at(best, n)
        ratio = one.gbps.value / other.gbps.value
        change = "makes no difference that can be told" if _overlap(one, other) else ""
        yield (
            f"{kernel} {store}: at {workers_of(n, answer.workers)} not binding"
            f" {change or f'gives {ratio:.2f} of the bandwidth of {best.binding}'}"
            f" ({format_rate(one.gbps.value)} against {format_rate(other.gbps.value)} GB/s)."
        )
        return


def _at(curve: Curve, n: int) -> ScalePoint:
    return next(each for each in curve.points if each.n == n)


def _overlap(one: ScalePoint, other: ScalePoint) -> bool:
    bounds = (one.gbps.low, one.gbps.high, other.gbps.low, other.gbps.high)
    if any(each is None for each in bounds):
        return True
    low, high, other_low, other_high = (each or 0.0 for each in bounds)
    return low <= other_high and other_low <= high
