"""MPI ranks against each other."""

from __future__ import annotations

from streamgage.analysis.finding import PassedCheck
from streamgage.analysis.ranks import slowest_rank
from streamgage.analysis.thread_places import places_of
from streamgage.cpu_list import format_cpu_list
from streamgage.results.measure.facts.ranks import SlowRank
from streamgage.results.measure.findings.context import Context
from streamgage.results.measure.findings.outcome import Outcome
from streamgage.units import format_share

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
    if slowest.ratio < _SLOW or slowest.slower < _OFTEN * slowest.samples:
        longer = format_share(slowest.ratio - 1)
        return PassedCheck("slow-rank", f"no rank took more than {longer} longer than the others")
    return SlowRank(
        severity="warning",
        rank=slowest.rank,
        host=slowest.host,
        cpus=format_cpu_list(place.cpu for place in places.usual if place.rank == slowest.rank),
        ratio=slowest.ratio,
        slower=slowest.slower,
        samples=slowest.samples,
        several_hosts=len(placement.hosts) > 1,
    )
