"""What repeated runs of another benchmark show about how it was run."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.statistics.spread import Spread
from streamgage.results.measure.document import KernelResult
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_gbps, format_rate, format_share

FEWEST_RUNS = 5
UNSTEADY = 0.25
"""Share of the best run by which the worst lies below it. Runs of bound threads on a quiet machine
agree within a few per cent; free threads share cores and sit far from their pages in some runs."""


def unbound_runs(context: Context) -> Outcome:
    """Runs that spread as they do where threads are free to move."""
    spread = [
        (each, each.spread)
        for each in context.kernels
        if each.purpose == "rate" and each.spread is not None and each.spread.n >= FEWEST_RUNS
    ]
    if not spread:
        return None
    shown, widest = max(spread, key=lambda each: _width(each[1]))
    unsteady = [each for _, each in spread if _width(each) > UNSTEADY]
    if 2 * len(unsteady) <= len(spread):
        return Passed(
            "not-bound",
            f"{count(widest.n, 'run')} agree within {format_share(_width(widest))} in"
            f" {shown.kernel}, as with bound threads",
        )
    return Finding(
        code="not-bound",
        severity="spoiled",
        reason=f"the runs differ by {format_share(_width(widest))}: threads were not bound, or"
        " other programs ran",
        text=_text(shown, widest),
    )


def _text(shown: KernelResult, spread: Spread) -> str:
    middle = f", median {format_rate(spread.median_gbps)}" if spread.of_one_state else ""
    return (
        f"{count(spread.n, 'run')} give {shown.kernel} between {format_rate(spread.minimum_gbps)}"
        f" and {format_gbps(spread.maximum_gbps)}{middle}; runs of bound threads on a quiet"
        " machine agree within a few per cent. Either these threads were not bound, shared cores"
        " and ran far from their pages, or other programs took CPUs from them; the output does not"
        " show which. None of these figures is the machine's bandwidth. Bind one thread to each"
        " core (OMP_PROC_BIND=true OMP_PLACES=cores, or streamgage measure), stop other programs,"
        " and run again."
    )


def _width(spread: Spread) -> float:
    return 1 - spread.minimum_gbps / spread.maximum_gbps
