"""The kind ``repeat``: how much runs differ, by placement and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from streamgage.results.kind import Headline, Kind, checks, deferred, of_document
from streamgage.results.repeat.document import Repeat, RepeatedRun
from streamgage.results.settings import Settings, each_or_all
from streamgage.results.summary import SummaryRate
from streamgage.units import count


def _headlines(repeat: Repeat) -> Iterator[Headline]:
    for each in repeat.kernels:
        if each.spread is not None:
            yield Headline(f"{each.kernel}, {each.setting}", each.spread.median_gbps)


def _threads(repeat: Repeat) -> int | None:
    return next((each.threads for each in repeat.runs if each.threads), None)


def _rates(repeat: Repeat) -> Iterator[SummaryRate]:
    for each in repeat.kernels:
        if each.spread is None:
            continue
        kernel, _, store = each.kernel.partition(" ")
        yield SummaryRate(
            kernel=kernel,
            store=store,
            threads=_threads(repeat),
            n=each.spread.n,
            best_gbps=each.spread.maximum_gbps,
            median_gbps=each.spread.median_gbps,
        )


def _settings(repeat: Repeat) -> Settings:
    def by_setting(read: Callable[[RepeatedRun], str | None]) -> str | None:
        whole = [run for run in repeat.runs if run.failure is None]
        return each_or_all(
            (
                each.name,
                [text for run in whole if run.setting == each.name and (text := read(run))],
            )
            for each in repeat.settings
        )

    return Settings(
        threads=by_setting(lambda run: count(run.threads, "thread") if run.threads else None),
        binding=by_setting(
            lambda run: None if run.bound is None else "bound" if run.bound else "not bound"
        ),
        cpus=by_setting(lambda run: run.cpus if run.bound else None),
        rounds=repeat.rounds,
    )


KIND = Kind(
    name="repeat",
    asked="measure --runs",
    document=Repeat,
    page=of_document("streamgage.results.repeat.page:page"),
    conclusions=deferred("streamgage.results.repeat.words:conclusions"),
    findings=checks("streamgage.results.repeat.findings:CHECKS"),
    headlines=_headlines,
    rates=_rates,
    threads=_threads,
    settings=_settings,
    comparable=of_document("streamgage.results.repeat.comparable:figures"),
)
