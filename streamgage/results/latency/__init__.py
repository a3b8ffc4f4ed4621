"""The kind ``latency``: the latency of each cache and of memory, idle and under load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.latency.document import MIX_NAMES, Latency
from streamgage.results.result import Result
from streamgage.results.settings import Settings
from streamgage.units import format_bytes

if TYPE_CHECKING:
    from streamgage.records.run import Run


def _headlines(latency: Latency) -> Iterator[Headline]:
    for step in latency.steps[-1:]:
        found = step.seconds
        yield Headline(f"{step.level}, idle", found.value, "s", low=found.low, high=found.high)
    if latency.reported is None:
        return
    for curve in latency.loaded:
        yield Headline(f"most traffic, {MIX_NAMES[curve.mix]}", curve.best_gbps)
    for point in latency.idle[-1:]:
        what = f"idle, working set of {format_bytes(point.bytes)}"
        yield Headline(what, point.seconds.value, "s")


def _settings(latency: Latency) -> Settings:
    loading = f", loaded from {latency.cpus}" if latency.cpus else ""
    return Settings(
        device=None if latency.device is None else latency.device.title,
        cpus=None if latency.cpu is None else f"{latency.cpu}{loading}",
        rounds=latency.rounds,
    )


def _threads(latency: Latency) -> int | None:
    """The number of threads: the one that measures, and those that load the memory."""
    if latency.reported is not None:
        return latency.reported.threads
    if latency.device is not None:
        return None
    return 1 + max((each.generators or 0 for each in latency.loaded), default=0)


_judge = deferred("streamgage.results.latency.judge:judge_latency")


def _of_run(run: Run, *_: object) -> Result[Latency] | None:
    return None if run.latency_plan is None else Result(KIND, _judge(run))


KIND = Kind(
    name="latency",
    document=Latency,
    page=of_document("streamgage.results.latency.page:page"),
    conclusions=deferred("streamgage.results.latency.words:conclusions"),
    findings=checks("streamgage.results.latency.findings:CHECKS"),
    headlines=_headlines,
    threads=_threads,
    reported=lambda latency: latency.reported,
    settings=_settings,
    varied=frozenset({"size of each array", "threads"}),
    comparable=of_document("streamgage.results.latency.comparable:figures"),
    of_run=_of_run,
    gives=frozenset({"picture", "columns", "mlc"}),
    own={"mlc": of_document("streamgage.results.latency.mlc:text")},
)
