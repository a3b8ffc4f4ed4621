"""Judges a run: rates, intervals, the quote, and conclusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.machine_states import MachineStates, in_main_state, machine_states
from streamgage.analysis.peak.find import look_for_peak
from streamgage.analysis.peak.peak import NoPeak, Peak, no_peak
from streamgage.analysis.peak.reason import NoPeakReason, WhyNoPeak
from streamgage.analysis.peak.usual import usual_of
from streamgage.analysis.saturation import saturation_of
from streamgage.analysis.shapes import gain_of
from streamgage.analysis.traffic.rates import Crossing
from streamgage.analysis.traffic.verdict import TrafficJudgement, judge_traffic
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import Variant
from streamgage.records.run import Run
from streamgage.results.document import common
from streamgage.results.measure import KIND
from streamgage.results.measure.as_stream import as_stream
from streamgage.results.measure.document import (
    KernelResult,
    MachineState,
    Measure,
    PeakResult,
    StateRate,
)
from streamgage.results.measure.expected import expected_results
from streamgage.results.measure.facts.memory import AbovePeak
from streamgage.results.measure.findings import Context, LateRead, judge
from streamgage.results.measure.headline import headline_of
from streamgage.results.measure.limit import saturation_result
from streamgage.results.measure.own_kernels import own_kernels
from streamgage.results.measure.setup import setup_of
from streamgage.results.measure.standing import standings
from streamgage.results.measure.time_given import (
    least_samples,
    measured_part,
    names_of,
    needed_samples,
    seconds_to_settle,
)
from streamgage.results.measure.variant_rates import (
    place_of,
    rates_in_states,
    rates_of,
    shown_variants,
)
from streamgage.results.result import NO_USER_FACTS, Result


def judge_measure(run: Run, given: UserFacts = NO_USER_FACTS) -> Result[Measure]:
    """Judge the records of ``run``; facts that the user gave (``given``) replace those found."""
    run, no_time_for = measured_part(run)
    found = look_for_peak(run, given)
    peak = found if isinstance(found, Peak) else None
    states = machine_states(run)
    steady = in_main_state(run, states)
    saturation = saturation_of(steady)
    traffic = judge_traffic(
        run,
        steady=steady,
        peak=peak,
        saturated=saturation.saturated if saturation else None,
        user_facts=given,
    )
    kernels = [
        _judged(run, each, traffic.crossings[each.id], peak, states) for each in shown_variants(run)
    ]
    checks = [
        _judged(run, each, traffic.crossings[each.id], peak, states)
        for each in sorted(run.variants.values(), key=lambda each: place_of(run, each))
        if each.purpose not in ("series", "rate")
    ]
    own = {name for name, kernel in run.kernels.items() if kernel.own is not None}
    context = Context(
        run=run,
        headline=headline_of(kernels, own),
        given=given,
        peak=peak,
        kernels=kernels,
        states=states,
        saturation=saturation,
        late_reads=_late_reads(run, traffic),
        streaming_gains={
            kernel: gain.ratio.value for kernel, gain in traffic.streaming_gains.items()
        },
        readings=traffic.readings,
        forced_reads={
            kernel: check.alpha.value
            for kernel, check in traffic.forced_reads.items()
            if check.alpha is not None
        },
    )
    judgement = judge(context)
    expected, expected_reason = expected_results(run, kernels, own)
    # Of a device: nothing that cloud servers reach with their processors.
    among, standings_reason = standings(run, kernels if run.device is None else [])
    exceeded = next((each for each in judgement.facts if isinstance(each, AbovePeak)), None)
    if exceeded is not None:
        kernels, checks = _without_shares(kernels), _without_shares(checks)
    document = Measure(
        **common([run], series=False),
        device=run.device,
        reported=run.reported,
        peak=_peak_result(run, peak) if exceeded is None else None,
        peak_unknown=_why_no_peak(found, exceeded),
        expected=expected,
        expected_reason=expected_reason,
        standings=among,
        standings_reason=standings_reason,
        kernels=kernels,
        not_measured=names_of(run, no_time_for),
        settle_seconds=_settle_seconds(run, context.headline),
        checks=checks,
        setup=setup_of(run),
        own_kernels=own_kernels(run, kernels),
        readings=traffic.readings,
        states=[MachineState(speed=e.speed, share=e.share) for e in states.states],
        state_changes_seconds=states.changes,
        saturation=None if saturation is None else saturation_result(saturation),
        as_stream=as_stream(run, kernels),
        counters=run.counters,
        calibration=run.calibration,
        tunings=run.shown_tunings(),
        findings=list(judgement.facts),
    )
    return Result(KIND, document, run, judgement.passed, given)


def _settle_seconds(run: Run, headline: KernelResult | None) -> float | None:
    if headline is None or headline.n >= needed_samples(run):
        return None
    return seconds_to_settle(run, headline.n, least_samples(run))


def _late_reads(run: Run, traffic: TrafficJudgement) -> Sequence[LateRead]:
    """The cost of late reads for the shown variants."""
    found = ((run.variants[number], excess) for number, excess in traffic.late_reads.items())
    return tuple(
        LateRead(variant.kernel, variant.store, excess.value)
        for variant, excess in found
        if variant.purpose == "rate" and not variant.tuned
    )


def _judged(
    run: Run, variant: Variant, crossing: Crossing, peak: Peak | None, states: MachineStates
) -> KernelResult:
    """The rates of a variant with what crossed the bus, and with what its shape gained."""
    gain = gain_of(run, variant)
    rates = rates_of(run, variant)
    bounds = _bounds(run, variant, crossing, rates)
    return msgspec.structs.replace(
        rates,
        gain=gain.median - 1 if gain else None,
        gain_low=gain.interval.low - 1 if gain and gain.interval else None,
        gain_high=gain.interval.high - 1 if gain and gain.interval else None,
        hardware_gbps=crossing.hardware_gbps,
        hardware_low_gbps=bounds.low,
        hardware_high_gbps=bounds.high,
        peak_share=_peak_share(crossing, peak),
        traffic=crossing.traffic,
        alpha=crossing.alpha,
        states=[
            _with_traffic(each, rates, crossing) for each in rates_in_states(run, variant, states)
        ],
        main_state=states.main if states.states else 0,
    )


@dataclass(frozen=True)
class _Bounds:
    """Between what GB/s crossed the bus; ``None`` if that is unknown."""

    low: float | None
    high: float | None


def _bounds(run: Run, variant: Variant, crossing: Crossing, rates: KernelResult) -> _Bounds:
    """The bounds of what crossed. If it is unknown which lines stores read, they are still certain.

    No fewer bytes cross than the nominal ones, and no more than if stores read every line, if no
    cache holds the arrays.
    """
    low, high = crossing.hardware_low_gbps, crossing.hardware_high_gbps
    if crossing.hardware_gbps is not None or high is not None or crossing.alpha.verdict is None:
        return _Bounds(low, high)
    kernel = run.kernels.get(variant.kernel)
    memory = run.memory
    beyond_caches = memory is not None and memory.array_bytes >= memory.rule_bytes > 0
    if kernel is None or not beyond_caches or run.device is not None or run.reported is not None:
        return _Bounds(low, high)
    nominal_low = rates.median_gbps if rates.low_gbps is None else rates.low_gbps
    nominal_high = rates.median_gbps if rates.high_gbps is None else rates.high_gbps
    if nominal_low is None or nominal_high is None:
        return _Bounds(low, high)
    most = 1 + kernel.stores / (kernel.loads + kernel.stores)
    return _Bounds(nominal_low, most * nominal_high)


def _without_shares(results: Sequence[KernelResult]) -> list[KernelResult]:
    return [msgspec.structs.replace(each, peak_share=None) for each in results]


def _peak_result(run: Run, peak: Peak | None) -> PeakResult | None:
    if peak is None:
        return None
    usual = usual_of(run, peak)
    return PeakResult(
        gbps=peak.gbps,
        source=peak.source,
        detail=peak.detail,
        at_most=peak.at_most,
        usual_low=usual.low,
        usual_high=usual.high,
        usual_reason=usual.reason,
    )


def _why_no_peak(found: Peak | NoPeak, exceeded: AbovePeak | None) -> list[NoPeakReason]:
    """Why no peak is shown: it is unknown, or the run itself exceeds what was found."""
    if isinstance(found, NoPeak):
        return list(found.reasons)
    if exceeded is None:
        return []
    return list(no_peak(WhyNoPeak.EXCEEDED, gbps=found.gbps, said=found.detail).reasons)


def _with_traffic(state: StateRate, rates: KernelResult, crossing: Crossing) -> StateRate:
    """Add what crossed the bus in a state: as much for each nominal byte as in the whole run."""
    if crossing.hardware_gbps is None or not rates.median_gbps or state.gbps is None:
        return state
    hardware = state.gbps * crossing.hardware_gbps / rates.median_gbps
    return msgspec.structs.replace(state, hardware_gbps=hardware)


def _peak_share(crossing: Crossing, peak: Peak | None) -> float | None:
    """``None``, too, where the counters were played back: they show nothing of this memory."""
    if peak is None or crossing.hardware_gbps is None or crossing.alpha.evidence == "replayed":
        return None
    return crossing.hardware_gbps / peak.gbps
