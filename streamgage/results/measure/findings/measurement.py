"""Whether the measurement itself came out well."""

from __future__ import annotations

from collections.abc import Sequence, Set

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.statistics.modes import Modes, two_modes
from streamgage.analysis.trust import USABLE, severity_of_width
from streamgage.records import BenchmarkOutput, Variant
from streamgage.records.run import Run
from streamgage.results.measure.facts.measurement import (
    Absent,
    AbsentVariant,
    CoarseClock,
    FewSamples,
    Invalid,
    NotConverged,
    TwoModes,
    Unfinished,
    VariantModes,
    WrongVariant,
)
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.measure.headline import half_width, is_of, known_to
from streamgage.results.measure.time_given import (
    least_samples,
    needed_samples,
    seconds_to_settle,
)
from streamgage.units import count

LEAST_TICKS = 20
"""STREAM's rule: each test takes at least this many ticks of the clock."""


def invalid(context: Context) -> Outcome:
    """Variants whose arrays did not hold what the formula gives."""
    run = context.run
    if run.reported is not None:
        return _own_check(run.reported, {each.kernel for each in run.shown()})
    checked = [each for each in run.validations.values() if each.valid is not None]
    if not checked:
        return None
    wrong = [each for each in checked if not each.valid]
    if not wrong:
        return PassedCheck(
            "invalid", f"{count(len(checked), 'variant')} validated element by element"
        )
    return Invalid(
        severity="error",
        on_device=run.device is not None,
        wrong=[
            WrongVariant(
                variant=_name(run, each.variant),
                own=_is_own(run, each.variant),
                wrong=each.wrong,
                checked=each.checked,
                first_wrong=each.first_wrong,
                expected=each.expected,
                found=each.found,
                spot_failures=each.spot_failures,
            )
            for each in wrong
        ],
    )


def _is_own(run: Run, number: int) -> bool:
    variant = run.variants.get(number)
    return variant is not None and run.own(variant) is not None


def _own_check(reported: BenchmarkOutput, kernels: Set[str]) -> Outcome:
    """The result of another benchmark's own check of these kernels."""
    if reported.failures:
        rounding = all(each.is_rounding for each in reported.failures)
        return Invalid(
            severity="note" if rounding else "error",
            tool=reported.tool,
            failures=reported.failures,
            element_type=reported.element_type,
            others_passed=not all(
                kernel in {name for each in reported.failures for name in each.kernels}
                for kernel in kernels
            ),
        )
    if reported.validated is None:
        return None
    if reported.validated:
        return PassedCheck("invalid", f"{reported.tool}'s own check passed")
    return Invalid(severity="error", tool=reported.tool)


def unfinished(context: Context) -> Outcome:
    """A run that did not end by itself."""
    run = context.run
    if run.reported is not None:
        return None
    end = run.end
    if end is not None and end.reason == "complete":
        return PassedCheck("unfinished", "the run ended by itself")
    samples = len(run.timed_samples())
    if end is None:
        return Unfinished(severity="error", ended="cut-off", samples=samples)
    if end.reason == "error":
        return Unfinished(
            severity="error", ended="failed", samples=samples, said_why=end.message or None
        )
    by_user = end.reason == "interrupted"
    return Unfinished(severity="warning", ended="SIGINT" if by_user else "SIGTERM", samples=samples)


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
        return PassedCheck(
            "coarse-clock", f"the shortest sample took {ticks:.0f} ticks of the clock"
        )
    return CoarseClock(
        severity="warning",
        seconds=shortest,
        ticks=ticks,
        needed=LEAST_TICKS,
        source=run.clock.source,
    )


def ticks_of(run: Run) -> float | None:
    """The ticks of another benchmark's clock that its shortest test took, if they are too few."""
    reported = run.reported
    times = [each.seconds for rates in run.rates.values() for each in rates if each.seconds]
    if reported is None or reported.clock_seconds is None or not times:
        return None
    ticks = min(times) / reported.clock_seconds
    return ticks if ticks < LEAST_TICKS else None


def _reported_clock(run: Run, reported: BenchmarkOutput) -> Outcome:
    """STREAM's own rule: each test takes 20 ticks of the clock that it found, or more."""
    tick = reported.clock_seconds
    times = [each.seconds for rates in run.rates.values() for each in rates if each.seconds]
    if tick is None or not times:
        return None
    ticks = min(times) / tick
    if ticks >= LEAST_TICKS:
        return PassedCheck("coarse-clock", f"the shortest test took {ticks:.0f} ticks of the clock")
    return CoarseClock(
        severity="warning",
        seconds=min(times),
        ticks=ticks,
        needed=LEAST_TICKS,
        tool=reported.tool,
    )


