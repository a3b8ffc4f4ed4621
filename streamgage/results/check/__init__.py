"""Whether this node is as fast as it should be: ``streamgage check``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.check.document import Check
from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate


def _headlines(check: Check) -> Iterator[Headline]:
    for each in check.last.figures:
        yield Headline(each.kernel, each.gbps, low=each.low, high=each.high)


def _rates(check: Check) -> Iterator[SummaryRate]:
    for each in check.last.figures:
        kernel, _, store = each.kernel.partition(" ")
        yield SummaryRate(
            kernel=kernel,
            store=store or "plain",
            threads=check.last.threads,
            n=each.n,
            median_gbps=each.gbps,
            low_gbps=each.low,
            high_gbps=each.high,
        )


KIND = Kind(
    name="check",
    document=Check,
    page=deferred("streamgage.results.check.page:page"),
    conclusions=deferred("streamgage.results.check.page:conclusions"),
    findings=checks("streamgage.results.check.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda check: check.last.threads,
    started=lambda check: check.time,
    invalid=lambda check: check.verdict == "wrong",
    settings=lambda check: Settings(cpus=check.last.cpus, array_bytes=check.last.array_bytes),
    comparable=of_document("streamgage.results.check.comparable:figures"),
    gives=frozenset({"line", "state"}),
    own={
        "line": deferred("streamgage.results.check.page:line"),
        "openmetrics": of_document("streamgage.results.check.openmetrics:render"),
    },
)
