"""Whether the machine's own speed stayed the same."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.outside import taken_by_others
from streamgage.analysis.thread_places import places_of
from streamgage.analysis.trust import USABLE
from streamgage.records.run import Run
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.measure.facts.states import Cause, RateInState, SpeedDrift, TwoSpeeds
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome


def two_speeds(context: Context) -> Outcome:
    """States of the machine, each with its own speed of all kernels."""
    found, shown = context.states, context.headline
    if found is None or shown is None or not found.speeds.known:
        return None
    if not found.states:
        return PassedCheck("two-speeds", "the machine did not go from one speed to another")
    rates = [
        RateInState(
            share=state.share,
            gbps=rate.gbps,
            low_gbps=rate.low_gbps,
            high_gbps=rate.high_gbps,
            bounded_by=rate.bounded_by,
        )
        for state, rate in zip(found.states, shown.states, strict=False)
        if rate.gbps is not None
    ]
    if len(rates) < 2:
        return None
    return TwoSpeeds(
        severity="warning",
        variant=f"{shown.kernel} {shown.store}",
        states=rates,
        changes_at=found.changes,
        cause=_cause(context.run),
    )


def speed_drift(context: Context) -> Outcome:
    """A speed of all kernels that changes by degrees."""
    found, shown = context.states, context.headline
    if found is None or shown is None or shown.median_gbps is None or not found.speeds.known:
        return None
    if found.drift is None:
        return PassedCheck("speed-drift", "the machine's speed did not drift")
    low, high = found.drift
    return SpeedDrift(
        severity="warning" if high / low > 1 + 2 * USABLE else "note",
        variant=f"{shown.kernel} {shown.store}",
        low_gbps=shown.median_gbps * low,
        high_gbps=shown.median_gbps * high,
        cause=_cause(context.run),
    )


def _cause(run: Run) -> Cause:
    """What can have changed the speed of all kernels together."""
    if run.device is not None:
        return "device"
    if run.machine is None or run.machine.hypervisor is None:
        return "machine"
    places, taken = places_of(run), taken_by_others(run)
    bound = run.placement is not None and run.placement.bound
    whole = places is not None and bound and places.cores == run.machine.cores
    return "host" if whole and taken is not None and taken <= MUCH_LOAD else "open"
