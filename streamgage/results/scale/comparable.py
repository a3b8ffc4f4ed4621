"""The figures of a scaling for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_rounds
from streamgage.results.scale.document import Scale
from streamgage.units import count


def figures(document: Scale, *_: object) -> Iterator[Figure | None]:
    """Yield each point, named ``triad plain, compact, 4 threads``."""
    worker = document.workers.removesuffix("s")
    for curve in document.curves:
        for point in curve.points:
            yield of_rounds(
                (f"{curve.kernel} {curve.store}", curve.placement, count(point.n, worker)),
                point.gbps,
                point.rounds,
                kernel=curve.kernel,
                samples=point.samples,
            )
