"""Whether the measurement itself came out well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.records import ElementType, FailedCheck, warnings
from streamgage.records.quantities import (
    Amount,
    Computed,
    Count,
    Duration,
    Positive,
    Rate,
    Share,
    Some,
)
from streamgage.results.measure.facts.base import Fact, some
from streamgage.results.measure.time_to_settle import time_to_settle
from streamgage.units import count, format_gbps, format_range, format_share, listed

_LONG_BUDGET_SECONDS = 200.0


class WrongVariant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variant whose arrays did not hold what the formula gives."""

    variant: str
    own: bool = False
    """Whether it is a kernel of the user's own, whose iterations are checked, not its elements."""
    wrong: Count
    checked: Count
    first_wrong: Count | None = None
    expected: Computed | None = None
    found: str | None = None
    spot_failures: Count = 0
    """Samples that failed the spot check."""


class Invalid(Fact, frozen=True, kw_only=True, tag="invalid"):
    """Results were wrong."""

    tool: str | None = None
    """The benchmark whose own check failed."""
    wrong: list[WrongVariant] = field(default_factory=list)
    on_device: bool = False
    """Whether a device computed them."""
    failures: list[FailedCheck] = field(default_factory=list)
    """The parts of its check that did not pass, if it names them."""
    element_type: ElementType | None = None
    others_passed: bool = True
    """Whether there were results of other kernels, whose checks passed."""

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.tool is not None and self.failures:
            return self._parts(self.tool)
        if self.tool is not None:
            return self.said(
                reason=f"{self.tool}'s own check of the results failed",
                text=f"{self.tool}'s own check of the results failed: figures of a wrong"
                " computation mean nothing. Do not quote them. Compile it again with fewer"
                " optimisations, and test the memory of that machine.",
            )
        what_to_do = (
            "The kernel's own check failed: correct the kernel or its check, or compile it with"
            " fewer optimisations."
            if all(each.own for each in self.wrong)
            else warnings.TEST_THE_PARTS.format("device" if self.on_device else "processor")
        )
        return self.said(
            reason=f"wrong results from {some([each.variant for each in self.wrong])}",
            text=warnings.WRONG.format(some([_wrong(each) for each in self.wrong]), what_to_do),
        )

    def _parts(self, tool: str) -> Finding:
        """The finding on parts of another benchmark's check: which kernels, and how far off."""
        seen = some([_deviation(each) for each in self.failures])
        kernels = list(dict.fromkeys(name for each in self.failures for name in each.kernels))
        names = listed(kernels) or "the results"
        is_rounding = all(each.is_rounding for each in self.failures)
        if is_rounding:
            most = max(each.rounding or 0.0 for each in self.failures)
            return self.said(
                reason=f"{tool}'s check of {names} failed by no more than rounding",
                text=f"{tool}'s own check of {names} failed: {seen}. Rounding of"
                f" {self.element_type or 'double'} alone explains up to {most:.1g}, so its limit is"
                " too strict and the result is probably right."
                + (" Its checks of the other kernels passed." if self.others_passed else ""),
            )
        return self.said(
            reason=f"{tool}'s own check of {names} failed",
            text=f"{tool}'s own check of {names} failed: {seen}. A figure of a wrong computation"
            " means nothing, so do not quote it"
            + ("; the checks of the other kernels passed" if self.others_passed else "")
            + ". Compile it again with fewer optimisations, and test the memory of that machine.",
        )


def _deviation(each: FailedCheck) -> str:
    """``sum is 3.5e-06 off, and 1e-08 is allowed``."""
    if each.error is None:
        return f"{each.what} is wrong"
    allowed = "" if each.limit is None else f", and {each.limit:.1g} is allowed"
    return f"{each.what} is {each.error:.2g} off{allowed}"


