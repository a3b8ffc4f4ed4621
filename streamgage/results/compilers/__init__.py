"""The kind ``compilers``: the same loops built by several compilers."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.compilers.document import Compilers
from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate, rate_of
from streamgage.units import count


def _headlines(compilers: Compilers) -> Iterator[Headline]:
    for each in (rate for rate in compilers.rates if rate.measured_as is None):
        what, gbps = f"{each.kernel}, {each.name}", each.gbps
        yield Headline(what, gbps.value, low=gbps.low, high=gbps.high)


def _rates(compilers: Compilers) -> Iterator[SummaryRate]:
    for each in compilers.rates:
        yield rate_of(each.kernel, "plain", compilers.threads, each.rounds, each.gbps)


def _settings(compilers: Compilers) -> Settings:
    threads = compilers.threads
    return Settings(threads=count(threads, "thread") if threads else None, rounds=compilers.rounds)


KIND = Kind(
    name="compilers",
    document=Compilers,
    page=of_document("streamgage.results.compilers.page:page"),
    conclusions=deferred("streamgage.results.compilers.words:conclusions"),
    findings=checks("streamgage.results.compilers.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda compilers: compilers.threads,
    settings=_settings,
    comparable=of_document("streamgage.results.compilers.comparable:figures"),
    gives=frozenset(),
)
