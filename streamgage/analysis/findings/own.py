"""What went wrong with kernels of the user's own, and what nobody checked."""

from __future__ import annotations

from streamgage.analysis.findings.context import Context
from streamgage.analysis.findings.outcome import Outcome, Passed, some
from streamgage.result import Finding
from streamgage.units import count, listed


def kernel_failed(context: Context) -> Outcome:
    """Own kernels that were left out, or that ended the run."""
    run = context.run
    failures = run.kernel_failures
    if not failures:
        measured = [each for each in run.kernels.values() if each.own is not None]
        if not measured:
            return None
        return Passed("kernel-failed", f"{count(len(measured), 'kernel')} of your own held up")
    names = [each.kernel or each.source for each in failures]
    told = " ".join(_sentence(each.message) for each in failures)
    return Finding(
        code="kernel-failed",
        severity="error",
        text=f"Left out: {some(list(dict.fromkeys(names)))}. {told} The figures of the other"
        " kernels stand.",
    )


def kernel_unchecked(context: Context) -> Outcome:
    """Own kernels whose results nobody checked."""
    own = [each for each in context.run.kernels.values() if each.own is not None]
    if not own:
        return None
    without = [each.name for each in own if each.own is not None and not each.own.has_check]
    if not without:
        return Passed("kernel-unchecked", "every kernel of your own has a check of its results")
    declare = "declares no check" if len(without) == 1 else "declare no check"
    return Finding(
        code="kernel-unchecked",
        severity="note",
        text=f"The results are not checked: {listed(without)} {declare}. A kernel that computes"
        " something else, or skips a part, may seem quicker than it is: add a check.",
    )


def _sentence(text: str) -> str:
    """With a capital letter, unless it begins with the name of a file."""
    return f"T{text[1:]}" if text.startswith("the ") else text
