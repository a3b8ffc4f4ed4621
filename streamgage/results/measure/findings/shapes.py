"""Whether the shapes that were chosen still hold."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.shapes import gain_of
from streamgage.records.run import Run
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, some
from streamgage.units import count, format_share


def slower_shape(context: Context) -> Outcome:
    """Tuned variants that were slower than the default shape in this very run."""
    run = context.run
    tuned = [variant for variant in run.shown() if variant.tuned]
    if not tuned:
        return None
    slower = []
    quicker = 0
    for variant in tuned:
        gain = gain_of(run, variant)
        if gain is None or gain.interval is None:
            continue
        quicker += gain.interval.low > 1
        if gain.interval.high < 1:
            slower.append(f"{run.name(variant)} (by {format_share(1 - gain.median)})")
    if not slower:
        return Passed("slower-shape", _compared(len(tuned), quicker))
    return Finding(
        code="slower-shape",
        severity="note",
        reason=f"tuned shapes were slower than the default: {some(slower)}",
        text=f"Slower than the same kernel in the default shape: {some(slower)}. {_remedy(run)}",
    )


def _compared(tuned: int, quicker: int) -> str:
    variants = count(tuned, "tuned variant")
    if quicker == tuned:
        return f"{variants}: each was quicker than the default shape"
    return (
        f"{variants}: {quicker or 'none'} certainly quicker than the default shape, and none"
        " certainly slower"
    )


def _remedy(run: Run) -> str:
    if run.plan is not None and run.plan.shape is not None:
        return "Leave --shape out to search for the quickest one."
    if any(tuning.source == "known" for tuning in run.tunings):
        return "Search for shapes again with --retune: this machine has changed since."
    return (
        "The search had the opposite result a moment before: search again with --retune at a"
        " quieter time, or use the default one."
    )
