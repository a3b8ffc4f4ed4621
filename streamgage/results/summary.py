"""What is known of a stored result without reading it: what lists and searches show.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. What is not known is ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Verdict
from streamgage.records.quantities import ByteCount, Count, Rate, RateFrom0, Time

State = Literal["complete", "partial", "invalid"]
"""``partial``: it was stopped, or its records are cut off; ``invalid``: a result was wrong."""


class SummaryRate(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: a kernel's rate in a run, or the best rate (or that of memory) in a series."""

    kernel: str
    store: str
    isa: str | None = None
    tuned: bool = False
    type: str | None = None
    threads: Count | None = None
    """Or ranks."""
    n: Count | None = None
    """Samples, or in a series rounds."""
    best_gbps: Rate | None = None
    median_gbps: Rate | None = None
    low_gbps: RateFrom0 | None = None
    high_gbps: RateFrom0 | None = None
    hardware_gbps: RateFrom0 | None = None
    """What crossed the memory bus."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one result."""

    kind: str
    """The command that measured it."""
    started: Time | None
    """ISO 8601, UTC."""
    host: str | None
    processor: str | None
    label: str | None = None
    """What the user calls it."""
    tool: str | None
    """The other benchmark whose output it is; ``None`` for streamgage itself."""
    threads: Count | None
    array_bytes: ByteCount | None
    array_setup: str | None = None
    """The start and the first contents of arrays in words, if the user chose them."""
    state: State
    trust: Verdict = "quotable"
    """How far the figures can be trusted."""
    rates: list[SummaryRate]


class Entry(Summary, frozen=True, kw_only=True):
    """A result in a store."""

    id: Count
    added: Time
    """When it came into the store; ISO 8601, UTC."""
    bytes: ByteCount
    """Size of what it was made from, uncompressed."""


def rate_of(kernel: str, store: str, threads: int | None, n: int, gbps: Estimate) -> SummaryRate:
    """The figure of a series: ``n`` rounds, or points of a plateau."""
    return SummaryRate(
        kernel=kernel,
        store=store,
        threads=threads,
        n=n,
        median_gbps=gbps.value,
        low_gbps=gbps.low,
        high_gbps=gbps.high,
    )
