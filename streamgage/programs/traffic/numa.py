"""Judges whether the traffic was spread evenly over the memory domains.

The *imbalance* is the busiest domain's bytes divided by an equal share. It is 1 if all domains have
the same, and the number of domains if one has everything. Where memory bandwidth is the limit, it
is also how many times as fast the program could be with its data spread evenly, because the busiest
memory is done last. From ``UNBALANCED`` on, a quarter of the time could be saved in this way.
Smaller imbalances also occur in evenly spread programs, from the system's own traffic and from
page tables.

A source that counts by the requesting package says nothing about the memory that delivered the
bytes: if all threads run on one package and their data is spread evenly, one domain has everything.

Traffic below ``LITTLE`` of what the memory can give limits nothing, wherever it goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.results.traffic.document import Verdict, VerdictAnswer, Volume
from streamgage.units import format_share

UNBALANCED = 1.25
LITTLE = 0.05


def judge_domains(
    whole: Volume, domains: Sequence[Volume], limit: float | None, *, by_asker: bool = False
) -> Verdict:
    """Judge whether the domains had equal shares.

    ``limit`` is the bandwidth of all of them, GB/s.
    """
    if by_asker:
        return _verdict(
            "cannot-tell",
            "It is unknown whether the memory domains were used equally: the source counts what"
            " each package requested, not which memory delivered it.",
        )
    shares = [domain.share for domain in domains if domain.share is not None]
    if len(shares) < len(domains):
        lost = next(domain.name for domain in domains if domain.share is None)
        return _verdict(
            "cannot-tell",
            f"It is unknown whether the memory domains were used equally: the traffic of {lost}"
            " is unknown.",
        )
    busiest = max(domains, key=lambda domain: domain.share or 0.0)
    share = busiest.share or 0.0
    imbalance = share * len(domains)
    average = whole.average.total_gbps
    if limit is not None and average is not None and average < LITTLE * limit:
        return _verdict(
            "too-little",
            f"There was too little traffic for its distribution to matter: {busiest.name} had"
            f" {format_share(share)} of it.",
        )
    if imbalance < UNBALANCED:
        return _verdict(
            "balanced",
            f"The {len(domains)} memory domains were used equally: the busiest, {busiest.name}, had"
            f" {format_share(share)} of the traffic.",
        )
    return _verdict(
        "unbalanced",
        f"The memory domains were not used equally: {busiest.name} had {format_share(share)} of the"
        f" traffic, {imbalance:.1f} times an equal share. Let each thread touch its own part of the"
        " data first, or spread the pages with numactl --interleave=all.",
    )


def _verdict(answer: VerdictAnswer, text: str) -> Verdict:
    return Verdict(question="numa", answer=answer, text=text)
