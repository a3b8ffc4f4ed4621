"""The figures of a latency for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_plateau, of_rounds
from streamgage.results.latency.document import Latency, LoadCurve, LoadedPoint


def figures(document: Latency, *_: object) -> Iterator[Figure | None]:
    """Yield the idle latency of each level.

    For each mix, yield the highest rate and the latency at each load.
    """
    for step in document.steps:
        points = {
            point.bytes: point.seconds.value
            for point in document.idle
            if step.low_bytes <= point.bytes <= step.high_bytes
        }
        yield of_plateau(
            (f"idle latency of {step.level}",), step.seconds, points, unit="ns", kernel="latency"
        )
    for curve in document.loaded:
        best = next((e for e in curve.points if e.gbps.value == curve.best_gbps), None)
        if best is not None:
            key = ("most traffic of loading threads", curve.mix)
            yield of_rounds(key, best.gbps, best.rounds, kernel="traffic")
        for point in curve.points:
            load = _load(curve, point)
            if load is not None:
                yield of_rounds(
                    (f"latency of memory under {load}", curve.mix),
                    point.seconds,
                    point.rounds,
                    unit="ns",
                    kernel="latency",
                )


def _load(curve: LoadCurve, point: LoadedPoint) -> str | None:
    """The name of a point's load; ``None`` if it has none.

    Another benchmark's lightest load counts as no load if it is a small part of the heaviest.
    """
    if point.share is not None:
        return {0.0: "no load", 1.0: "full load"}.get(point.share)
    if point is curve.points[-1]:
        return "full load"
    return "no load" if point is curve.points[0] and curve.unloaded_seconds is not None else None
