"""Whether the shapes that were chosen still hold."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.shapes import gain_of
from streamgage.records.run import Run
from streamgage.results.measure.facts.shapes import Chosen, SlowerShape, SlowerVariant
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count


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
            slower.append(SlowerVariant(variant=run.name(variant), loss=1 - gain.median))
    if not slower:
        return PassedCheck("slower-shape", _compared(len(tuned), quicker))
    return SlowerShape(severity="note", slower=slower, chosen=_chosen(run))


def _compared(tuned: int, quicker: int) -> str:
    variants = count(tuned, "tuned variant")
    if quicker == tuned:
        return f"{variants}: each was faster than the default shape"
    return (
        f"{variants}: {quicker or 'none'} clearly faster than the default shape, and none"
        " clearly slower"
    )


def _chosen(run: Run) -> Chosen:
    if run.device is not None:
        return "device"
    if run.plan is not None and run.plan.shape is not None:
        return "given"
    return "known" if any(tuning.source == "known" for tuning in run.tunings) else "raced"
