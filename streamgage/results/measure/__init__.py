"""Bandwidth of kernels: ``streamgage measure``, and the output of other benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from streamgage.results.kind import Headline, Kind, deferred
from streamgage.results.measure.document import Measure, OwnKernelResult
from streamgage.results.measure.facts import FACTS
from streamgage.results.measure.headline import main_figure
from streamgage.results.result import Result
from streamgage.results.settings import Settings
from streamgage.results.summary import SummaryRate
from streamgage.units import count

if TYPE_CHECKING:
    from streamgage.analysis.user_facts import UserFacts
    from streamgage.records.run import Run


def _headlines(measure: Measure) -> Iterator[Headline]:
    for each in measure.kernels:
        if each.median_gbps is not None:
            words = (each.kernel, each.store, "tuned" if each.tuned else "")
            yield Headline(" ".join(word for word in words if word), each.median_gbps)


def _main(measure: Measure) -> Headline | None:
    """The figure of the headline, of the quote, and of every list."""
    best = main_figure(measure)
    if best is None or best.median_gbps is None:
        return None
    words = (best.kernel, best.store, "tuned" if best.tuned else "")
    return Headline(" ".join(word for word in words if word), best.median_gbps)


def _rates(measure: Measure) -> Iterator[SummaryRate]:
    for each in (kernel.in_main_state for kernel in measure.kernels):
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


def _threads(measure: Measure) -> int | None:
    return max((each.threads for each in measure.kernels), default=None) or None


def _settings(measure: Measure) -> Settings:
    from streamgage.analysis.shapes import describe_shape  # which loads all of a run

    threads = _threads(measure)
    of_vectors = [each for each in measure.kernels if each.store in ("regular", "streaming")]
    device = measure.device
    return Settings(
        device=None if device is None else device.title,
        threads=count(threads, "thread") if threads else None,
        array_bytes=measure.reported.array_bytes if measure.reported else None,
        element_types=_each_once(each.type for each in measure.kernels),
        instruction_sets=_each_once(each.isa for each in of_vectors),
        own_kernels="; ".join(map(_described, measure.own_kernels)) or None,
        shapes="; ".join(
            f"{each.kernel} {each.store}: {describe_shape(each.shape)}"
            for each in measure.kernels
            if each.tuned and each.shape is not None
        )
        or None,
    )


def _each_once(texts: Iterable[str | None]) -> str | None:
    return ", ".join(sorted({each for each in texts if each})) or None


def _described(kernel: OwnKernelResult) -> str:
    return (
        f"{kernel.kernel}: {kernel.formula}, {kernel.read_bytes:g} + {kernel.written_bytes:g} bytes"
        f" an iteration, from {kernel.source}{f' by {kernel.code}' if kernel.code else ''}"
    )


_judge = deferred("streamgage.results.measure.judge:judge_measure")
_rates_alone = deferred("streamgage.results.measure.rates_alone:rates_alone")


def _of_run(run: Run, given: UserFacts, rates_alone: bool) -> Result[Measure] | None:
    if run.latency_plan is not None or (run.plan is not None and run.plan.copies):
        return None
    found: Result[Measure] = (_rates_alone if rates_alone else _judge)(run, given)
    return found


KIND = Kind(
    name="measure",
    document=Measure,
    page=deferred("streamgage.results.measure.page:page"),
    findings=lambda measure: (each.finding() for each in measure.findings),
    facts=FACTS,
    quote=deferred("streamgage.results.measure.quote:quote"),
    headlines=_headlines,
    main=_main,
    rates=_rates,
    threads=_threads,
    reported=lambda measure: measure.reported,
    invalid=lambda measure: any(each.valid is False for each in measure.kernels),
    settings=_settings,
    comparable=deferred("streamgage.results.measure.comparable:figures"),
    conventions=deferred("streamgage.results.measure.comparable:conventions_of"),
    identity=deferred("streamgage.results.measure.comparable:identity"),
    replayed=deferred("streamgage.results.measure.comparable:is_replayed"),
    of_run=_of_run,
    gives=frozenset({"stream"}),
    own={"stream": deferred("streamgage.results.measure.stream_table:render")},
)
