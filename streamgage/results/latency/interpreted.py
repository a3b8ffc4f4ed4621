"""Makes a ``latency`` result from the output of another benchmark."""

from __future__ import annotations

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.interop.charts import LoadedCurve, LoadedCurves, SizeLatencies
from streamgage.records import BenchmarkOutput
from streamgage.results.latency.document import IdlePoint, Latency, LoadCurve, LoadedPoint
from streamgage.results.latency.judge import disorder, onset_gbps

UNLOADED = 0.1
"""The lightest load counts as no load up to this share of the highest bandwidth."""


def loaded_of(curves: LoadedCurves) -> Latency:
    """Make the result of latencies under load; each figure is a single one."""
    return _latency(curves.reported, loaded=[_curve(each) for each in curves.curves])


def idle_of(chart: SizeLatencies) -> Latency:
    """Make the result of idle latencies over the working set."""
    points = [
        IdlePoint(bytes=each.bytes, seconds=_seconds(each.nanoseconds), rounds=1)
        for each in chart.points
    ]
    return _latency(chart.reported, idle=points)


def _latency(
    reported: BenchmarkOutput,
    *,
    idle: list[IdlePoint] | None = None,
    loaded: list[LoadCurve] | None = None,
) -> Latency:
    return Latency(
        machine=None,
        cpu=None,
        cpus=None,
        rounds=1,
        seed=None,
        idle=idle or [],
        steps=[],
        loaded=loaded or [],
        left_out=[],
        reported=reported,
    )


def _curve(curve: LoadedCurve) -> LoadCurve:
    points = [
        LoadedPoint(
            share=None,
            delay=each.delay,
            gbps=Estimate(value=each.gbps, low=None, high=None),
            seconds=_seconds(each.nanoseconds),
            rounds=1,
            windows=1,
            windows_left_out=0,
        )
        for each in curve.loads
    ]
    best = max(point.gbps.value for point in points)
    first = points[0]
    unloaded = first.seconds.value if first.gbps.value <= UNLOADED * best else None
    if curve.idle_nanoseconds is not None:
        unloaded = curve.idle_nanoseconds * 1e-9
    return LoadCurve(
        mix=curve.mix,
        kernel="load",
        generators=None,
        points=points,
        unloaded_seconds=unloaded,
        best_gbps=best,
        best_share=None,
        onset_gbps=onset_gbps(points, unloaded),
        disorder=disorder([each.seconds for each in points]),
        decline_gbps=None,
    )


def _seconds(nanoseconds: float) -> Estimate:
    return Estimate(value=nanoseconds * 1e-9, low=None, high=None)