def _wrong(each: WrongVariant) -> str:
    what = f"{each.wrong} of {count(each.checked, 'iteration' if each.own else 'element')} wrong"
    if each.found is not None and each.expected is not None:
        what += f", first at {each.first_wrong or 0}: {each.found} instead of {each.expected:g}"
    if each.spot_failures:
        what += f", {count(each.spot_failures, 'sample')} failed the spot check"
    return f"{each.variant} ({what})"


class Unfinished(Fact, frozen=True, kw_only=True, tag="unfinished"):
    """The run did not end by itself."""

    ended: Literal["cut-off", "failed", "SIGINT", "SIGTERM"]
    samples: Count
    said_why: str | None = None
    """Why it failed, in the words of the engine."""

    def finding(self) -> Finding:
        """The finding, in words."""
        kept = (
            f"the figures come from {count(self.samples, 'timed sample')} and were not all"
            " validated. To quote figures, measure again."
        )
        if self.ended == "cut-off":
            return self.said(
                reason="the run was cut off",
                text="The records stop without their last line, so the engine was killed or died:"
                f" {kept}",
            )
        if self.ended == "failed":
            why = f" ({self.said_why.rstrip('.')})" if self.said_why else ""
            return self.said(
                reason="the measurement failed", text=f"The measurement failed{why}: {kept}"
            )
        return self.said(
            reason=f"the run was stopped early by {self.ended}",
            text=f"The run was stopped early by {self.ended}: {kept}",
        )


class CoarseClock(Fact, frozen=True, kw_only=True, tag="coarse-clock"):
    """Samples were too short for the clock."""

    seconds: Duration
    """The shortest sample, or test of another benchmark."""
    ticks: Positive
    needed: Count
    source: str | None = None
    """The clock; ``None`` of another benchmark."""
    tool: str | None = None

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.tool is None:
            return self.said(
                reason=f"the shortest sample took {self.ticks:.1f} ticks of the clock",
                text=f"The shortest sample took {self.seconds * 1e6:.3g} us, {self.ticks:.1f} ticks"
                f" of the {self.source} clock; {self.needed} are needed, or the time is mostly"
                " rounding. Use larger arrays (--size).",
            )
        return self.said(
            reason=f"the shortest test took {count(round(self.ticks), 'tick')} of the clock",
            text=f"The shortest test took {self.seconds * 1e6:.3g} us,"
            f" {count(round(self.ticks), 'tick')} of the clock; {self.tool}'s rule asks for"
            f" {self.needed}. It may have taken one tick more, so its rates are known to"
            f" {format_share(1 / (self.ticks + 1))} at best. Run it with larger arrays.",
        )


class FewSamples(msgspec.Struct, frozen=True, kw_only=True):
    """A variant that rests on too few samples."""

    variant: str
    samples: Count


