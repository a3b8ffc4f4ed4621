"""Which of many nodes are slow: ``streamgage fleet``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.fleet.classes import noun_of
from streamgage.results.fleet.document import ClassFigure, Fleet, FleetClass
from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate


def _largest(fleet: Fleet) -> FleetClass | None:
    return max(fleet.classes, key=lambda each: each.nodes, default=None)


def _figures(fleet: Fleet) -> list[ClassFigure]:
    largest = _largest(fleet)
    return [] if largest is None else largest.figures


def _headlines(fleet: Fleet) -> Iterator[Headline]:
    largest = _largest(fleet)
    for each in _figures(fleet):
        one = "node" if largest is None else noun_of(largest.properties)
        yield Headline(f"{each.kernel}, median of {each.n:,} {one}s", each.median_gbps)


def _threads(fleet: Fleet) -> int | None:
    largest = _largest(fleet)
    text = largest.properties.get("threads", "") if largest is not None else ""
    return int(text) if text.isdecimal() else None


def _rates(fleet: Fleet) -> Iterator[SummaryRate]:
    for each in _figures(fleet):
        kernel, _, store = each.kernel.partition(" ")
        yield SummaryRate(
            kernel=kernel,
            store=store or "plain",
            threads=_threads(fleet),
            n=each.n,
            median_gbps=each.median_gbps,  # its bounds would be those of the nodes, not its own
        )


def _settings(fleet: Fleet) -> Settings:
    return Settings(launcher=fleet.launcher)


KIND = Kind(
    name="fleet",
    asked="fleet judge",
    document=Fleet,
    page=deferred("streamgage.results.fleet.page:page"),
    conclusions=deferred("streamgage.results.fleet.words:conclusions"),
    findings=checks("streamgage.results.fleet.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=_threads,
    started=lambda fleet: fleet.time,
    settings=_settings,
    comparable=of_document("streamgage.results.fleet.comparable:figures"),
    gives=frozenset({"state"}),
    own={"openmetrics": of_document("streamgage.results.fleet.openmetrics:render")},
)
