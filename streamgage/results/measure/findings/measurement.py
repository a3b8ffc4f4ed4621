"""Whether the measurement itself came out well."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.statistics.modes import Modes, two_modes
from streamgage.analysis.trust import USABLE, severity_of_width
from streamgage.records import Reported, Variant
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.results.measure.headline import half_width, is_of, known_to
from streamgage.results.measure.time_given import (
    least_samples,
    needed_samples,
    seconds_to_settle,
    time_to_settle,
)
from streamgage.units import count, format_gbps, format_share

LEAST_TICKS = 20
"""STREAM's rule: each test takes at least this many ticks of the clock."""
_LONG_BUDGET_SECONDS = 200.0


def invalid(context: Context) -> Outcome:
    """Variants whose arrays did not hold what the formula gives."""
    run = context.run
    if run.reported is not None and run.reported.validated is not None:
        return _own_check(run.reported)
    checked = [each for each in run.validations.values() if each.valid is not None]
    if not checked:
        return None
    wrong = [each for each in checked if not each.valid]
    if not wrong:
        return Passed("invalid", f"{count(len(checked), 'variant')} validated element by element")
    seen = []
    for each in wrong:
        unit = "iteration" if _is_own(run, each.variant) else "element"
        what = f"{each.wrong} of {count(each.checked, unit)} wrong"
        if each.found is not None and each.expected is not None:
            what += f", first at {each.first_wrong or 0}: {each.found} instead of {each.expected:g}"
        if each.spot_failures:
            what += f", {count(each.spot_failures, 'sample')} failed the spot check"
        seen.append(f"{_name(run, each.variant)} ({what})")
    catalogue = [each for each in wrong if not _is_own(run, each.variant)]
    what_to_do = (
        "Test the memory and the processor of this machine; if they are sound, report it as a fault"
        " of streamgage."
        if catalogue
        else "The kernel's own check failed: correct the kernel or its check, or compile it with"
        " fewer optimisations."
    )
    return Finding(
        code="invalid",
        severity="error",
        reason=f"wrong results from {some([_name(run, each.variant) for each in wrong])}",
        text=f"Wrong results from {some(seen)}: figures of a wrong computation mean nothing. Do"
        f" not quote them. {what_to_do}",
    )


def _is_own(run: Run, number: int) -> bool:
    variant = run.variants.get(number)
    return variant is not None and run.own(variant) is not None


def _own_check(reported: Reported) -> Outcome:
    """The result of another benchmark's own check."""
    if reported.validated:
        return Passed("invalid", f"{reported.tool}'s own check passed")
    return Finding(
        code="invalid",
        severity="error",
        reason=f"{reported.tool}'s own check of the results failed",
        text=f"{reported.tool}'s own check of the results failed: figures of a wrong computation"
        " mean nothing. Do not quote them. Compile it again with fewer"
        " optimisations, and test the memory of that machine.",
    )


def unfinished(context: Context) -> Outcome:
    """A run that did not end by itself."""
    run = context.run
    if run.reported is not None:
        return None
    end = run.end
    if end is not None and end.reason == "complete":
        return Passed("unfinished", "the run ended by itself")
    samples = count(len(run.timed_samples()), "timed sample")
    kept = (
        f"the figures come from {samples} and were not all validated. To quote figures, measure"
        " again."
    )
    if end is None:
        return Finding(
            code="unfinished",
            severity="error",
            reason="the run was cut off",
            text="The records stop without their last line, so the engine was killed or died:"
            f" {kept}",
        )
    if end.reason == "error":
        why = f" ({end.message.rstrip('.')})" if end.message else ""
        return Finding(
            code="unfinished",
            severity="error",
            reason="the measurement failed",
            text=f"The measurement failed{why}: {kept}",
        )
    by = "SIGINT" if end.reason == "interrupted" else "SIGTERM"
    return Finding(
        code="unfinished",
        severity="warning",
        reason=f"the run was stopped early by {by}",
        text=f"The run was stopped early by {by}: {kept}",
    )


def coarse_clock(context: Context) -> Outcome:
    """Samples too short for the clock."""
    run = context.run
    if run.reported is not None:
        return _reported_clock(run, run.reported)
    samples = run.timed_samples()
    if run.clock is None or not samples or run.clock.granularity_seconds <= 0:
        return None
    shortest = min(sample.seconds for sample in samples)
    ticks = shortest / run.clock.granularity_seconds
    if ticks >= LEAST_TICKS:
        return Passed("coarse-clock", f"the shortest sample took {ticks:.0f} ticks of the clock")
    return Finding(
        code="coarse-clock",
        severity="warning",
        reason=f"the shortest sample took {ticks:.1f} ticks of the clock",
        text=f"The shortest sample took {shortest * 1e6:.3g} us, {ticks:.1f} ticks of the"
        f" {run.clock.source} clock; {LEAST_TICKS} are needed, or the time is mostly rounding. Use"
        " larger arrays (--size).",
    )


def _reported_clock(run: Run, reported: Reported) -> Outcome:
    """STREAM's own rule: each test takes 20 ticks of the clock that it found, or more."""
    tick = reported.clock_seconds
    times = [each.seconds for rates in run.rates.values() for each in rates if each.seconds]
    if tick is None or not times:
        return None
    ticks = min(times) / tick
    if ticks >= LEAST_TICKS:
        return Passed("coarse-clock", f"the shortest test took {ticks:.0f} ticks of the clock")
    return Finding(
        code="coarse-clock",
        severity="warning",
        reason=f"the shortest test took {ticks:.0f} ticks of the clock",
        text=f"The shortest test took {min(times) * 1e6:.3g} us, {ticks:.0f} ticks of the clock;"
        f" {reported.tool}'s rule asks for {LEAST_TICKS}. Its rates are known to"
        f" {format_share(1 / ticks)} at best. Run it with larger arrays.",
    )


