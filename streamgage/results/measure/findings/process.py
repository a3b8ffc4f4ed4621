"""Outside influence on the engine's process: a low priority, and stops."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.pauses import find_pauses
from streamgage.results.measure.facts.process import Niced, Paused
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome

_MOST_LOST = 0.5
"""Share of the run's time; a run that stood still for longer was not much of a measurement."""


def niced(context: Context) -> Outcome:
    """A priority below that of ordinary programs."""
    machine = context.run.machine
    if machine is None or machine.nice is None:
        return None
    if machine.nice <= 0:
        return PassedCheck("niced", f"no lower priority than other programs (nice {machine.nice})")
    return Niced(severity="warning", nice=machine.nice)


def paused(context: Context) -> Outcome:
    """Time in which no thread ran although none waited for a CPU."""
    run = context.run
    if run.machine is None or run.reported is not None:
        return None
    pauses = find_pauses(run)
    if pauses.seconds == 0:
        return PassedCheck("paused", "the run never stood still")
    return Paused(
        severity="spoiled" if (pauses.share or 0.0) > _MOST_LOST else "warning",
        seconds=pauses.seconds,
        share=pauses.share,
        left_out=pauses.left_out,
        kept=pauses.kept,
    )
