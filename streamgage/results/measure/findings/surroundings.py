"""Other activity during the run."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.outside import quiet_share, severity_of, share_of_cpus
from streamgage.analysis.statistics.intervals import FEWEST
from streamgage.records.run import Run
from streamgage.results.measure.facts.surroundings import (
    Disturbed,
    FrequencyLimit,
    OtherLoad,
    Steal,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import format_share

_WHOLE_CLOCK = 0.99
"""Share of the highest frequency above which nothing is held back."""


def steal(context: Context) -> Outcome:
    """Time that the hypervisor gave to others."""
    run = context.run
    lost = [each.steal_seconds for each in run.disturbances if each.steal_seconds is not None]
    share = share_of_cpus(run, sum(lost))
    if not lost or share is None:
        return None
    quiet = _quiet_share(context)
    severity = severity_of(share, _in_cpus(run, sum(lost)), quiet=quiet is not None)
    if severity is None:
        return PassedCheck("steal", f"steal time was {format_share(share)} of the CPUs in use")
    return Steal(severity=severity, share=share, cpu_seconds=sum(lost), quiet_share=quiet)


def other_load(context: Context) -> Outcome:
    """Time that other processes used on the same CPUs."""
    run = context.run
    used = [each.other_seconds for each in run.disturbances if each.other_seconds is not None]
    busy = max(0.0, sum(used))  # single records may be below zero
    share = share_of_cpus(run, busy)
    if not used or share is None:
        return None
    quiet = _quiet_share(context)
    severity = severity_of(share, _in_cpus(run, busy), quiet=quiet is not None)
    if severity is None:
        return PassedCheck(
            "other-load", f"other processes used {format_share(share)} of the CPUs in use"
        )
    worst = max(
        (each for each in run.disturbances if each.other_seconds is not None),
        key=lambda each: (each.other_seconds or 0) / max(each.seconds, 1e-9),
    )
    samples = run.timed_samples()
    hit = [sample for sample in samples if sample.switches]
    return OtherLoad(
        severity=severity,
        share=share,
        cpu_seconds=busy,
        first_block=worst.first_block + 1,
        last_block=worst.last_block + 1,
        blocks=_blocks(run),
        switches=sum(each.switches for each in hit),
        hit=len(hit),
        samples=len(samples),
        quiet_share=quiet,
    )


def disturbed(context: Context) -> Outcome:
    """Figures whose samples were all disturbed."""
    run = context.run
    missing = [
        run.name(each)
        for each in run.shown()
        if run.disturbed.get(each.id) and not run.samples.get(each.id)
    ]
    if not missing:
        return None
    best = context.headline
    felt = best is None or best.disturbed
    return Disturbed(severity="spoiled" if felt else "warning", names=missing)


def frequency_limit(context: Context) -> Outcome:
    """Clocks that are limited below the processor's maximum."""
    frequency = context.run.machine.frequency if context.run.machine is not None else None
    if frequency is None:
        return None
    left = frequency.limit_hertz / frequency.hardware_hertz if frequency.hardware_hertz else 1.0
    capped = left < _WHOLE_CLOCK
    if not capped and frequency.boost is not False:
        return PassedCheck(
            "frequency-limit",
            f"the clock may reach {frequency.limit_hertz / 1e9:.2f} GHz"
            f" (governor {frequency.governor})",
        )
    return FrequencyLimit(
        severity="note",
        limit_hertz=frequency.limit_hertz,
        hardware_hertz=frequency.hardware_hertz,
        capped=capped,
        governor=frequency.governor,
    )


def _quiet_share(context: Context) -> float | None:
    """The share of the quiet windows from which the figures are.

    ``None`` where they include the time of others, and where there are too few of them.
    """
    best = context.headline
    enough = best is not None and best.n >= FEWEST
    return quiet_share(context.run) if enough else None


def _in_cpus(run: Run, cpu_seconds: float) -> float:
    """CPUs' worth of that time, on average over the run."""
    wall = sum(each.seconds for each in run.disturbances)
    return cpu_seconds / wall if wall > 0 else 0.0


def _blocks(run: Run) -> int:
    return 1 + max((each.last_block for each in run.disturbances), default=0)