def not_converged(context: Context) -> Outcome:
    """The precision of the run's main figure."""
    run, shown = context.run, context.headline
    if run.end is None or run.end.reason != "complete" or shown is None:
        return None
    name = f"{shown.kernel} {shown.store}"
    needed = needed_samples(run)
    width = half_width(shown)
    if width is None or shown.n < needed:
        samples = count(shown.n, "sample")
        return Finding(
            code="not-converged",
            severity="warning",
            reason=f"{name} has only {samples}",
            text=f"{name} has {samples}, but needs {needed}: the figure may be off by more than it"
            f" shows. {_time_to_take(run, shown.n, least_samples(run))}{_more_time(run)}",
        )
    severity = severity_of_width(width)
    if severity is None:
        few = [each for each in run.shown() if len(run.times(each.id)) < needed]
        if few:
            return _few(run, few, needed)
        return Passed("not-converged", f"{name} is {known_to(shown)}")
    known = f"{name} is known to {format_share(width)} only"
    return Finding(
        code="not-converged",
        severity=severity,
        reason=known,
        text=f"{known} after {_limit(run)}: its samples scatter."
        f" {_time_to_take(run, shown.n, shown.n * (width / USABLE) ** 2)}{_more_time(run)}",
    )


def _time_to_take(run: Run, samples: int, wanted: float) -> str:
    """The time of a run that settles the headline."""
    seconds = seconds_to_settle(run, samples, wanted)
    return "" if seconds is None else f"To settle, it would take {time_to_settle(seconds)} here. "


def _few(run: Run, variants: Sequence[Variant], needed: int) -> Finding:
    """A note on variants that do not stand for the run."""
    seen = some([f"{run.name(e)} has {count(len(run.times(e.id)), 'sample')}" for e in variants])
    return Finding(
        code="not-converged",
        severity="note",
        reason=seen,
        text=f"Some figures rest on too few samples: {seen}, where {needed} are needed."
        f" {_more_time(run)}",
    )


def absent(context: Context) -> Outcome:
    """Requested combinations that do not exist."""
    run = context.run
    if run.reported is not None or (not run.variants and not run.absent):
        return None
    if not run.absent:
        return Passed("absent", "every kernel has every store mode asked for")
    seen = some([f"{each.kernel} {each.store} ({each.reason.rstrip('.')})" for each in run.absent])
    return Finding(
        code="absent",
        severity="note",
        reason=f"there is no such variant: {some([f'{e.kernel} {e.store}' for e in run.absent])}",
        text=f"Not measured, because there is no such variant: {seen}. Nothing is wrong; without"
        " --stores each kernel is measured in the store modes that it has.",
    )


def _limit(run: Run) -> str:
    if run.plan is None or run.end is None:
        return "the run"
    if run.end.stopped_by == "max-samples":
        return count(run.plan.sampling.max_samples, "sample")
    return f"{run.plan.sampling.budget_seconds:g} s"


def _more_time(run: Run) -> str:
    if run.plan is not None and run.plan.sampling.budget_seconds >= _LONG_BUDGET_SECONDS:
        return "Look for other load, or for a clock frequency that changes."
    return "Give it more time with --thorough, or measure fewer kernels."


def bimodal(context: Context) -> Outcome:
    """Variants whose times fall into two groups."""
    run = context.run
    if not run.timed_samples():
        return None
    found = [(variant, two_modes(run.times(variant.id))) for variant in run.shown()]
    split = [(variant, modes) for variant, modes in found if modes is not None]
    if not split:
        return Passed("two-modes", f"no variant of {len(found)} shows two modes")
    split.sort(key=lambda each: each[1].fast / each[1].slow)
    seen = some([_modes(run, variant, modes) for variant, modes in split])
    shown = context.headline
    first = [each for each in split if shown is not None and is_of(each[0], shown)]
    return Finding(
        code="two-modes",
        severity="warning" if first else "note",
        reason=f"samples of {run.name((first or split)[0][0])} fall into two groups",
        text=f"The samples of {count(len(split), 'variant')} fall into two groups: {seen}. Such a"
        " median means little, because something changes between samples. Look for threads"
        " that move, remote pages, a changing clock frequency, steal time and other load,"
        " here and in the other findings.",
    )


def _modes(run: Run, variant: Variant, modes: Modes) -> str:
    moved = run.sample_bytes(variant)
    name = run.name(variant)
    if moved is None:
        return name
    fast, slow = (format_gbps(moved / seconds / 1e9) for seconds in (modes.fast, modes.slow))
    shares = (format_share(modes.fast_share), format_share(1 - modes.fast_share))
    text = f"{shares[0]} near {fast}, {shares[1]} near {slow}"
    return f"{name} ({text}{_switches(run, variant, modes)})"


def _switches(run: Run, variant: Variant, modes: Modes) -> str:
    """Involuntary context switches per sample, if slow samples had more of them."""
    middle = (modes.fast + modes.slow) / 2
    samples = run.samples.get(variant.id, ())
    fast = [sample.switches for sample in samples if sample.seconds / sample.passes <= middle]
    slow = [sample.switches for sample in samples if sample.seconds / sample.passes > middle]
    if not fast or not slow:
        return ""
    each = sum(slow) / len(slow), sum(fast) / len(fast)
    if each[0] <= each[1]:
        return ""
    return f"; {each[0]:.1f} involuntary context switches in a slow sample, {each[1]:.1f} in others"


def _name(run: Run, variant: int) -> str:
    known = run.variants.get(variant)
    return run.name(known) if known else f"variant {variant}"
