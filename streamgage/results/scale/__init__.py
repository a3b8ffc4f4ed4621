"""The kind ``scale``: bandwidth over the number of threads or ranks."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.scale.document import Scale, name_of
from streamgage.results.scale.placements import UNRECORDED
from streamgage.results.settings import Settings, workers_of_each
from streamgage.results.summary import SummaryRate, rate_of


def _headlines(scale: Scale) -> Iterator[Headline]:
    for each in scale.curves:
        where = () if each.placement == UNRECORDED else (each.placement,)
        what = ", ".join((name_of(each.kernel, each.store), *where, f"n = {each.best_n}"))
        gbps = next(point.gbps for point in each.points if point.n == each.best_n)
        yield Headline(what, gbps.value, low=gbps.low, high=gbps.high)


def _rates(scale: Scale) -> Iterator[SummaryRate]:
    for each in scale.curves:
        point = next(point for point in each.points if point.n == each.best_n)
        yield rate_of(each.kernel, each.store, point.n, point.rounds, point.gbps)


def _settings(scale: Scale) -> Settings:
    return Settings(
        workers=workers_of_each(scale.workers, scale.threads_per_worker),
        launcher=scale.launcher or "none",
        array_bytes=scale.array_bytes,
        rounds=scale.rounds,
    )


KIND = Kind(
    name="scale",
    document=Scale,
    page=of_document("streamgage.results.scale.page:page"),
    conclusions=deferred("streamgage.results.scale.words:conclusions"),
    findings=checks("streamgage.results.scale.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=lambda scale: max(scale.counts, default=None),
    settings=_settings,
    reported=lambda scale: scale.reported,
    varied=frozenset({"binding", "threads"}),
    comparable=of_document("streamgage.results.scale.comparable:figures"),
    gives=frozenset({"picture", "columns"}),
)
