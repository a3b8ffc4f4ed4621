"""What repeated runs of another benchmark show about how it was run."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.results.measure.facts.placement import NotBound, RunsApart
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_share

FEWEST_RUNS = 5
UNSTEADY = 0.25
"""Share of the best run by which the worst lies below it. Runs of bound threads on a quiet machine
agree within a few per cent; free threads share cores and sit far from their pages in some runs."""


def unbound_runs(context: Context) -> Outcome:
    """Check whether separate runs differ as much as runs with unbound threads do."""
    spread = [
        (each, each.spread)
        for each in context.kernels
        if each.purpose == "rate" and each.spread is not None and each.spread.n >= FEWEST_RUNS
    ]
    if not spread:
        return None
    shown, widest = max(spread, key=lambda each: each[1].below_best)
    unsteady = [each for _, each in spread if each.below_best > UNSTEADY]
    if 2 * len(unsteady) <= len(spread):
        return PassedCheck(
            "not-bound",
            f"{shown.kernel} differs by {format_share(widest.below_best)} at most in"
            f" {count(widest.n, 'run')}, as with bound threads",
        )
    return NotBound(
        severity="spoiled",
        runs=RunsApart(
            kernel=shown.kernel,
            runs=widest.n,
            minimum_gbps=widest.minimum_gbps,
            maximum_gbps=widest.maximum_gbps,
            median_gbps=widest.median_gbps if widest.of_one_state else None,
            on_gpu=context.run.reported is not None and context.run.reported.on_gpu,
        ),
    )
