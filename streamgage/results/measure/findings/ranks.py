"""MPI ranks against each other."""

from __future__ import annotations

from streamgage.analysis.finding import Finding, Passed
from streamgage.analysis.ranks import slowest_rank
from streamgage.analysis.thread_places import places_of
from streamgage.cpu_list import format_cpu_list, name_cpus
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import count, format_share

_SLOW = 1.1
_OFTEN = 0.75
"""Share of the samples in which a slow rank is slower than the others."""


def slow_rank(context: Context) -> Outcome:
    """A rank that takes longer than the others, again and again."""
    placement, places = context.run.placement, places_of(context.run)
    slowest = slowest_rank(context.run)
    if placement is None or places is None or slowest is None:
        return None
    if places.cpus < len(places.usual):
        return None  # ranks take turns on a CPU: fewer-cpus reports that
    longer = format_share(slowest.ratio - 1)
    if slowest.ratio < _SLOW or slowest.slower < _OFTEN * slowest.samples:
        return Passed("slow-rank", f"no rank took more than {longer} longer than the others")
    cpus = format_cpu_list(place.cpu for place in places.usual if place.rank == slowest.rank)
    several = len(placement.hosts) > 1
    return Finding(
        code="slow-rank",
        severity="warning",
        reason=f"rank {slowest.rank} took {longer} longer than the others",
        text=f"Rank {slowest.rank} on host {slowest.host} ({name_cpus(cpus)}) took {longer} longer"
        f" than the others for the same work, and was slower in {slowest.slower} of"
        f" {count(slowest.samples, 'timed sample')}: all of them wait for it, so the figures are"
        " its own and not those of the rest. See what else runs there, whether its clock is"
        " limited and its memory complete"
        + (", or leave its host out of the host file." if several else "."),
    )
