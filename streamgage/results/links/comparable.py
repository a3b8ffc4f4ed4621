"""The figures of transfers for ``compare``: one per test and pair of devices."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.results.comparable import Figure, Unit, of_rounds
from streamgage.results.links.document import RATE_UNIT, Links


def figures(links: Links, *_: object) -> Iterator[Figure | None]:
    """Yield each figure, named ``host_to_device_memcpy_ce, CPU 0 and GPU 3``."""
    for test in links.tests:
        unit: Unit = "GB/s" if test.unit == RATE_UNIT else "ns"
        for cell in test.cells:
            value = Estimate(
                value=cell.value, low=cell.low, high=cell.high, bounded_by=cell.bounded_by
            )
            key = (test.test, f"{cell.row} and {cell.column}")
            yield of_rounds(key, value, cell.n, unit=unit, kernel=test.test)
