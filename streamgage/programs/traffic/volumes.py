"""Sums up the traffic: bytes, averages over time, and the busiest interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from streamgage.programs.traffic.rates import domain_names, rate, whole_of
from streamgage.records import DomainTraffic, Interval
from streamgage.results.traffic.document import Rates, Volume

SHORT = 0.5
"""An interval shorter than this share of the median length cannot be the busiest. The last,
incomplete one may last microseconds, and a single burst in it can have any rate."""


@dataclass(frozen=True)
class _MovedBytes:
    """The bytes of one interval; the total is ``None`` if it could not be counted."""

    seconds: float
    read: float | None
    written: float | None
    total: float | None
    local: float | None


def volumes(intervals: Sequence[Interval]) -> tuple[Volume, list[Volume]]:
    """Sum up all domains together, and each; all intervals must have the same domains."""
    names = domain_names(intervals[0]) if intervals else []
    domains = [
        _domain_volume(name, intervals, [each.domains[number] for each in intervals])
        for number, name in enumerate(names)
    ]
    shares = _shares(intervals)
    domains = [
        msgspec.structs.replace(domain, share=share)
        for domain, share in zip(domains, shares, strict=True)
    ]
    reason = next((domain.reason for domain in domains if domain.reason), None)
    whole = _volume("together", [_together(each) for each in intervals], reason)
    return _with_bytes_of(whole, domains), domains


def _with_bytes_of(whole: Volume, domains: Sequence[Volume]) -> Volume:
    """Return ``whole`` with all counted bytes, also those of intervals that lack a domain."""
    return msgspec.structs.replace(
        whole,
        bytes_read=whole_of([domain.bytes_read for domain in domains]),
        bytes_written=whole_of([domain.bytes_written for domain in domains]),
        bytes_total=whole_of([domain.bytes_total for domain in domains]),
        bytes_local=whole_of([domain.bytes_local for domain in domains]),
    )


def _shares(intervals: Sequence[Interval]) -> list[float | None]:
    """Each domain's share of the bytes in the intervals in which every domain was counted."""
    totals = [[domain.bytes_total for domain in interval.domains] for interval in intervals]
    whole = [[each for each in row if each is not None] for row in totals if None not in row]
    sums = [sum(column) for column in zip(*whole, strict=True)]
    if not sum(sums):
        return [None] * len(intervals[0].domains) if intervals else []
    return [each / sum(sums) for each in sums]


def _domain_volume(
    name: str, intervals: Sequence[Interval], domains: Sequence[DomainTraffic]
) -> Volume:
    moved = [
        _MovedBytes(
            interval.seconds,
            each.bytes_read,
            each.bytes_written,
            each.bytes_total,
            each.bytes_local,
        )
        for interval, each in zip(intervals, domains, strict=True)
    ]
    return _volume(name, moved, next((each.reason for each in domains if each.reason), None))


def _together(interval: Interval) -> _MovedBytes:
    return _MovedBytes(
        interval.seconds,
        whole_of([domain.bytes_read for domain in interval.domains]),
        whole_of([domain.bytes_written for domain in interval.domains]),
        whole_of([domain.bytes_total for domain in interval.domains]),
        whole_of([domain.bytes_local for domain in interval.domains]),
    )


def _volume(name: str, moved: Sequence[_MovedBytes], reason: str | None) -> Volume:
    counted = [each for each in moved if each.total is not None]
    seconds = sum(each.seconds for each in counted)
    read = whole_of([each.read for each in counted])
    written = whole_of([each.written for each in counted])
    total = whole_of([each.total for each in counted])
    local = whole_of([each.local for each in counted])
    return Volume(
        name=name,
        bytes_read=read,
        bytes_written=written,
        bytes_total=total,
        bytes_local=local,
        average=Rates(
            read_gbps=rate(read, seconds),
            written_gbps=rate(written, seconds),
            total_gbps=rate(total, seconds),
            local_gbps=rate(local, seconds),
        ),
        peak_gbps=_peak(counted),
        share=None,
        lost_seconds=sum(each.seconds for each in moved if each.total is None),
        reason=reason,
    )


def _peak(counted: Sequence[_MovedBytes]) -> float | None:
    usual = median(each.seconds for each in counted) if counted else 0.0
    rates = [rate(each.total, each.seconds) for each in counted if each.seconds >= SHORT * usual]
    return max((each for each in rates if each is not None), default=None)
