"""The kind ``study``: how a program scales, compared with how bandwidth scales."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.settings import Settings, workers_of_each
from streamgage.results.study.document import Study
from streamgage.results.summary import SummaryRate, rate_of


def _headlines(study: Study) -> Iterator[Headline]:
    for each in study.stream:
        what, gbps = f"{study.kernel} {study.store}, n = {each.n}", each.gbps
        yield Headline(what, gbps.value, low=gbps.low, high=gbps.high)


def _rates(study: Study) -> Iterator[SummaryRate]:
    for each in study.stream:
        yield rate_of(study.kernel, study.store, each.n, study.rounds, each.gbps)


def _settings(study: Study) -> Settings:
    return Settings(
        workers=workers_of_each(study.workers, study.threads_per_worker),
        launcher=study.launcher or "none",
        binding=study.placement,
        rounds=study.rounds,
    )


KIND = Kind(
    name="study",
    asked="program --scaling",
    document=Study,
    page=of_document("streamgage.results.study.page:page"),
    conclusions=deferred("streamgage.results.study.words:conclusions"),
    findings=checks("streamgage.results.study.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda study: max(study.counts, default=None),
    settings=_settings,
    comparable=of_document("streamgage.results.study.comparable:figures"),
    gives=frozenset({"picture", "columns"}),
)
