"""The kind ``traffic``: the traffic that crossed the memory bus."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.traffic.document import TrafficResult


def _headlines(traffic: TrafficResult) -> Iterator[Headline]:
    average = traffic.whole.average.total_gbps
    if average is not None:
        yield Headline("average across the memory bus", average)


KIND = Kind(
    name="traffic",
    document=TrafficResult,
    page=of_document("streamgage.results.traffic.page:page"),
    conclusions=deferred("streamgage.results.traffic.page:conclusions"),
    findings=checks("streamgage.results.traffic.findings:CHECKS"),
    headlines=_headlines,
    replayed=lambda traffic: traffic.replayed,
)
