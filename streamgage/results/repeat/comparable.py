"""The figures of repeated runs for ``compare``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.evidence import observations_of, within_reason
from streamgage.analysis.statistics.intervals import median
from streamgage.results.comparable import Figure
from streamgage.results.repeat.document import Repeat


def figures(document: Repeat, *_: object) -> Iterator[Figure | None]:
    """Yield the median of each kernel and setting, such as ``triad plain, cores``."""
    for each in document.kernels:
        times = [1 / rate.gbps for rate in each.rates if rate.gbps > 0]
        times = [time for time in times if within_reason(time)]
        if times:
            key = (each.kernel, each.setting)
            yield Figure(
                key=key,
                name=", ".join(key),
                kernel=each.kernel.partition(" ")[0],
                unit="GB/s",
                seconds=median(sorted(times)),
                evidence=observations_of([[time] for time in times]),
                n=len(times),
                of="runs",
            )
