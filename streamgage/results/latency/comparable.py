"""What ``compare`` holds of a latency against another."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_plateau, of_rounds
from streamgage.results.latency.document import Latency


def figures(document: Latency, *_: object) -> Iterator[Figure | None]:
    """``idle latency of memory``; of each mix the most that goes, and the latency then."""
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
        best = next((each for each in curve.points if each.share == curve.best_share), None)
        if best is not None:
            key = ("most traffic of loading threads", curve.mix)
            yield of_rounds(key, best.gbps, best.rounds, kernel="traffic")
        for point in curve.points:
            if point.share in (0.0, 1.0):
                load = "no load" if point.share == 0 else "full load"
                yield of_rounds(
                    (f"latency of memory under {load}", curve.mix),
                    point.seconds,
                    point.rounds,
                    unit="ns",
                    kernel="latency",
                )
