"""From a run to its answer: rates, intervals, the quote, and what was judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from streamgage.analysis.findings import Context, Passed, judge
from streamgage.analysis.gain import gain_of
from streamgage.analysis.given import Given
from streamgage.analysis.peak import Peak, look_for_peak
from streamgage.analysis.quote import quote
from streamgage.analysis.run import Run
from streamgage.analysis.saturation import saturation_of
from streamgage.analysis.statistics import Summary, summarise
from streamgage.records import Variant
from streamgage.result import Alpha, KernelResult, PeakResult, Result

_NOT_JUDGED = "not judged by this version"
_FROM_CACHES = "the arrays are below STREAM's 4x rule, so part of the data may come from the caches"


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
    passed: tuple[Passed, ...]


def answer(run: Run, given: Given = Given()) -> Answer:  # noqa: B008 - it cannot change
    """The answer that the records of ``run`` give; ``given`` goes before what they tell."""
    found = look_for_peak(run, given)
    peak = found if isinstance(found, Peak) else None
    measured = tuple(_with_share(_measure(run, variant), peak) for variant in run.variants.values())
    kernels = [each.result for each in measured]
    judgement = judge(
        Context(
            run=run,
            given=given,
            peak=peak,
            peak_reason=None if isinstance(found, Peak) else found.reason,
            kernels=kernels,
            saturation=saturation_of(run),
        )
    )
    result = Result(
        machine=run.machine,
        peak=PeakResult(gbps=peak.gbps, source=peak.source, detail=peak.detail) if peak else None,
        peak_reason=None if isinstance(found, Peak) else found.reason,
        kernels=kernels,
        tunings=run.tunings,
        findings=list(judgement.findings),
        quote=quote(run, kernels, judgement.findings),
    )
    return Answer(run, result, measured, judgement.passed)


def _measure(run: Run, variant: Variant) -> Measured:
    times = summarise(run.times(variant.id))
    moved = run.sample_bytes(variant)
    validation = run.validations.get(variant.id)

    def rate(seconds: float | None) -> float | None:
        """GB/s of a sample that took ``seconds``."""
        return moved / seconds / 1e9 if moved and seconds else None

    interval = times.interval if times else None
    median_gbps = rate(times.median if times else None)
    hardware_gbps, alpha = _traffic(run, variant, median_gbps)
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
        threads=run.threads() or 0,
        type=variant.type,
        n=times.n if times else 0,
        best_gbps=rate(times.minimum if times else None),
        median_gbps=median_gbps,
        low_gbps=rate(interval.high if interval else None),
        high_gbps=rate(interval.low if interval else None),
        hardware_gbps=hardware_gbps,
        alpha=alpha,
        valid=validation.valid if validation else None,
    )
    return Measured(variant, times, result)


def _with_share(measured: Measured, peak: Peak | None) -> Measured:
    """With the share of the theoretical peak that crossed the bus, where both are known."""
    crossed = measured.result.hardware_gbps
    if peak is None or crossed is None:
        return measured
    shared = msgspec.structs.replace(measured.result, peak_share=crossed / peak.gbps)
    return replace(measured, result=shared)


def _traffic(run: Run, variant: Variant, median_gbps: float | None) -> tuple[float | None, Alpha]:
    """What crossed the memory bus, where the kernel's formula alone settles it."""
    kernel = run.kernels.get(variant.kernel)
    if kernel is None or kernel.write_allocates or variant.store not in ("plain", "regular"):
        return None, Alpha(reason=_NOT_JUDGED)
    if run.memory is None or run.memory.array_bytes < run.memory.rule_bytes:
        return None, Alpha(reason=_FROM_CACHES)
    why = "reads what it overwrites" if kernel.stores else "has no store"
    return median_gbps, Alpha(reason=f"{kernel.name} {why}, so nothing more crosses")
