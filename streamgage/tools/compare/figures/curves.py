"""The figures of ``scale`` and of ``study``: one for each number of workers."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.scale.document import Scaling
from streamgage.results.study.document import Study
from streamgage.tools.compare.figure import Figure, of_rounds
from streamgage.units import count


def of_scaling(document: Scaling) -> Iterator[Figure | None]:
    """``triad plain, compact, 4 threads``."""
    worker = document.workers.removesuffix("s")
    for curve in document.curves:
        for point in curve.points:
            yield of_rounds(
                (f"{curve.kernel} {curve.store}", curve.binding, count(point.n, worker)),
                point.gbps,
                point.rounds,
                kernel=curve.kernel,
                samples=point.samples,
            )


def of_study(document: Study) -> Iterator[Figure | None]:
    """``triad plain, 4 ranks`` of STREAM, ``solve, 4 ranks`` of the program."""
    worker = document.workers.removesuffix("s")
    for point in document.stream:
        yield of_rounds(
            (f"{document.kernel} {document.store}", count(point.n, worker)),
            point.gbps,
            document.rounds,
            kernel=document.kernel,
        )
    for phase in document.phases:
        for each in phase.points:
            yield of_rounds(
                (*([phase.case] if phase.case else []), phase.name, count(each.n, worker)),
                each.seconds,
                each.rounds,
                unit="s",
                kernel=phase.name,
            )
