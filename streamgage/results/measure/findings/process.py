"""Outside influence on the engine's process: a low priority, and stops."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.pauses import Pauses, find_pauses
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.results.run_findings import niced_finding
from streamgage.units import count, format_share

_MOST_LOST = 0.5
"""Share of the run's time; a run that stood still for longer was not much of a measurement."""


def niced(context: Context) -> Outcome:
    """A priority below that of ordinary programs."""
    machine = context.run.machine
    if machine is None or machine.nice is None:
        return None
    if machine.nice <= 0:
        return Passed("niced", f"no lower priority than other programs (nice {machine.nice})")
    return niced_finding(machine.nice)


def paused(context: Context) -> Outcome:
    """Time in which no thread ran although none waited for a CPU."""
    run = context.run
    if run.machine is None or run.reported is not None:
        return None
    pauses = find_pauses(run)
    if pauses.seconds == 0:
        return Passed("paused", "the run never stood still")
    share = f" ({format_share(pauses.share)} of the run)" if pauses.share is not None else ""
    lost = f"{pauses.seconds:.1f} s{share}"
    return Finding(
        code="paused",
        severity="spoiled" if (pauses.share or 0.0) > _MOST_LOST else "warning",
        reason=f"the run stood still for {lost}",
        text=f"The run stood still for {lost}: a signal (SIGSTOP, Ctrl-Z), a debugger or a"
        f" suspended machine stopped it. {_samples(pauses)} Measure again without the"
        " interruption.",
    )


def _samples(pauses: Pauses) -> str:
    """What happened to the affected samples."""
    said = []
    if pauses.left_out:
        is_or_are = "is" if pauses.left_out == 1 else "are"
        said.append(
            f"{count(pauses.left_out, 'sample')} that it hit {is_or_are} left out of the figures."
        )
    if pauses.kept:
        stays = "stays in the figures and widens" if pauses.kept == 1 else "stay and widen"
        said.append(
            f"{count(pauses.kept, 'sample')} that took far longer than the others"
            f" {stays} the intervals."
        )
    return " ".join(said) or "It hit no sample, so the figures are unaffected."
