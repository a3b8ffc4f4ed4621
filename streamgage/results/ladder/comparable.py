"""The figures of a ladder for ``compare``: each level of each curve."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_plateau, of_rounds
from streamgage.results.ladder.document import Ladder


def figures(ladder: Ladder, *_: object) -> Iterator[Figure | None]:
    """Yield the bandwidth of each level.

    For another benchmark's output, that of the largest working set.
    """
    for curve in ladder.curves:
        if ladder.reported is not None:
            last = curve.points[-1]
            key = (f"{curve.kernel} {curve.store}".strip(), curve.mode, "largest working set")
            yield of_rounds(key, last.gbps, last.rounds, kernel=curve.kernel)
        for step in curve.steps:
            points = {
                point.bytes: point.gbps.value
                for point in curve.points
                if step.low_bytes <= point.bytes <= step.high_bytes
            }
            yield of_plateau(
                (f"{curve.kernel} {curve.store}", curve.mode, step.level),
                step.gbps,
                points,
                kernel=curve.kernel,
            )