class NotConverged(Fact, frozen=True, kw_only=True, tag="not-converged"):
    """The headline is not known well; or other figures are not, which is a note."""

    variant: str | None = None
    """That of the headline; ``None`` where only ``others`` are meant."""
    samples: Count = 0
    needed: Count
    half_width: Amount | None = None
    """The wider half of the interval over the median; ``None``: there are too few samples."""
    low_gbps: Rate | None = None
    high_gbps: Rate | None = None
    """The range of the samples, if each is so much like the one before that nothing else is known;
    ``None``: they are independent enough."""
    settle_seconds: Duration | None = None
    """How long a run takes, by its samples so far, that settles the headline."""
    budget_seconds: Duration | None = None
    most_samples: Count | None = None
    """The number of samples that ended the run; ``None``: something else did."""
    others: list[FewSamples] = field(default_factory=list)

    def finding(self) -> Finding:
        """The finding, in words."""
        if self.variant is None:
            seen = some([f"{e.variant} has {count(e.samples, 'sample')}" for e in self.others])
            return self.said(
                reason=seen,
                text=f"Some figures rest on too few samples: {seen}, where {self.needed} are"
                f" needed. {self._more_time()}",
            )
        if self.half_width is None:
            samples = count(self.samples, "sample")
            return self.said(
                reason=f"{self.variant} has only {samples}",
                text=f"{self.variant} has {samples}, but needs {self.needed}: the figure may be"
                f" off by more than it shows. {self._time_to_take()}{self._more_time()}",
            )
        known = f"{self.variant} is known to {format_share(self.half_width)} only"
        why = "its samples scatter"
        if self.low_gbps is not None and self.high_gbps is not None:
            known = f"{self.variant} drifts: {format_range(self.low_gbps, self.high_gbps)}"
            why = "samples are like those just before them"
        return self.said(
            reason=known,
            text=f"{known} after {self._limit()}: {why}. {self._time_to_take()}{self._more_time()}",
        )

    def _time_to_take(self) -> str:
        if self.settle_seconds is None:
            return ""
        return f"To settle, it would take {time_to_settle(self.settle_seconds)} here. "

    def _limit(self) -> str:
        if self.most_samples is not None:
            return count(self.most_samples, "sample")
        return "the run" if self.budget_seconds is None else f"{self.budget_seconds:g} s"

    def _more_time(self) -> str:
        if self.budget_seconds is not None and self.budget_seconds >= _LONG_BUDGET_SECONDS:
            return "Look for other load, or for a clock frequency that changes."
        return "Give it more time with --thorough, or measure fewer kernels."


class AbsentVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A combination that was asked for and does not exist."""

    kernel: str
    store: str
    said_why: str
    """In the words of the engine."""


class Absent(Fact, frozen=True, kw_only=True, tag="absent"):
    """Some of what was asked for does not exist."""

    variants: Annotated[list[AbsentVariant], Some]

    def finding(self) -> Finding:
        """The finding, in words."""
        names = [f"{each.kernel} {each.store}" for each in self.variants]
        whys = [each.said_why.rstrip(".") for each in self.variants]
        seen = some([f"{name} ({why})" for name, why in zip(names, whys, strict=True)])
        return self.said(
            reason=f"there is no such variant: {some(names)}",
            text=f"Not measured, because there is no such variant: {seen}. Nothing is wrong;"
            " without --stores each kernel is measured in the store modes that it has.",
        )


class VariantModes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variant whose times fall into two groups."""

    variant: str
    fast_gbps: Rate | None = None
    slow_gbps: Rate | None = None
    fast_share: Share
    """Of the samples."""
    fast_switches: Amount | None = None
    """Involuntary context switches in a fast sample, and in a slow one, where that has more."""
    slow_switches: Amount | None = None


class TwoModes(Fact, frozen=True, kw_only=True, tag="two-modes"):
    """Times fall into two groups."""

    first: str
    """The variant to name first: that of the headline where it is among them."""
    variants: Annotated[list[VariantModes], Some]
    """Those whose groups are furthest apart first."""

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason=f"samples of {self.first} fall into two groups",
            text=f"The samples of {count(len(self.variants), 'variant')} fall into two groups:"
            f" {some(_modes(self.variants))}. Such a median means little, because something"
            " changes between samples. Look for threads that move, remote pages, a changing clock"
            " frequency, steal time and other load, here and in the other findings.",
        )


def _modes(variants: Sequence[VariantModes]) -> list[str]:
    return [
        each.variant
        if each.fast_gbps is None or each.slow_gbps is None
        else f"{each.variant} ({format_share(each.fast_share)} near {format_gbps(each.fast_gbps)},"
        f" {format_share(1 - each.fast_share)} near {format_gbps(each.slow_gbps)}{_switches(each)})"
        for each in variants
    ]


def _switches(each: VariantModes) -> str:
    if each.slow_switches is None or each.fast_switches is None:
        return ""
    return (
        f"; {each.slow_switches:.1f} involuntary context switches in a slow sample,"
        f" {each.fast_switches:.1f} in others"
    )
