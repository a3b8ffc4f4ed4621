"""Checks of a device alone: its clock, and what is not known of its caches."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.results.measure.facts.device import HostTimed
from streamgage.results.measure.facts.measurement import CoarseClock
from streamgage.results.measure.facts.traffic import WriteAllocate
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.measurement import LEAST_TICKS
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import format_share


def device_clock(context: Context) -> Outcome:
    """Stamps of the device that do not agree with the host's clock."""
    clock = context.run.device_clock
    if clock is None:
        return None
    if clock.timed_by == "events" and clock.event_seconds:
        share = format_share(clock.event_seconds / clock.host_seconds)
        seen = f"by its own stamps kernels took {share} of the host's time for them"
        return PassedCheck("device-clock", seen)
    return HostTimed(
        severity="note",
        has_stamps=bool(clock.event_seconds),
        launch_seconds=clock.launch_seconds,
    )


def coarse_clock(context: Context) -> Outcome:
    """Samples too short for the clock that timed them."""
    run, clock = context.run, context.run.device_clock
    samples = run.timed_samples()
    if clock is None or run.clock is None or not samples:
        return None
    by_events = clock.timed_by == "events"
    tick = clock.tick_seconds if by_events else run.clock.granularity_seconds
    if tick <= 0:
        return None
    shortest = min(sample.seconds for sample in samples)
    if shortest / tick >= LEAST_TICKS:
        seen = f"the shortest sample took {shortest / tick:.0f} ticks of the clock"
        return PassedCheck("coarse-clock", seen)
    return CoarseClock(
        severity="warning",
        seconds=shortest,
        ticks=shortest / tick,
        needed=LEAST_TICKS,
        source="device's" if by_events else run.clock.source,
    )


def writes(context: Context) -> Outcome:
    """Nothing is known of how the caches of the device write."""
    unknown = [each for each in context.kernels if each.alpha.verdict == "cannot-tell"]
    if not unknown:
        return None
    kernels = list(dict.fromkeys(each.kernel for each in unknown))
    return WriteAllocate(severity="fact", of_device=kernels)
