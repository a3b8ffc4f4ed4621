"""MPI ranks against each other."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.analysis.ranks import slowest_rank
from streamgage.cpu_list import format_cpu_list
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome, Passed
from streamgage.units import count, format_share

_SLOW = 1.1
_OFTEN = 0.75
"""Share of the samples in which a slow rank is slower than the others."""


def slow_rank(context: Context) -> Outcome:
    """A rank that takes longer than the others, again and again."""
    placement = context.run.placement
    slowest = slowest_rank(context.run)
    if placement is None or slowest is None:
        return None
    if placement.cpus_in_use < len(placement.threads):
        return None  # ranks that take turns on a CPU: fewer-cpus tells it
    longer = format_share(slowest.ratio - 1)
    if slowest.ratio < _SLOW or slowest.slower < _OFTEN * slowest.samples:
        return Passed("slow-rank", f"no rank took more than {longer} longer than the others")
    cpus = format_cpu_list(place.cpu for place in placement.threads if place.rank == slowest.rank)
    several = len(placement.hosts) > 1
    return Finding(
        code="slow-rank",
        severity="warning",
        text=f"Rank {slowest.rank} on host {slowest.host} (CPUs {cpus}) took {longer} longer than"
        f" the others for the same work, and was slower in {slowest.slower} of"
        f" {count(slowest.samples, 'timed sample')}: all of them wait for it, so the figures are"
        " its own and not those of the rest. See what else runs there, whether its clock is"
        " limited and its memory complete"
        + (", or leave its host out of the host file." if several else "."),
    )
