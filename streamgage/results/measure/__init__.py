"""Bandwidth of kernels: ``streamgage measure``, and the output of other benchmarks."""

from __future__ import annotations

from collections.abc import Iterator

from streamgage.results.kind import Headline, Kind, deferred
from streamgage.results.measure.document import Result
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate
from streamgage.units import count


def _headlines(measure: Result) -> Iterator[Headline]:
    for each in measure.kernels:
        if each.median_gbps is not None:
            words = (each.kernel, each.store, "tuned" if each.tuned else "")
            yield Headline(" ".join(word for word in words if word), each.median_gbps)


def _rates(measure: Result) -> Iterator[SummaryRate]:
    for each in measure.kernels:
        yield SummaryRate(
            kernel=each.kernel,
            store=each.store,
            isa=each.isa,
            tuned=each.tuned,
            type=each.type,
            threads=each.threads or None,
            n=each.n,
            best_gbps=each.best_gbps,
            median_gbps=each.median_gbps,
            low_gbps=each.low_gbps,
            high_gbps=each.high_gbps,
            hardware_gbps=each.hardware_gbps,
        )


def _threads(measure: Result) -> int | None:
    return max((each.threads for each in measure.kernels), default=None) or None


def _settings(measure: Result) -> Settings:
    threads = _threads(measure)
    return Settings(threads=count(threads, "thread") if threads else None)


KIND = Kind(
    name="measure",
    document=Result,
    page=deferred("streamgage.results.measure.page:page"),
    findings=lambda measure: measure.findings,
    headlines=_headlines,
    rates=_rates,
    threads=_threads,
    settings=_settings,
    one_run=True,
    comparable=deferred("streamgage.results.measure.comparable:of_measure"),
    gives=frozenset({"stream"}),
    own={"stream": deferred("streamgage.results.measure.stream_table:render")},
)
