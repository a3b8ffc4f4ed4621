"""The bytes of a traffic record, summed over all memory domains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.statistics.intervals import median
from streamgage.records import Traffic
from streamgage.records.quantities import Amount, ByteAmount, Count


class CountedTraffic(msgspec.Struct, frozen=True, kw_only=True):
    """The counters' figures for one pass of a variant, as medians over the groups of samples.

    They are bytes; ``None`` if the source only counts reads and writes together.
    """

    source: str
    replayed: bool
    samples: Count
    bytes_read: ByteAmount | None
    bytes_written: ByteAmount | None
    bytes_total: ByteAmount
    reads_per_write: Amount | None
    """The bytes read per byte written; ``None`` also if nothing was written."""
    running_share: Amount
    """The least share of the time in which the events really counted; below 1 they took turns."""


@dataclass(frozen=True)
class Volume:
    """The bytes of one record.

    ``read`` and ``written`` are ``None`` if the source only has totals.
    """

    record: Traffic
    read: float | None
    written: float | None
    total: float


def volume_of(record: Traffic) -> Volume | str:
    """The volume of all domains together, or the reason if one of them was lost."""
    for domain in record.domains:
        if domain.bytes_total is None:
            return domain.reason or "a memory domain could not be read"
    if not record.domains:
        return "no memory domain was counted"
    return Volume(
        record,
        _sum([domain.bytes_read for domain in record.domains]),
        _sum([domain.bytes_written for domain in record.domains]),
        math.fsum(domain.bytes_total or 0.0 for domain in record.domains),
    )


def complete_volumes(records: Sequence[Traffic]) -> tuple[list[Volume], str | None]:
    """The volumes that are complete, and the first reason why one is not."""
    found = [volume_of(record) for record in records]
    reasons = (each for each in found if isinstance(each, str))
    return [each for each in found if isinstance(each, Volume)], next(reasons, None)


def of_one_pass(volumes: Sequence[Volume]) -> CountedTraffic | None:
    """The traffic of one pass, from the medians over ``volumes``; ``None`` if there are none."""
    if not volumes:
        return None
    total = median(sorted(each.total / each.record.passes for each in volumes))
    read = _median_of_known([_per_pass(each.read, each) for each in volumes])
    written = _median_of_known([_per_pass(each.written, each) for each in volumes])
    records = [each.record for each in volumes]
    return CountedTraffic(
        source=records[0].source,
        replayed=any(record.replayed for record in records),
        samples=sum(record.samples for record in records),
        bytes_read=read,
        bytes_written=written,
        bytes_total=total,
        reads_per_write=_ratio(read, written, total),
        running_share=min(record.running_share for record in records),
    )


_LEAST_WRITTEN = 0.05
"""The share of the traffic below which writes cannot be the kernel's."""


def _ratio(read: float | None, written: float | None, total: float) -> float | None:
    if read is None or written is None or written <= _LEAST_WRITTEN * total:
        return None
    return read / written


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return math.fsum(known) if len(known) == len(parts) else None


def _per_pass(amount: float | None, volume: Volume) -> float | None:
    return None if amount is None else amount / volume.record.passes


def _median_of_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(sorted(known)) if len(known) == len(values) else None
