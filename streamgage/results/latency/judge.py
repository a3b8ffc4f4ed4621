"""Makes the curves of a latency from the records of its run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import cast

from streamgage.analysis.device_levels import levels_of_device
from streamgage.analysis.hierarchy import LevelInUse, Rate, levels_in_use, stairs_of
from streamgage.analysis.statistics.bootstrap import bootstrap_median, estimate_of
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.statistics.intervals import median
from streamgage.cpu_list import format_cpu_order
from streamgage.plan import Mix
from streamgage.records import LoadedLatency, LoadedWindow
from streamgage.records.run import Run
from streamgage.results.cache_edges import edge_of
from streamgage.results.document import common
from streamgage.results.latency.document import (
    MIX_NAMES,
    IdlePoint,
    IdleStep,
    Latency,
    LoadCurve,
    LoadedPoint,
    onset_of,
)

STILL = 0.5
"""Below this share of a load's usual rate, the loading threads stood still for a while."""
HELD_UP = 4.0
"""Above this multiple of a load's usual latency, the measuring thread stood still."""
DISORDER = 0.4
"""The share by which a latency must lie above one under a heavier load to show a disturbed run."""
DECLINE = 0.03
"""The rate declines if that of the heaviest load is at least this share below the best rate."""


def judge_latency(run: Run, left_out: Sequence[Mix] = ()) -> Latency:
    """Build the document from ``run``; all lists leave out what was not measured."""
    cpus = [each.cpu for each in run.placement.threads] if run.placement else []
    idle = _idle(run)
    blocks = {each.block for each in run.latencies} | {each.block for each in run.loaded}
    return Latency(
        **common([run], of_memory=False),
        device=run.device,
        device_clock=run.device_clock,
        cpu=cpus[0] if cpus else None,
        cpus=format_cpu_order(cpus[1:]) if run.loaded and len(cpus) > 1 else None,
        rounds=len(blocks),
        seed=run.latency_plan.seed if run.latency_plan else None,
        idle=idle,
        steps=_steps(idle, run),
        loaded=list(_loaded(run)),
        left_out=[*left_out, *_absent(run)],
    )


def _idle(run: Run) -> list[IdlePoint]:
    by_size: dict[int, list[float]] = {}
    for each in run.latencies:
        by_size.setdefault(each.bytes, []).append(each.seconds)
    points = []
    for size in sorted(by_size):
        found = bootstrap_median(by_size[size])
        assert found is not None
        single = found.n == 1
        only_latency = next(each for each in run.latencies if each.bytes == size)
        points.append(
            IdlePoint(
                bytes=size,
                seconds=Estimate(
                    value=found.value,
                    low=only_latency.minimum if single else found.low,
                    high=only_latency.maximum if single else found.high,
                    bounded_by=found.bounded_by,
                ),
                rounds=found.n,
            )
        )
    return points


def _levels(run: Run, loads: Sequence[Rate]) -> list[LevelInUse]:
    """The levels that the walk may show; empty if none is known."""
    if run.device is not None:
        return levels_of_device(run.device, "sequential", loads)
    if run.machine is None or run.placement is None:
        return []
    cpus = [each.cpu for each in run.placement.threads]
    return levels_in_use(run.machine, cpus[:1], "sequential")


def _steps(idle: Sequence[IdlePoint], run: Run) -> list[IdleStep]:
    """Levels by the staircase of loads per second, which fall from level to level as rates do."""
    loads = [Rate(each.bytes, 1 / each.seconds.value) for each in idle if each.seconds.value > 0]
    levels = _levels(run, loads)
    known = run.machine is not None and run.placement is not None
    if not levels and not known:
        return []
    claims = run.device is None or run.device.cache_bytes is not None
    figures = {each.bytes: (each.seconds, each.rounds) for each in idle}
    stairs = stairs_of(loads, levels)
    return [
        IdleStep(
            level=each.level,
            low_bytes=each.rates[0].bytes,
            high_bytes=each.rates[-1].bytes,
            seconds=Estimate(
                value=1 / median(each.values),
                low=1 / each.values[-1],
                high=1 / each.values[0],
                bounded_by="range",
            ),
            effective_bytes=edge_of(each, after, figures),
            claimed_bytes=each.claimed_bytes if claims else None,
        )
        for each, after in zip_longest(stairs, stairs[1:])
    ]


def _loaded(run: Run) -> Iterator[LoadCurve]:
    seen = {each.mix for each in run.loaded}
    for mix in (each for each in MIX_NAMES if each in seen):
        yield _load_curve([each for each in run.loaded if each.mix == mix])


