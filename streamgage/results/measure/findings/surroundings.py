"""Other activity during the run."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.outside import severity_of, share_of_cpus
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_share

_WHOLE_CLOCK = 0.99
"""Share of the highest frequency above which nothing is held back."""


def steal(context: Context) -> Outcome:
    """Time that the hypervisor gave to others."""
    run = context.run
    lost = [each.steal_seconds for each in run.disturbances if each.steal_seconds is not None]
    share = share_of_cpus(run, sum(lost))
    if not lost or share is None:
        return None
    severity = severity_of(share, _in_cpus(run, sum(lost)))
    if severity is None:
        return Passed("steal", f"steal time was {format_share(share)} of the CPUs in use")
    return Finding(
        code="steal",
        severity=severity,
        reason=f"the hypervisor took {format_share(share)} of the CPUs",
        text=f"The hypervisor took {format_share(share)} of the time of the CPUs in use"
        f" ({sum(lost):.1f} CPU-seconds of steal): other guests share them, and perhaps the memory"
        " too, so the figures are a lower bound. Measure again at a quieter time, or on an"
        " instance with CPUs of its own.",
    )


def other_load(context: Context) -> Outcome:
    """Time that other processes used on the same CPUs."""
    run = context.run
    used = [each.other_seconds for each in run.disturbances if each.other_seconds is not None]
    busy = max(0.0, sum(used))  # single records may be below zero
    share = share_of_cpus(run, busy)
    if not used or share is None:
        return None
    severity = severity_of(share, _in_cpus(run, busy))
    if severity is None:
        return Passed(
            "other-load", f"other processes used {format_share(share)} of the CPUs in use"
        )
    worst = max(
        (each for each in run.disturbances if each.other_seconds is not None),
        key=lambda each: (each.other_seconds or 0) / max(each.seconds, 1e-9),
    )
    when = f"block {worst.first_block + 1}"
    if worst.last_block != worst.first_block:
        when = f"blocks {worst.first_block + 1} to {worst.last_block + 1}"
    return Finding(
        code="other-load",
        severity=severity,
        reason=f"other programs used {format_share(share)} of the CPUs",
        text=f"Other processes used {format_share(share)} of the CPUs in use ({busy:.1f}"
        f" CPU-seconds, most in {when} of {count(_blocks(run), 'block')}){_switches(run)}: they"
        " slow samples down and widen the intervals. Stop them (see top), or leave their CPUs out"
        " with --cpus.",
    )


def frequency_limit(context: Context) -> Outcome:
    """Clocks that are limited below the processor's maximum."""
    frequency = context.run.machine.frequency if context.run.machine is not None else None
    if frequency is None:
        return None
    left = frequency.limit_hertz / frequency.hardware_hertz if frequency.hardware_hertz else 1.0
    capped = left < _WHOLE_CLOCK
    if not capped and frequency.boost is not False:
        return Passed(
            "frequency-limit",
            f"the clock may reach {frequency.limit_hertz / 1e9:.2f} GHz"
            f" (governor {frequency.governor})",
        )
    seen = (
        f"The clock may reach {frequency.limit_hertz / 1e9:.2f} of"
        f" {frequency.hardware_hertz / 1e9:.2f} GHz (governor {frequency.governor})"
        if capped
        else f"Clocks above the rated one are switched off (governor {frequency.governor})"
    )
    remedy = (
        "cpupower frequency-set --governor performance, with no --max below the hardware's"
        if capped
        else "echo 1 > /sys/devices/system/cpu/cpufreq/boost (or 0 >"
        " /sys/devices/system/cpu/intel_pstate/no_turbo)"
    )
    return Finding(
        code="frequency-limit",
        severity="note",
        reason=(
            f"the clock is limited to {format_share(left)} of the hardware's"
            if capped
            else "clocks above the rated one are switched off"
        ),
        text=f"{seen}: figures are lower by as much in the caches, and wherever the cores and not"
        f" the memory are the limit. As root: {remedy}.",
    )


def _switches(run: Run) -> str:
    """How often a thread lost its CPU to another, if it did."""
    samples = run.timed_samples()
    hit = [sample for sample in samples if sample.switches]
    if not hit:
        return ""
    return (
        f" and took a CPU from a thread {count(sum(each.switches for each in hit), 'time')}, in"
        f" {len(hit)} of {count(len(samples), 'timed sample')}"
    )


def _in_cpus(run: Run, cpu_seconds: float) -> float:
    """CPUs' worth of that time, on average over the run."""
    wall = sum(each.seconds for each in run.disturbances)
    return cpu_seconds / wall if wall > 0 else 0.0


def _blocks(run: Run) -> int:
    return 1 + max((each.last_block for each in run.disturbances), default=0)
