"""The user's own kernels: those that failed, and those whose results are not checked."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.finding import PassedCheck
from streamgage.records import KernelFailure
from streamgage.results.measure.facts.own import KernelFailed, KernelUnchecked
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count


def kernel_failed(context: Context) -> Outcome:
    """The user's own kernels that were left out, or that ended the run."""
    run = context.run
    failures = run.kernel_failures
    if not failures:
        measured = [each for each in run.kernels.values() if each.own is not None]
        if not measured:
            return None
        return PassedCheck(
            "kernel-failed", (f"{count(len(measured), 'kernel')} of your own passed every check")
        )
    variants = run.shown()
    measured_ones = [found for each in variants if (found := run.failure_of(each)) is not None]
    left_out = [each for each in failures if each not in measured_ones]
    whole = run.end is not None and run.end.reason == "complete"
    others = [each for each in variants if run.failure_of(each) is None and run.times(each.id)]
    return KernelFailed(
        severity="error",
        left_out=_names(left_out),
        while_measured=_names(measured_ones),
        said_why=[each.message for each in failures],
        others_stand=whole and bool(others),
    )


def _names(failures: Sequence[KernelFailure]) -> list[str]:
    return list(dict.fromkeys(each.kernel or each.source for each in failures))


def kernel_unchecked(context: Context) -> Outcome:
    """The user's own kernels whose results are not checked."""
    own = [each for each in context.run.kernels.values() if each.own is not None]
    if not own:
        return None
    without = [each.name for each in own if each.own is not None and not each.own.has_check]
    if not without:
        return PassedCheck(
            "kernel-unchecked", "every kernel of your own has a check of its results"
        )
    return KernelUnchecked(severity="note", kernels=without)
