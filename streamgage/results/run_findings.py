"""Checks for faults in the runs of a series, for all kinds except ``measure``.

``measure`` has a single run and knows more about it.
"""

from __future__ import annotations

from collections.abc import Callable

from streamgage.analysis.faults import Faults
from streamgage.analysis.finding import Finding
from streamgage.analysis.outside import SPOILING
from streamgage.analysis.trust import severity_of_width
from streamgage.results.document import Document
from streamgage.units import count, format_ratio, format_share

FEW_ROUNDS = 3
"""With fewer rounds than this, nothing shows how much runs differ by chance."""


def _invalid(faults: Faults) -> Finding:
    """Make the finding on runs with a wrong result."""
    where = _where(faults, faults.invalid)
    return Finding(
        code="invalid",
        severity="error",
        reason=f"wrong results{where}",
        text=f"Results were wrong{where}: figures of a wrong computation mean nothing. Test the"
        " memory and the processor of this machine; if they are sound, report it as a fault of"
        " streamgage.",
    )


def _cpu_quota(faults: Faults) -> Finding:
    """Make the finding on a CPU quota that stopped threads."""
    share = format_share(faults.throttled_share)
    return Finding(
        code="cpu-quota",
        severity="spoiled" if faults.throttled_share > SPOILING else "warning",
        reason=f"a CPU quota stopped the threads (up to {share} of the time)",
        text=f"A CPU quota stopped the threads{_where(faults, faults.throttled)}, for up to"
        f" {share} of the CPUs' time: such runs are too slow, and the binding of threads does"
        " not show it. Use fewer threads, or have the container's quota raised.",
    )


def _niced(document: Document) -> Finding | None:
    """Find a priority below that of ordinary programs."""
    nice = None if document.machine is None else document.machine.nice
    return None if nice is None or nice <= 0 else niced_finding(nice)


def niced_finding(nice: int) -> Finding:
    """Make the finding on a measurement that ran with a nice value above 0."""
    return Finding(
        code="niced",
        severity="warning",
        reason=f"it ran with a lower priority (nice {nice})",
        text=f"The measurement ran with nice {nice}: other programs get a CPU first, so even a"
        " little load slows samples down. Start it without nice; if a batch system or a"
        " service lowers the priority, change its setting.",
    )


def _moved(faults: Faults) -> Finding:
    """Make the finding on bound threads that ran on other CPUs."""
    where = _where(faults, faults.moved)
    return Finding(
        code="moved",
        severity="warning",
        reason=f"bound threads moved{where}",
        text=f"Bound threads were on other CPUs than their own{where}: these samples include the"
        " move. Something else changes the binding of this process: look for a launcher or a"
        " resource manager.",
    )


def _below_rule(faults: Faults) -> Finding:
    """Make the finding on arrays below four times the last-level caches in use."""
    ratio = faults.array_ratio
    size = "below 10^6 elements" if ratio is None else f"{format_ratio(ratio)} the last-level cache"
    where = "" if faults.below_rule == faults.runs else _where(faults, faults.below_rule)
    return Finding(
        code="below-4x-rule",
        severity="spoiled" if ratio is not None and ratio < 1 else "warning",
        reason=f"arrays are {size}, below STREAM's 4x rule",
        text=f"The arrays are {size}{where}, and STREAM's rule asks for four times as much. Part"
        " of the data may come from the caches, and figures may be higher than the memory's."
        " Leave --size out, or measure with more memory.",
    )


def _paused(faults: Faults) -> Finding:
    """Make the finding on pauses in which runs stood still."""
    seconds = f"{faults.paused_seconds:.1f} s"
    return Finding(
        code="paused",
        severity="warning",
        reason=f"runs stood still for {seconds}"
        if faults.runs > 1
        else f"it stood still {seconds}",
        text=f"The measurement stood still for {seconds}{_where(faults, faults.paused)}: a signal"
        " (SIGSTOP, Ctrl-Z), a debugger or a suspended machine stopped it. Measure again without"
        " the interruption.",
    )


def few_rounds(rounds: int) -> Finding | None:
    """Find that there are too few rounds to know how much runs differ by chance."""
    if rounds >= FEW_ROUNDS:
        return None
    number = f"only {count(rounds, 'round')}"
    return Finding(
        code="not-converged",
        severity="warning",
        reason=f"{number}, so the noise is unknown",
        text=f"There {'is' if rounds == 1 else 'are'} {number}: nothing shows how much the figures"
        f" differ from run to run. Measure {FEW_ROUNDS} rounds or more.",
    )


def known_roughly(what: str, value: float, low: float | None, high: float | None) -> Finding | None:
    """Find that the main figure of a series has wide bounds."""
    if low is None or high is None or value <= 0:
        return None
    width = max(high - value, value - low) / value
    severity = severity_of_width(width)
    if severity is None:
        return None
    known = f"{what}: known to {format_share(width)} only"
    return Finding(
        code="not-converged",
        severity=severity,
        reason=known,
        text=f"The main figure of this result is known only roughly ({known}): its samples or"
        " rounds scatter. Measure more rounds, or at a quieter time.",
    )


def _where(faults: Faults, number: int) -> str:
    """Say in how many runs: ``in 2 of 6 runs``; empty for a single run."""
    return "" if faults.runs == 1 else f" in {number} of {count(faults.runs, 'run')}"


def _where_any(
    number: Callable[[Faults], int], finding: Callable[[Faults], Finding]
) -> Callable[[Document], Finding | None]:
    """Make a check that gives the finding unless the number of such runs is 0."""

    def check(document: Document) -> Finding | None:
        faults = document.faults
        return finding(faults) if faults is not None and number(faults) else None

    return check


OF_RUNS: tuple[tuple[str, Callable[[Document], Finding | None]], ...] = (
    ("invalid", _where_any(lambda faults: faults.invalid, _invalid)),
    ("cpu-quota", _where_any(lambda faults: faults.throttled, _cpu_quota)),
    ("niced", _niced),
    ("moved", _where_any(lambda faults: faults.moved, _moved)),
    ("below-4x-rule", _where_any(lambda faults: faults.below_rule, _below_rule)),
    ("paused", _where_any(lambda faults: faults.paused, _paused)),
)
"""The checks in the order of display, most important first. Load by others is left out, because
``scale`` knows more about it."""
