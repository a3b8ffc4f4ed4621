"""From a run to its answer: rates, intervals, the quote, and what was judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.epochs import interval_over_epochs
from streamgage.analysis.findings import Context, LateRead, Passed, judge
from streamgage.analysis.gain import gain_of
from streamgage.analysis.given import Given
from streamgage.analysis.peak import Peak, look_for_peak
from streamgage.analysis.quote import quote
from streamgage.analysis.run import Run
from streamgage.analysis.saturation import Saturation, saturation_of
from streamgage.analysis.spread import spread_of
from streamgage.analysis.statistics import Summary, summarise
from streamgage.analysis.traffic import Crossing, TrafficJudgement, judge_traffic
from streamgage.records import Variant
from streamgage.result import KernelResult, PeakResult, Result, SaturationResult, SeriesPoint

NOTHING_GIVEN = Given()


@dataclass(frozen=True)
class Measured:
    """One variant with its times; ``times`` is null where no timed sample was taken."""

    variant: Variant
    times: Summary | None
    result: KernelResult


@dataclass(frozen=True)
class Answer:
    """Everything that is shown of a run: the document, its times, and the checks that passed."""

    run: Run
    result: Result
    measured: tuple[Measured, ...]
    """What has a figure of its own: neither forced reads nor the series of threads."""
    passed: tuple[Passed, ...]
    given: Given = NOTHING_GIVEN


def answer(run: Run, given: Given = NOTHING_GIVEN) -> Answer:
    """The answer that the records of ``run`` give; ``given`` goes before what they tell."""
    found = look_for_peak(run, given)
    peak = found if isinstance(found, Peak) else None
    peak_reason = None if isinstance(found, Peak) else found.reason
    saturation = saturation_of(run)
    traffic = judge_traffic(
        run, peak=peak, saturated=saturation.saturated if saturation else None, given=given
    )
    measured = [
        _measure(run, variant, traffic.crossings[variant.id], peak)
        for variant in run.variants.values()
        if variant.purpose != "series"
    ]
    shown = tuple(each for each in measured if each.variant.purpose == "rate")
    kernels = [each.result for each in shown]
    context = Context(
        run=run,
        given=given,
        peak=peak,
        peak_reason=peak_reason,
        kernels=kernels,
        saturation=saturation,
        late_reads=_late_reads(run, traffic),
        streaming_gains={
            kernel: gain.ratio.value for kernel, gain in traffic.streaming_gains.items()
        },
        forced_reads={
            kernel: check.alpha.value
            for kernel, check in traffic.forced_reads.items()
            if check.alpha is not None
        },
    )
    judgement = judge(context)
    result = Result(
        machine=run.machine,
        reported=run.reported,
        peak=PeakResult(gbps=peak.gbps, source=peak.source, detail=peak.detail) if peak else None,
        peak_reason=peak_reason,
        kernels=kernels,
        checks=[each.result for each in measured if each.variant.purpose != "rate"],
        saturation=_saturation(saturation),
        counters=run.counters,
        calibration=run.calibration,
        tunings=run.tunings,
        findings=list(judgement.findings),
        quote=quote(run, kernels, judgement.findings),
    )
    return Answer(run, result, shown, judgement.passed, given)


def answer_without_run(result: Result) -> Answer:
    """The answer of a document alone: what only the records tell is not in it."""
    return Answer(Run(machine=result.machine, reported=result.reported), result, (), ())


def _late_reads(run: Run, traffic: TrafficJudgement) -> Sequence[LateRead]:
    """What late reads cost the variants that are shown."""
    found = ((run.variants[number], excess) for number, excess in traffic.late_reads.items())
    return tuple(
        LateRead(variant.kernel, variant.store, excess.value)
        for variant, excess in found
        if variant.purpose == "rate" and not variant.tuned
    )


def _saturation(found: Saturation | None) -> SaturationResult | None:
    if found is None:
        return None
    return SaturationResult(
        saturated=found.saturated,
        limit=found.limit,
        reason=found.reason,
        share=found.share,
        enough_threads=found.enough_threads,
        lines_in_flight=found.lines_in_flight,
        latency_seconds=found.latency_seconds,
        series=[
            SeriesPoint(
                kernel=point.kernel,
                threads=point.threads,
                gbps=point.gbps,
                low_gbps=point.interval.low if point.interval else None,
                high_gbps=point.interval.high if point.interval else None,
            )
            for point in found.points
        ],
    )


def _measure(run: Run, variant: Variant, crossing: Crossing, peak: Peak | None) -> Measured:
    times = summarise(run.times(variant.id))
    each = summarise(run.element_times(variant.id))
    moved = run.iteration_bytes(variant)

    def rate(seconds: float | None) -> float | None:
        """GB/s where an element takes ``seconds``."""
        return moved / seconds / 1e9 if moved and seconds else None

    epochs = run.epochs_of(variant.id)
    interval = interval_over_epochs(epochs)
    crossed = crossing.hardware_gbps
    gain = gain_of(run, variant)
    result = KernelResult(
        kernel=variant.kernel,
        store=variant.store,
        isa=variant.isa,
        tuned=variant.tuned,
        shape=variant.shape,
        gain=gain.median - 1 if gain else None,
        gain_low=gain.interval.low - 1 if gain and gain.interval else None,
        gain_high=gain.interval.high - 1 if gain and gain.interval else None,
        threads=variant.threads or run.threads() or 0,
        type=variant.type,
        n=each.n if each else 0,
        epochs=max(len(epochs), 1),
        best_gbps=rate(each.minimum if each else None),
        median_gbps=rate(each.median if each else None),
        low_gbps=rate(interval.high if interval else None),
        high_gbps=rate(interval.low if interval else None),
        hardware_gbps=crossed,
        hardware_low_gbps=crossing.hardware_low_gbps,
        hardware_high_gbps=crossing.hardware_high_gbps,
        peak_share=_peak_share(crossing, peak),
        traffic=crossing.traffic,
        alpha=crossing.alpha,
        purpose=variant.purpose,
        valid=_valid(run, variant),
        spread=spread_of(run, variant),
    )
    return Measured(variant, times, result)


def _peak_share(crossing: Crossing, peak: Peak | None) -> float | None:
    """Null, too, where the counters were played back: they tell nothing of this memory."""
    if peak is None or crossing.hardware_gbps is None or crossing.alpha.evidence == "replayed":
        return None
    return crossing.hardware_gbps / peak.gbps


def _valid(run: Run, variant: Variant) -> bool | None:
    """Whether the results were right; null where that was not checked."""
    if run.reported is not None:
        return run.reported.validated
    validation = run.validations.get(variant.id)
    return validation.valid if validation else None
