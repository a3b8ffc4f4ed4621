"""Facts that all inferences from time need, computed once: times, brackets, checks, refusals."""

from __future__ import annotations

from functools import cached_property

from streamgage.analysis.traffic.bracket import AlphaEstimate, Bracket, bracket_of
from streamgage.analysis.traffic.reason import Reason, ReasonCode
from streamgage.analysis.traffic.refusals import much_steal, not_memory_bound, small_arrays
from streamgage.analysis.traffic.timing import Timing
from streamgage.analysis.traffic.twins import ForcedRead, failed_checks, forced_read_checks
from streamgage.analysis.user_facts import UserFacts
from streamgage.records import Variant
from streamgage.records.run import Run

COPY_LIKE = ("copy", "scale")
TRIAD_LIKE = ("triad", "add")


class Scene:
    """A run with the known facts about its limits; each property is computed on first use."""

    def __init__(self, run: Run, saturated: bool | None, user_facts: UserFacts) -> None:
        self.run = run
        self.user_facts = user_facts
        self.series_saturated = saturated
        self.timing = Timing(run)
        self._brackets: dict[str, Bracket | None] = {}
        self._alphas: dict[int, AlphaEstimate | None] = {}

    @cached_property
    def checks(self) -> dict[str, ForcedRead]:
        """The forced-read checks; empty for the output of another benchmark."""
        return {} if self.timing.foreign else forced_read_checks(self.timing)

    @cached_property
    def not_of_memory(self) -> Reason | None:
        """Why the rates may not be those of memory; ``None`` if nothing suggests it."""
        if self.run.reported is not None and self.run.reported.validated is False:
            return Reason(why=ReasonCode.FAILED_CHECK)
        return small_arrays(self.run, self.user_facts)

    @cached_property
    def refusal(self) -> Reason | None:
        """Why nothing at all can be inferred from the times of this run.

        ``None`` if something can.
        """
        return self.not_of_memory or much_steal(self.run) or failed_checks(self.checks)

    @cached_property
    def checked(self) -> bool:
        """``True`` if the forced reads were detected in all kernels that could be checked."""
        known = [check.ok for check in self.checks.values() if check.ok is not None]
        return bool(known) and all(known)

    @cached_property
    def unsaturated(self) -> Reason | None:
        """Why memory is not known to have been the limit; ``None`` if it was.

        A series of threads in the same run decides. Without one, another benchmark's run is assumed
        to have used all threads, unless its table suggests otherwise.
        """
        if self.series_saturated is True:
            return None
        if self.series_saturated is False:
            return Reason(why=ReasonCode.STILL_RISING)
        if self.timing.foreign:
            return not_memory_bound(self.timing, self.user_facts)
        return Reason(why=ReasonCode.MAY_RISE)

    def bracket(self, kernel: str) -> Bracket | None:
        """The bracket of a kernel; ``None`` if it has none."""
        if kernel not in self._brackets:
            self._brackets[kernel] = bracket_of(self.timing, kernel)
        return self._brackets[kernel]

    def alpha(self, variant: Variant) -> AlphaEstimate | None:
        """The bracket's alpha of a variant, before any check; ``None`` if there is none."""
        if variant.id not in self._alphas:
            bracket = self.bracket(variant.kernel)
            times = self.timing.of(variant)
            self._alphas[variant.id] = bracket.alpha(times) if bracket else None
        return self._alphas[variant.id]

    def with_stores_of(self, variant: Variant, kernels: tuple[str, ...]) -> Variant | None:
        """The first of ``kernels`` with the same stores as ``variant``, made by the same code."""
        for kernel in kernels:
            for other in self.run.variants.values():
                if other.kernel == kernel and _stores(other) == _stores(variant):
                    return other
        return None

    def partners(self, variant: Variant) -> tuple[Variant, Variant] | None:
        """Variants like copy and like triad with the stores of ``variant``.

        Their alphas must agree. Caches of a device do with a store the same in every shape, so
        the fastest shapes stand for all.
        """
        if self.run.device is not None:
            copy_like, triad_like = (
                next(
                    filter(None, (self.timing.fastest(name, lambda _: True) for name in names)),
                    None,
                )
                for names in (COPY_LIKE, TRIAD_LIKE)
            )
            return None if copy_like is None or triad_like is None else (copy_like, triad_like)
        copy_like, triad_like = (
            variant if variant.kernel in names else self.with_stores_of(variant, names)
            for names in (COPY_LIKE, TRIAD_LIKE)
        )
        return None if copy_like is None or triad_like is None else (copy_like, triad_like)


def _stores(variant: Variant) -> tuple[object, ...]:
    """The properties that two kernels must share to store in the same way.

    A library call that replaces the loop chooses its stores itself.
    """
    return (
        variant.store,
        variant.type,
        variant.isa,
        variant.code,
        variant.purpose,
        variant.tuned,
        tuple(variant.calls or ()),
        variant.threads,
    )