def _absent(run: Run) -> list[Mix]:
    """The mixes for which this processor has no stores, if the run is complete."""
    seen = {each.mix for each in run.loaded}
    load = run.latency_plan.load if run.latency_plan else None
    complete = run.end is not None and run.end.reason == "complete"
    if load is None or not seen or not complete:
        return []
    return [cast("Mix", each) for each in load.mixes if each not in seen]


def _load_curve(records: Sequence[LoadedLatency]) -> LoadCurve:
    """The curve of one mix from its records. Requires: at least one record."""
    points = [
        _point(share, [each for each in records if each.share == share])
        for share in sorted({each.share for each in records})
    ]
    best = max(points, key=lambda each: each.gbps.value)
    unloaded = next((each.seconds.value for each in points if each.share == 0), None)
    return LoadCurve(
        mix=cast("Mix", records[0].mix),
        kernel=records[0].kernel,
        generators=max(each.generators for each in records),
        points=points,
        unloaded_seconds=unloaded,
        best_gbps=best.gbps.value,
        best_share=best.share,
        onset_gbps=onset_gbps(points, unloaded),
        disorder=disorder([each.seconds for each in points]),
        decline_gbps=_decline(points, best),
    )


def _point(share: float, records: Sequence[LoadedLatency]) -> LoadedPoint:
    """Make a point with the medians over the rounds.

    A round is the median of its windows that count.
    """
    windows = [window for each in records for window in each.windows]
    usual_gbps, usual_latency = _median(windows, _gbps), _median(windows, _latency)

    def counts(window: LoadedWindow) -> bool:
        ran = _gbps(window) >= STILL * usual_gbps
        return ran and _latency(window) <= HELD_UP * usual_latency

    kept = [[window for window in each.windows if counts(window)] for each in records]
    rounds = [each for each in kept if each] or [each.windows for each in records]
    targets = sorted(each.target_bytes_per_second or 0.0 for each in records)
    return LoadedPoint(
        share=share,
        target_gbps=median(targets) / 1e9 or None,
        gbps=_bounded(rounds, _gbps),
        seconds=_bounded(rounds, _latency),
        rounds=len(rounds),
        windows=len(windows),
        windows_left_out=len(windows) - sum(len(each) for each in rounds),
    )


def _gbps(window: LoadedWindow) -> float:
    return window.bytes / window.seconds / 1e9


def _latency(window: LoadedWindow) -> float:
    return window.seconds / window.loads


def _median(windows: Sequence[LoadedWindow], figure: Callable[[LoadedWindow], float]) -> float:
    return median(sorted(figure(each) for each in windows))


def _bounded(
    rounds: Sequence[Sequence[LoadedWindow]], figure: Callable[[LoadedWindow], float]
) -> Estimate:
    """The median over the rounds with its bounds; for a single round, over its windows."""
    values = [_median(each, figure) for each in rounds]
    if len(rounds) == 1:
        values = [figure(each) for each in rounds[0]]
    found = estimate_of(bootstrap_median(values))
    assert found is not None
    return found


def disorder(latencies: Sequence[Estimate]) -> float | None:
    """The share by which a latency lies above a later one, beyond noise, if that is much.

    ``latencies``: from the lightest load to the heaviest, or from the smallest working set to the
    largest. They rise with both, unless something disturbed the run.
    """
    most, highest = 0.0, 0.0
    for each in latencies:
        high = each.value if each.high is None else each.high
        if high > 0:
            most = max(most, highest / high - 1)
        highest = max(highest, each.value if each.low is None else each.low)
    return most if most > DISORDER else None


def onset_gbps(points: Sequence[LoadedPoint], unloaded: float | None) -> float | None:
    """The rate at which saturation begins; ``None`` if the curve does not show it.

    If the latencies do not rise with the load, their curve has no knee.
    """
    if unloaded is None or disorder([each.seconds for each in points]) is not None:
        return None
    found = onset_of(points, unloaded).at
    return None if found is None else found.value


def _decline(points: Sequence[LoadedPoint], best: LoadedPoint) -> float | None:
    last = points[-1]
    high, low = last.gbps.high, best.gbps.low
    if last.share is None or last.share < 1 or high is None or low is None or high >= low:
        return None  # a part of the loads was not measured, or the noise is unknown
    return last.gbps.value if last.gbps.value <= (1 - DECLINE) * best.gbps.value else None
