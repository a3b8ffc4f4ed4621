"""Places the intervals of a watch on the machine's curve of latency over bandwidth.

The curve is a result of ``streamgage latency``: for each mix of reads and writes, the latency of a
load at a bandwidth. An interval is put on the curve of the most similar mix. If its reads and
writes are only known together, it is put on all curves, and its latency is a range. Latency is
interpolated between two points of a curve; above the highest bandwidth it is unknown. Mess
(Esmaili-Dokht and others, MICRO 2024) places programs the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from streamgage.advice import advice
from streamgage.plan import Mix
from streamgage.programs.traffic.bandwidth import BEATEN, BUSY
from streamgage.programs.traffic.ceiling import is_of
from streamgage.records.run import Run
from streamgage.results.latency.document import MIX_NAMES, Latency, LoadCurve, LoadedPoint
from streamgage.results.traffic.document import (
    CurveLine,
    CurvePlace,
    CurveState,
    OnCurve,
    Phase,
    Rates,
    SeenInterval,
    TrafficResult,
)
from streamgage.units import format_gbps, format_share, listed

READ_SHARES: dict[Mix, float] = {"reads": 1.0, "3:1": 3 / 4, "2:1": 2 / 3, "1:1": 1 / 2}
"""The share of reads in the traffic of each mix. Streaming stores are left out, because few
programs consist of them alone."""
SLOWED = 1.5
"""An interval counts as slowed from this multiple of the unloaded latency on."""


def on_curve(
    seen: Sequence[SeenInterval], latency: Latency, called: str, doubts: Sequence[str] = ()
) -> OnCurve | str:
    """Place every interval on the curves, or return a sentence that says why that is impossible.

    ``called`` is the name of the curves' result. ``doubts`` says why they may not apply here.
    """
    curves = {each.mix: each for each in latency.loaded if each.mix in READ_SHARES and each.points}
    if not curves:
        return (
            f"{called} has no latency under load: run {advice('latency')} with two CPUs or more,"
            " and without --mixes none"
        )
    apart = any(each.whole.read_share is not None for each in seen)
    places = [_place(each, curves) for each in seen]
    full = all(map(_is_filled, curves.values()))
    return OnCurve(
        file=called,
        lines=[_line(curves[mix]) for mix in READ_SHARES if mix in curves],
        apart=apart,
        places=places,
        phases=list(_phases(places)),
        missing=list(_missing(curves, apart=apart)),
        doubts=list(doubts),
        text=_text(places, full=full),
        grade="sound" if full and not doubts else "undecided",
    )


def doubts_of(seen: TrafficResult, latency: Latency) -> list[str]:
    """Sentences that say why a curve may not apply to the intervals."""
    doubts = []
    if seen.replayed:
        doubts.append("The intervals come from a recording: use a curve of the recorded machine.")
    elif seen.machine is None:
        doubts.append("The intervals do not name their machine: use a curve of that machine.")
    elif not is_of(Run(machine=latency.machine), seen.machine):
        doubts.append(f"The curve is of another machine: measure {advice('latency')} on this one.")
    return doubts


def curve_points(curve: LoadCurve) -> list[LoadedPoint]:
    """Return the points of a curve in the order of bandwidth, up to the highest.

    With more load a curve may bend back.

    The points of another program's curve have no shares, and stand in the order of their load.
    """
    shares = [each.share for each in curve.points]
    if curve.best_share is None or None in shares:
        rates = [each.gbps.value for each in curve.points]
        up = curve.points[: rates.index(max(rates)) + 1] if rates else []
    else:
        best = curve.best_share
        up = [each for each in curve.points if (each.share or 0.0) <= best]
    return sorted(up, key=lambda each: each.gbps.value)


def _line(curve: LoadCurve) -> CurveLine:
    points = curve_points(curve)
    return CurveLine(
        mix=curve.mix,
        gbps=[each.gbps.value for each in points],
        seconds=[each.seconds.value for each in points],
    )


def _place(interval: SeenInterval, curves: dict[Mix, LoadCurve]) -> CurvePlace:
    gbps = interval.whole.total_gbps
    fitting = _fitting(interval.whole, curves)
    if gbps is None:
        return CurvePlace(start=interval.start, seconds=interval.seconds, state="unknown")
    found = [_on(curve, gbps) for curve in fitting]
    shares = [gbps / curve.best_gbps for curve in fitting if curve.best_gbps > 0]
    full = all(map(_is_filled, fitting))
    known = [seconds for seconds in found if seconds is not None]
    rests = [each.unloaded_seconds for each in fitting if each.unloaded_seconds is not None]
    whole = len(known) == len(fitting)
    return CurvePlace(
        start=interval.start,
        seconds=interval.seconds,
        state=_state(shares, known if whole else [], rests, full=full),
        gbps=gbps,
        mix=fitting[0].mix if len(fitting) == 1 else None,
        share_low=min(shares, default=None) if full else None,
        share_high=max(shares, default=None) if full else None,
        latency_low=min(known) if whole else None,
        latency_high=max(known) if whole else None,
    )


def _fitting(rates: Rates, curves: dict[Mix, LoadCurve]) -> list[LoadCurve]:
    share = rates.read_share
    if share is None:
        return list(curves.values())
    return [min(curves.values(), key=lambda each: abs(READ_SHARES[each.mix] - share))]


def _on(curve: LoadCurve, gbps: float) -> float | None:
    """The latency in seconds at a bandwidth; ``None`` above the curve.

    Below the lowest point, which is without load, the latency is that of the point.
    """
    points = curve_points(curve)
    if gbps <= points[0].gbps.value:
        return points[0].seconds.value
    for before, after in pairwise(points):
        if gbps <= after.gbps.value:
            span = after.gbps.value - before.gbps.value
            part = (gbps - before.gbps.value) / span if span else 1.0
            return before.seconds.value + part * (after.seconds.value - before.seconds.value)
    near = gbps <= BEATEN * curve.best_gbps
    return points[-1].seconds.value if near else None


def _is_filled(curve: LoadCurve) -> bool:
    """Return whether the load saturated the memory, so that the curve shows its limit."""
    return curve.onset is not None and curve.onset.at is not None


def _state(
    shares: Sequence[float], known: Sequence[float], rests: Sequence[float], *, full: bool
) -> CurveState:
    """The state of an interval, judged by the most favourable mix.

    It is only called bound if it is bound by every mix.

    ``full`` is true if the load saturated the memory; otherwise no interval is called bound.
    """
    share = min(shares, default=0.0)
    if share > BEATEN:
        return "beyond"
    if share >= BUSY and full:
        return "bound"
    if rests and known and min(known) >= SLOWED * min(rests):
        return "slowed"
    return "free"


def _phases(places: Sequence[CurvePlace]) -> Iterator[Phase]:
    """Join intervals of one state that follow each other."""
    group: list[CurvePlace] = []
    for each in places:
        if group and each.state != group[0].state:
            yield _phase(group)
            group = []
        group.append(each)
    if group:
        yield _phase(group)


def _phase(group: Sequence[CurvePlace]) -> Phase:
    seconds = sum(each.seconds for each in group)
    moved = [each.gbps * each.seconds for each in group if each.gbps is not None]
    low = [each.latency_low for each in group if each.latency_low is not None]
    high = [each.latency_high for each in group if each.latency_high is not None]
    return Phase(
        state=group[0].state,
        start=group[0].start,
        seconds=seconds,
        gbps=sum(moved) / seconds if moved and seconds > 0 else None,
        latency_low=min(low, default=None),
        latency_high=max(high, default=None),
    )


def _missing(curves: dict[Mix, LoadCurve], *, apart: bool) -> Iterator[str]:
    if not apart and len(curves) > 1:
        names = listed([MIX_NAMES[mix] for mix in curves])
        yield (
            "The source counts reads and writes together. Shares and latencies are therefore"
            f" ranges over the measured mixes ({names})."
        )
    if not all(map(_is_filled, curves.values())):
        never = all(each.onset is None or each.onset.never for each in curves.values())
        lead = (
            "The load did not saturate the memory, because latency does not double on the curve."
            if never
            else "It is unknown where the load saturates the memory, because no onset can be named"
            " on the curve."
        )
        yield (
            f"{lead} So no interval is called bound, and it is unknown how near saturation each is."
            f" Measure {advice('latency')} with more threads."
        )
    if all(each.unloaded_seconds is None for each in curves.values()):
        yield "The curves have no point without a load, so no interval is called slowed."


def _text(places: Sequence[CurvePlace], *, full: bool) -> str:
    """Return the conclusion in a sentence."""
    known = [each for each in places if each.state != "unknown"]
    time = sum(each.seconds for each in known)
    if not time:
        return "No interval is on the curve: nothing was counted."
    shares = {
        state: sum(each.seconds for each in known if each.state == state) / time
        for state in ("bound", "slowed", "beyond")
    }
    busiest = max((each.gbps or 0.0 for each in known), default=0.0)
    if shares["beyond"]:
        return (
            f"{format_share(shares['beyond'])} of the time is above the curve, at up to"
            f" {format_gbps(busiest)}. Either the curve does not cover all of this memory's"
            f" bandwidth, or part of the bytes came from a cache. Measure {advice('latency')} with"
            " more threads."
        )
    if shares["bound"]:
        return (
            f"Bandwidth binds in {format_share(shares['bound'])} of the time: these intervals have"
            f" at least {format_share(BUSY)} of what the curve reaches."
        )
    if not full:
        seen = "Loads take about as long as without a load"
        if shares["slowed"]:
            slowed = format_share(shares["slowed"])
            seen = f"In {slowed} of the time loads take {SLOWED:g} times as long as without a load"
        return f"{seen}; it is unknown how near saturation that is."
    if shares["slowed"]:
        return (
            f"No interval is near saturation, but in {format_share(shares['slowed'])} of the time"
            f" loads take at least {SLOWED:g} times as long as without a load."
        )
    return "No interval is near saturation, and loads take about as long as without a load."
