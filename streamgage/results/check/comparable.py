"""The figures of a check that ``compare`` uses: those of the run that decides."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.analysis.statistics.evidence import observations_of, within_reason
from streamgage.results.check.document import Check
from streamgage.results.comparable import Figure


def figures(document: Check, *_: object) -> Iterator[Figure]:
    """A figure for each kernel."""
    for each in document.last.figures:
        times = [1 / gbps for gbps in each.samples or (each.gbps,)]
        if not all(map(within_reason, times)):
            continue
        yield Figure(
            key=(each.kernel,),
            name=each.kernel,
            kernel=each.kernel.partition(" ")[0],
            unit="GB/s",
            seconds=1 / each.gbps,
            evidence=observations_of([times]),
            n=each.n,
            of="samples",
            valid=each.valid,
        )
