"""The figures of a study for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.comparable import Figure, of_rounds
from streamgage.results.study.document import Study
from streamgage.units import count


def figures(document: Study, *_: object) -> Iterator[Figure | None]:
    """Yield each figure: ``triad plain, 4 ranks`` of STREAM, ``solve, 4 ranks`` of the program."""
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
