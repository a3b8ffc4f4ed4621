"""From a run to its answer: rates, intervals, the quote, and what was judged."""

from __future__ import annotations

from dataclasses import dataclass

from streamgage.analysis.findings import Judgement, Passed, judge
from streamgage.analysis.gain import gain_of
from streamgage.analysis.given import Given
from streamgage.analysis.quote import quote
from streamgage.analysis.run import Run
from streamgage.analysis.spread import spread_of
from streamgage.analysis.statistics import Summary, summarise
from streamgage.records import Variant
from streamgage.result import Alpha, KernelResult, Result

NOTHING_GIVEN = Given()
_NOT_JUDGED = "not judged by this version"
_OF_THE_ENGINE = ("unfinished", "absent")
"""Checks that ask for records which no other benchmark has."""
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
    given: Given = NOTHING_GIVEN


def answer(run: Run, given: Given = NOTHING_GIVEN) -> Answer:
    """The answer that the records of ``run`` give, with what the user says of the machine."""
    measured = tuple(_measure(run, variant) for variant in run.variants.values())
    judgement = _judge(run)
    kernels = [each.result for each in measured]
    result = Result(
        machine=run.machine,
        reported=run.reported,
        kernels=kernels,
        tunings=run.tunings,
        findings=list(judgement.findings),
        quote=quote(run, kernels, judgement.findings),
    )
    return Answer(run, result, measured, judgement.passed, given)


def _judge(run: Run) -> Judgement:
    """What is to be known of ``run``."""
    judgement = judge(run)
    if run.reported is None:
        return judgement
    return Judgement(
        tuple(each for each in judgement.findings if each.code not in _OF_THE_ENGINE),
        tuple(each for each in judgement.passed if each.code not in _OF_THE_ENGINE),
    )


def _measure(run: Run, variant: Variant) -> Measured:
    times = summarise(run.times(variant.id))
    each = summarise(run.element_times(variant.id))
    moved = run.iteration_bytes(variant)

    def rate(seconds: float | None) -> float | None:
        """GB/s where an element takes ``seconds``."""
        return moved / seconds / 1e9 if moved and seconds else None

    interval = each.interval if each else None
    median_gbps = rate(each.median if each else None)
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
        threads=variant.threads or run.threads() or 0,
        type=variant.type,
        n=each.n if each else 0,
        best_gbps=rate(each.minimum if each else None),
        median_gbps=median_gbps,
        low_gbps=rate(interval.high if interval else None),
        high_gbps=rate(interval.low if interval else None),
        hardware_gbps=hardware_gbps,
        alpha=alpha,
        purpose=variant.purpose,
        valid=_valid(run, variant),
        spread=spread_of(run, variant),
    )
    return Measured(variant, times, result)


def _valid(run: Run, variant: Variant) -> bool | None:
    """Whether the results were right; null where that was not checked."""
    if run.reported is not None:
        return run.reported.validated
    validation = run.validations.get(variant.id)
    return validation.valid if validation else None


def _traffic(run: Run, variant: Variant, median_gbps: float | None) -> tuple[float | None, Alpha]:
    """What crossed the memory bus, where the kernel's formula alone settles it."""
    kernel = run.kernels.get(variant.kernel)
    if kernel is None or kernel.write_allocates or variant.store not in ("plain", "regular"):
        return None, Alpha(reason=_NOT_JUDGED)
    if run.reported is not None:
        return None, Alpha(reason=_NOT_JUDGED)
    if run.memory is None or run.memory.array_bytes < run.memory.rule_bytes:
        return None, Alpha(reason=_FROM_CACHES)
    why = "reads what it overwrites" if kernel.stores else "has no store"
    return median_gbps, Alpha(reason=f"{kernel.name} {why}, so nothing more crosses")
