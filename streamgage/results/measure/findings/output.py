"""Checks of another benchmark's saved output against that benchmark's own rules."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from streamgage.analysis.finding import PassedCheck, Severity
from streamgage.analysis.traffic.consistency import CONTRAST, LOADS, contrast, held_back
from streamgage.records.run import Run
from streamgage.results.measure.facts.output import (
    ContradictsItself,
    CutOff,
    FewRepetitions,
    ItsOwnWarning,
    TwoReadings,
    UnevenKernels,
    Unproved,
    UnsteadyTable,
    mean_over_best,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.measurement import ticks_of
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import format_share

_SPOILED = 2.0
"""Mean time over the best one: half of the repetitions took far longer."""
_UNSTEADY = 1.25
_FEWEST = 10
"""STREAM's own number of repetitions; it leaves out the first."""
_UNEVEN = 0.15
"""Add and Triad count the same bytes; they differ by less where memory is the limit."""
_METHODS = 0.65
"""Ways to copy the same arrays: 3/2 by what stores read, within 10 %."""
_BELOW, _ABOVE = 0.87, 1.30
"""Add and Triad over Copy and Scale: 1 to 9/8 by what stores read, within 15 %."""


def cut(context: Context) -> Outcome:
    """A table whose end is missing."""
    reported = context.run.reported
    if reported is None or reported.cut_off is None:
        return None
    return CutOff(severity="warning", after=reported.cut_off)


def contradiction(context: Context) -> Outcome:
    """Figures that contradict others of the same output."""
    reported = context.run.reported
    if reported is None or not reported.corrections:
        return None
    return ContradictsItself(severity="warning", corrections=reported.corrections)


def unproved(context: Context) -> Outcome:
    """What another benchmark's output does not record."""
    reported = context.run.reported
    return (
        None
        if reported is None
        else Unproved(severity="warning", tool=reported.tool, on_gpu=reported.on_gpu)
    )


def its_warnings(context: Context) -> Outcome:
    """Warnings of the benchmark itself."""
    reported = context.run.reported
    if reported is None or not reported.warnings:
        return None
    return ItsOwnWarning(severity="warning", tool=reported.tool, warnings=reported.warnings)


def few_repetitions(context: Context) -> Outcome:
    """Fewer repetitions than the benchmark's own number."""
    reported = context.run.reported
    if reported is None or reported.repetitions is None:
        return None
    if reported.repetitions >= _FEWEST:
        return PassedCheck("few-repetitions", f"each kernel ran {reported.repetitions} times")
    return FewRepetitions(severity="note", repetitions=reported.repetitions, usual=_FEWEST)


def unsteady(context: Context) -> Outcome:
    """Repetitions that took far longer than the best."""
    run = context.run
    if run.reported is None:
        return None
    half = max(run.reported.clock_seconds or 0.0, run.reported.printed_seconds or 0.0) / 2
    times = [
        (run.variants[number].kernel, rate.seconds, rate.mean_seconds)
        for number, rates in run.rates.items()
        for rate in rates
        if rate.seconds and rate.mean_seconds
    ]
    if not times:
        return None
    ratios = {kernel: mean / best for kernel, best, mean in times}
    worst = max(ratios, key=lambda kernel: ratios[kernel])
    most = ratios[worst]
    if most < _UNSTEADY:
        return PassedCheck("unsteady-table", mean_over_best(worst, most))
    if max((mean - half) / (best + half) for _, best, mean in times) < _UNSTEADY:
        return None  # the rounding of its times explains it
    return UnsteadyTable(
        severity="warning" if most >= _SPOILED else "note", kernel=worst, ratio=most
    )


def uneven(context: Context) -> Outcome:
    """Loops whose rates differ by more than stores explain."""
    rates = nominal_rates(context.run)
    reported = context.run.reported
    if reported is not None and len(reported.methods) > 1:
        return _methods(reported.methods, context.given.array_bytes or reported.array_bytes)
    missing = any(name not in rates for name in LOADS)
    # A clock that is too coarse explains any difference.
    if reported is None or missing or ticks_of(context.run):
        return None
    slow = held_back(rates)
    pair = max(rates["add"], rates["triad"]) / min(rates["add"], rates["triad"]) - 1
    both = [rates["scale"]] if contrast(rates) > CONTRAST else [rates["copy"], rates["scale"]]
    ratio = (rates["add"] + rates["triad"]) / 2 / (sum(both) / len(both))
    four = {name: rates[name] for name in LOADS}
    if context.impossible and ratio <= _ABOVE:
        return None  # another finding says what is wrong
    if slow is not None or pair > _UNEVEN:
        return UnevenKernels(
            severity="warning" if slow is None else "note",
            rates=four,
            slow=slow,
            pair=pair if slow is None else None,
        )
    between = _BELOW <= ratio <= _ABOVE
    if not between or context.spread is not None:
        size = context.given.array_bytes or reported.array_bytes
        return UnevenKernels(
            severity="warning" if between or ratio > 1 else "note",
            rates=four,
            ratio=None if between else ratio,
            array_bytes=None if between or ratio < 1 else size,
            spread=context.spread if between else None,
        )
    return PassedCheck(
        "uneven-kernels", f"add and triad have {ratio:.2f} of the rate of copy and scale"
    )


def _methods(methods: Mapping[str, float], array_bytes: int | None) -> Outcome:
    """Ways of doing the same work that differ by more than stores explain."""
    apart = max(methods.values()) / min(methods.values()) - 1
    if apart > _METHODS:
        slow = min(methods, key=lambda name: methods[name])
        # A loop may be held back by its own machine code; memcpy rarely is.
        severity: Severity = "warning" if slow == "memcpy" else "note"
        return UnevenKernels(
            severity=severity, rates=dict(methods), methods=apart, array_bytes=array_bytes
        )
    return PassedCheck("uneven-kernels", f"its methods differ by {format_share(apart)} at most")


def nominal_rates(run: Run) -> dict[str, float]:
    """GB/s of each kernel as STREAM counts, over the tables."""
    found = {}
    for number, variant in run.variants.items():
        times = run.element_times(number)
        moved = run.iteration_bytes(variant)
        if times and moved:
            found[variant.kernel] = moved / median(times) / 1e9
    return found


def two_readings(context: Context) -> Outcome:
    """The possible meanings of a table whose rates do not decide it."""
    found = context.readings
    if found is None or context.impossible:
        return None
    return TwoReadings(severity="note", readings=found)
