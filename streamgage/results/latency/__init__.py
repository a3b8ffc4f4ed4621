"""Latency of each cache and of memory, idle and under load: ``streamgage latency``."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred
from streamgage.results.latency.document import Latency
from streamgage.results.settings import Settings


def _headlines(latency: Latency) -> Iterator[Headline]:
    for step in latency.steps[-1:]:
        found = step.seconds
        yield Headline(f"{step.level}, idle", found.value, "s", low=found.low, high=found.high)


def _settings(latency: Latency) -> Settings:
    loading = f", loaded from {latency.cpus}" if latency.cpus else ""
    return Settings(
        cpus=None if latency.cpu is None else f"{latency.cpu}{loading}",
        rounds=latency.rounds,
    )


_judge = deferred("streamgage.results.latency.judge:judge_latency")


KIND = Kind(
    name="latency",
    document=Latency,
    page=deferred("streamgage.results.latency.page:page"),
    verdict=deferred("streamgage.results.latency.words:verdict"),
    findings=checks("streamgage.results.latency.findings:CHECKS"),
    headlines=_headlines,
    threads=lambda latency: 1 + max((each.generators for each in latency.loaded), default=0),
    settings=_settings,
    one_run=True,
    varied=frozenset({"size of each array", "threads"}),
    comparable=deferred("streamgage.results.latency.comparable:figures"),
    of_run=lambda run: None if run.latency_plan is None else _judge(run),
    gives=frozenset({"picture", "columns"}),
)
