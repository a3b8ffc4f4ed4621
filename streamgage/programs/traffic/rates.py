"""Converts the engine's intervals to rates in GB/s (10^9 bytes per second)."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.records import DomainTraffic, Interval
from streamgage.results.traffic.document import Rates, SeenInterval


def name_of(domain: DomainTraffic) -> str:
    """The engine's name for a domain: ``package 0``, ``node 1``, ``the machine``."""
    if domain.package is not None:
        return f"package {domain.package}"
    return f"node {domain.node}" if domain.node is not None else "the machine"


def domain_names(interval: Interval) -> list[str]:
    """The names of the domains; if packages have several nodes, a name has both numbers."""
    names = [name_of(domain) for domain in interval.domains]
    if len(set(names)) == len(names):
        return names
    return [
        name if domain.node is None else f"{name} node {domain.node}"
        for name, domain in zip(names, interval.domains, strict=True)
    ]


def rate(volume: float | None, seconds: float) -> float | None:
    """The rate in GB/s; ``None`` if the bytes or the time are unknown."""
    return None if volume is None or seconds <= 0 else volume / seconds / 1e9


def whole_of(values: Sequence[float | None]) -> float | None:
    """The sum; ``None`` if a part of it is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def seen_interval(interval: Interval) -> SeenInterval:
    """The rates of one interval: of each domain, and of all together."""
    domains = [
        Rates(
            read_gbps=rate(domain.bytes_read, interval.seconds),
            written_gbps=rate(domain.bytes_written, interval.seconds),
            total_gbps=rate(domain.bytes_total, interval.seconds),
            local_gbps=rate(domain.bytes_local, interval.seconds),
        )
        for domain in interval.domains
    ]
    return SeenInterval(
        start=interval.start,
        seconds=interval.seconds,
        whole=Rates(
            read_gbps=whole_of([each.read_gbps for each in domains]),
            written_gbps=whole_of([each.written_gbps for each in domains]),
            total_gbps=whole_of([each.total_gbps for each in domains]),
            local_gbps=whole_of([each.local_gbps for each in domains]),
        ),
        domains=domains,
        reasons=[domain.reason for domain in interval.domains],
    )
