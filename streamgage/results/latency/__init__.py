"""Latency of each cache and of memory, idle and under load: ``streamgage latency``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.latency.document import Latency
from streamgage.results.result import Result
from streamgage.results.settings import Settings

if TYPE_CHECKING:
    from streamgage.records.run import Run


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


def _of_run(run: Run, *_: object) -> Result[Latency] | None:
    return None if run.latency_plan is None else Result(KIND, _judge(run))


KIND = Kind(
    name="latency",
    document=Latency,
    page=of_document("streamgage.results.latency.page:page"),
    verdict=deferred("streamgage.results.latency.words:verdict"),
    findings=checks("streamgage.results.latency.findings:CHECKS"),
    headlines=_headlines,
    threads=lambda latency: 1 + max((each.generators for each in latency.loaded), default=0),
    settings=_settings,
    varied=frozenset({"size of each array", "threads"}),
    comparable=of_document("streamgage.results.latency.comparable:figures"),
    of_run=_of_run,
    gives=frozenset({"picture", "columns"}),
)