def not_converged(context: Context) -> Outcome:
    """The precision of the run's main figure."""
    run, shown = context.run, context.headline
    if run.end is None or run.end.reason != "complete" or shown is None:
        return None
    name = f"{shown.kernel} {shown.store}"
    needed = needed_samples(run)
    width = half_width(shown.in_main_state)
    if width is None or shown.n < needed:
        return NotConverged(
            severity="warning",
            variant=name,
            samples=shown.n,
            needed=needed,
            settle_seconds=seconds_to_settle(run, shown.n, least_samples(run)),
            budget_seconds=_budget(run),
        )
    severity = severity_of_width(width)
    if severity is None:
        few = [each for each in run.shown() if len(run.times(each.id)) < needed]
        if few:
            return _few(run, few, needed)
        return PassedCheck("not-converged", f"{name} is {known_to(shown.in_main_state)}")
    stopped = run.plan is not None and run.end.stopped_by == "max-samples"
    main = shown.in_main_state
    if main.drifts and context.states is not None and context.states.drift is not None:
        return None  # the drift of all kernels says it
    return NotConverged(
        severity=severity,
        variant=name,
        samples=shown.n,
        needed=needed,
        half_width=width,
        low_gbps=main.low_gbps if main.drifts else None,
        high_gbps=main.high_gbps if main.drifts else None,
        settle_seconds=seconds_to_settle(run, shown.n, shown.n * (width / USABLE) ** 2),
        budget_seconds=_budget(run),
        most_samples=run.plan.sampling.max_samples if run.plan and stopped else None,
    )


def _few(run: Run, variants: Sequence[Variant], needed: int) -> NotConverged:
    """A note on variants that do not stand for the run."""
    return NotConverged(
        severity="note",
        needed=needed,
        budget_seconds=_budget(run),
        others=[
            FewSamples(variant=run.name(each), samples=len(run.times(each.id))) for each in variants
        ],
    )


def _budget(run: Run) -> float | None:
    return None if run.plan is None else run.plan.sampling.budget_seconds


def absent(context: Context) -> Outcome:
    """Requested combinations that do not exist."""
    run = context.run
    if run.reported is not None or (not run.variants and not run.absent):
        return None
    if not run.absent:
        return PassedCheck("absent", "every kernel has every store mode asked for")
    return Absent(
        severity="note",
        variants=[
            AbsentVariant(kernel=each.kernel, store=each.store, said_why=each.reason)
            for each in run.absent
        ],
    )


def bimodal(context: Context) -> Outcome:
    """Variants whose times fall into two groups, which the machine's states do not explain."""
    run = context.in_main_state
    if not run.timed_samples():
        return None
    found = [(variant, two_modes(run.times(variant.id))) for variant in run.shown()]
    split = [(variant, modes) for variant, modes in found if modes is not None]
    if not split:
        return PassedCheck("two-modes", f"no variant of {len(found)} shows two modes")
    split.sort(key=lambda each: each[1].fast / each[1].slow)
    shown = context.headline
    first = [each for each in split if shown is not None and is_of(each[0], shown)]
    return TwoModes(
        severity="warning" if first else "note",
        first=run.name((first or split)[0][0]),
        variants=[_modes(run, variant, modes) for variant, modes in split],
    )


def _modes(run: Run, variant: Variant, modes: Modes) -> VariantModes:
    moved = run.sample_bytes(variant)
    fast, slow = _switches(run, variant, modes) or (None, None)
    return VariantModes(
        variant=run.name(variant),
        fast_gbps=None if moved is None else moved / modes.fast / 1e9,
        slow_gbps=None if moved is None else moved / modes.slow / 1e9,
        fast_share=modes.fast_share,
        fast_switches=fast,
        slow_switches=slow,
    )


def _switches(run: Run, variant: Variant, modes: Modes) -> tuple[float, float] | None:
    """Involuntary context switches in a fast sample and in a slow one, if that has more."""
    middle = (modes.fast + modes.slow) / 2
    samples = run.samples.get(variant.id, ())
    fast = [sample.switches for sample in samples if sample.seconds_a_pass <= middle]
    slow = [sample.switches for sample in samples if sample.seconds_a_pass > middle]
    if not fast or not slow:
        return None
    each = sum(fast) / len(fast), sum(slow) / len(slow)
    return each if each[0] < each[1] else None


def _name(run: Run, variant: int) -> str:
    known = run.variants.get(variant)
    return run.name(known) if known else f"variant {variant}"
