"""Predicts the scaling of a memory-bound program from the measured scaling of bandwidth.

Such a program moves the same bytes with any number of workers. So its time is proportional to the
inverse of their bandwidth: S(n) = B(n) / B(1), E(n) = S(n) / n. Between two measured numbers of
workers, bandwidth is assumed to be linear. Beyond them there is no prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import msgspec

from streamgage.advice import advice
from streamgage.analysis.conclusion import Conclusion, fact, no_firmer, sound, undecided
from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import taken_finding
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.errors import UsageError
from streamgage.programs.predict.document import Prediction
from streamgage.results.kinds import words_of
from streamgage.results.scale.document import (
    Curve,
    Scale,
    ScalePoint,
    place_of,
    placement_named,
    workers_of,
)
from streamgage.results.scale.words import why_open
from streamgage.units import format_gbps, format_share, listed

_ALL = 32
"""Up to this number of workers, the proposed scaling measures every number."""


def predicted(
    scaling: Scale, n: int, *, placement: str | None = None, kernel: str | None = None
) -> Prediction:
    """Predict for ``n`` workers, from the named curve or the recommended one.

    Raises ``UsageError`` if ``scaling`` has no such curve, or no points around ``n`` and at 1.
    """
    curve = _curve(scaling, placement, kernel)
    if not curve.points or curve.points[0].n != 1:
        raise UsageError(
            f"The scaling of {curve.placement} has no point with one worker to compare with:"
            f" measure it with {advice('scale', '1-N')}."
        )
    low, high = _around(curve, n, scaling)
    if low.speedup is None or high.speedup is None:
        raise UsageError(
            f"No round of that scaling has both one worker and {n} (or its neighbours), so there"
            f" is no measured speedup: measure it again with {advice('scale')}."
        )
    weight = 0.0 if low.n == high.n else (n - low.n) / (high.n - low.n)
    speedup = _between(low.speedup, high.speedup, weight)
    workers = placement_named(scaling.placements, curve.placement).workers
    worth, best = _point(curve, curve.enough_n), _point(curve, curve.best_n)
    taken = _taken(scaling, curve, {1, low.n, high.n})
    found = Prediction(
        machine=scaling.machine,
        n=n,
        workers=workers,
        placement=curve.placement,
        kernel=curve.kernel,
        store=curve.store,
        gbps=_between(low.gbps, high.gbps, weight),
        speedup=speedup,
        efficiency=_scaled(speedup, lambda value: value / n),
        between=None if low.n == high.n else [low.n, high.n],
        measured=[each.n for each in curve.points],
        rounds=min(low.rounds, high.rounds),
        worth_n=worth.n,
        worth_speedup=None if worth.speedup is None else worth.speedup.value,
        best_n=best.n,
        best_gbps=best.gbps.value,
        best_speedup=None if best.speedup is None else best.speedup.value,
        saturated=curve.saturated,
        trust=words_of(scaling).trust,
        taken=taken,
        open_because=_open_because(scaling, curve),
        conclusions=[],
        findings=list(_findings(taken)),
    )
    return msgspec.structs.replace(found, conclusions=no_firmer(_conclusions(found), found.trust))


def _open_because(scaling: Scale, curve: Curve) -> str | None:
    """Say why the scaling leaves open what more workers would gain, as ``scale`` says it."""
    unsure = any(
        not each.sure
        and (each.placement, each.kernel, each.store)
        == (curve.placement, curve.kernel, curve.store)
        for each in scaling.recommended
    )
    return why_open(curve) if unsure or curve.saturated is None else None


def _taken(scaling: Scale, curve: Curve, counts: Iterable[int]) -> float | None:
    """The largest share of CPU time that others took at a point behind the prediction."""
    places = (place_of(scaling.placements, curve.placement, n) for n in counts)
    known = [each.taken for each in places if each is not None and each.taken is not None]
    return max(known, default=None)


def _findings(taken: float | None) -> Iterator[Finding]:
    found = None if taken is None else taken_finding(taken, "the scaling behind this prediction")
    if found is not None:
        yield found


def _curve(scaling: Scale, placement: str | None, kernel: str | None) -> Curve:
    """The curve of this placement and kernel; of several, the most recommended one."""
    for option, choice, known in (
        ("cpus", placement, [each.placement for each in scaling.curves]),
        ("kernels", kernel, [each.kernel for each in scaling.curves]),
    ):
        if choice is not None and choice not in known:
            there = listed(list(dict.fromkeys(known))) or "none at all"
            raise UsageError(
                f"--{option} {choice} is not in that scaling, which has {there}: name one of these."
            )
    wanted = [
        each
        for each in scaling.curves
        if placement in (None, each.placement) and kernel in (None, each.kernel)
    ]
    if not wanted:
        raise UsageError(f"That scaling has no points: measure it again with {advice('scale')}.")
    for each in scaling.recommended:
        for curve in wanted:
            if (curve.placement, curve.kernel, curve.store) == (
                each.placement,
                each.kernel,
                each.store,
            ):
                return curve
    return wanted[0]


def _point(curve: Curve, n: int) -> ScalePoint:
    for each in curve.points:
        if each.n == n:
            return each
    raise UsageError(
        f"That scaling refers to a point with {n} that it does not have. It was probably edited:"
        " measure it again."
    )


def _around(curve: Curve, n: int, scaling: Scale) -> tuple[ScalePoint, ScalePoint]:
    """The measured points at ``n``, or below and above it."""
    for each in curve.points:
        if each.n == n:
            return each, each
    for low, high in pairwise(curve.points):
        if low.n < n < high.n:
            return low, high
    last = curve.points[-1].n
    workers = placement_named(scaling.placements, curve.placement).workers
    raise UsageError(
        f"{workers_of(n, workers)} are more than the {workers_of(last, workers)} that were"
        f" measured ({curve.placement}), and a prediction does not go beyond a measurement: run"
        f" {advice('scale', _counts_to(n), *(['--mpi'] if workers == 'ranks' else []))} on a"
        " machine"
        " with that many cores."
    )


def _counts_to(n: int) -> str:
    """A list of numbers up to ``n``: all numbers, or powers of two if there are many."""
    if n <= _ALL:
        return f"1-{n}"
    powers = [1 << each for each in range(n.bit_length()) if 1 << each < n]
    return ",".join(map(str, [*powers, n]))


def _between(low: Estimate, high: Estimate, weight: float) -> Estimate:
    def at(one: float | None, other: float | None) -> float | None:
        return None if one is None or other is None else one + weight * (other - one)

    value = at(low.value, high.value)
    assert value is not None
    return Estimate(value=value, low=at(low.low, high.low), high=at(low.high, high.high))


def _scaled(figure: Estimate, change: Callable[[float], float]) -> Estimate:
    return Estimate(
        value=change(figure.value),
        low=None if figure.low is None else change(figure.low),
        high=None if figure.high is None else change(figure.high),
    )


def _conclusions(found: Prediction) -> list[Conclusion]:
    workers = workers_of(found.n, found.workers)
    given = "gives" if found.n == 1 else "give"
    sentences = [
        sound(
            f"For a program limited by memory, {workers} {given} {_times(found.speedup)} the speed"
            f" of one, an efficiency of {format_share(found.efficiency.value)}."
        )
    ]
    if found.between is not None:
        low, high = found.between
        sentences.append(
            fact(
                f"{found.n} was not measured: its bandwidth is interpolated between {low} and"
                f" {high}."
            )
        )
    return [*sentences, _worth(found)]


def _times(speedup: Estimate) -> str:
    value = f"{speedup.value:.2f} times"
    if speedup.low is None or speedup.high is None:
        return value
    return f"{value} ({speedup.low:.2f} to {speedup.high:.2f})"


def _worth(found: Prediction) -> Conclusion:
    worth = workers_of(found.worth_n, found.workers)
    if len(found.measured) == 1:
        return undecided("Only this count was measured, so it is unknown what more would gain.")
    if found.open_because is not None:
        have = "has" if found.worth_n == 1 else "have"
        return undecided(
            f"{worth} {have} 90 % of the best bandwidth that was measured"
            f" ({format_gbps(found.best_gbps)} with {found.best_n}); it is not clear whether more"
            f" would gain, because {found.open_because}."
        )
    if found.worth_n == found.best_n and found.saturated is False:
        return sound(
            f"Worth using: all {worth} that were measured. Bandwidth still rises there, so more"
            " would gain."
        )
    have = "has" if found.worth_n == 1 else "have"
    return sound(
        f"Worth using: {worth}, which {have} 90 % of the best bandwidth"
        f" ({format_gbps(found.best_gbps)} with {found.best_n}): more gain little."
    )
