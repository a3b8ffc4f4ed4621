"""Checks of a device alone: its clock, what kept it slow, and how its caches write."""

from __future__ import annotations

import msgspec

from streamgage.analysis.finding import PassedCheck
from streamgage.results.measure.facts.device import DeviceShared, DeviceSlowed, HostTimed
from streamgage.results.measure.facts.measurement import CoarseClock
from streamgage.results.measure.facts.traffic import WriteAllocate
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.measurement import LEAST_TICKS
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.measure.findings.traffic import write_allocate
from streamgage.units import count, format_share


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


_HOT = {"hardware-slowdown", "software-thermal", "hardware-thermal", "power-brake"}
"""What a device that is in order does not show."""


def device_slowed(context: Context) -> Outcome:
    """Reasons that the driver gives for low clocks."""
    state = context.run.device_state
    if state is None:
        return None
    if not state.slowed_by:
        seen = f"nothing kept the device's clocks low in {count(state.readings, 'reading')}"
        return PassedCheck("device-slowed", seen)
    is_hot = any(each.reason in _HOT for each in state.slowed_by)
    return DeviceSlowed(
        severity="warning" if is_hot else "note",
        slowed_by=state.slowed_by,
        readings=state.readings,
    )


def device_shared(context: Context) -> Outcome:
    """Other processes that could have used the device."""
    state = context.run.device_state
    if state is None or state.other_processes is None:
        return None
    if state.other_processes == 0:
        return PassedCheck("device-shared", "no other process had the device open")
    return DeviceShared(severity="note", processes=state.other_processes)


def writes(context: Context) -> Outcome:
    """What the caches of the device read for a store.

    The reasons and the advice for processors do not hold there.
    """
    found = write_allocate(context)
    if not isinstance(found, WriteAllocate):
        return found
    unknown = [each for each in context.kernels if each.alpha.verdict == "cannot-tell"]
    return msgspec.structs.replace(
        found,
        of_device=list(dict.fromkeys(each.kernel for each in unknown)),
        hardware=None,
        moves=None,
    )
