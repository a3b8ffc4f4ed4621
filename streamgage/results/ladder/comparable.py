"""What ``compare`` holds of a ladder against another: each level of each curve."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_plateau
from streamgage.results.ladder.document import Ladder


def figures(ladder: Ladder, *_: object) -> Iterator[Figure | None]:
    """``triad regular, sequential, L2``."""
    for curve in ladder.curves:
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
