"""The figures of transfers for ``compare``: one per test and pair of places."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.comparable import Figure, Unit, of_rounds
from streamgage.results.links.document import RATE_UNIT, Links
from streamgage.results.links.ways import name_of


def figures(links: Links, *_: object) -> Iterator[Figure | None]:
    """Yield each figure, named such as ``copies from opencl:0 to pinned memory``."""
    for test in links.tests:
        unit: Unit = "GB/s" if test.unit == RATE_UNIT else "ns"
        for cell in test.cells:
            value = Estimate(
                value=cell.value, low=cell.low, high=cell.high, bounded_by=cell.bounded_by
            )
            key = (name_of(test.test, cell.row, cell.column),)
            yield of_rounds(key, value, cell.n, unit=unit, kernel=test.test)
