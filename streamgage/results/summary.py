"""What lists and searches show of a stored result without reading it.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting. Unknown values are ``None``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.analysis.trust import Verdict
from streamgage.records.quantities import ByteCount, Count, Rate, RateFrom0, Time

State = Literal["complete", "partial", "invalid"]
"""``partial``: it was stopped, or its records are cut off. ``invalid``: a kernel computed something
wrong."""


class SummaryRate(msgspec.Struct, frozen=True, kw_only=True):
    """One figure: a kernel's rate in a run, or its best rate (or that of memory) in a series."""

    kernel: str
    """The kernel, or ``program`` for a program of the user's own."""
    store: str
    """Its kind of stores, or the program's command."""
    isa: str | None = None
    tuned: bool = False
    type: str | None = None
    threads: Count | None = None
    """The number of threads or ranks."""
    n: Count | None = None
    """The number of samples; in a series, of rounds."""
    best_gbps: Rate | None = None
    median_gbps: Rate | None = None
    low_gbps: RateFrom0 | None = None
    high_gbps: RateFrom0 | None = None
    hardware_gbps: RateFrom0 | None = None
    """The real traffic on the memory bus in GB/s."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one result."""

    kind: str
    """The command that measured it."""
    started: Time | None
    """When it was started: ISO 8601, UTC."""
    host: str | None
    processor: str | None
    label: str | None = None
    """The user's label for the result."""
    tool: str | None
    """The other benchmark that printed it; ``None`` for streamgage itself."""
    threads: Count | None
    array_bytes: ByteCount | None
    array_setup: str | None = None
    """The alignment and the first contents of arrays in words, if the user chose them."""
    state: State
    trust: Verdict = "quotable"
    """How far the figures can be trusted."""
    rates: list[SummaryRate]
    """Those of the kernel that stands for the result come first."""

    @property
    def set_up(self) -> tuple[str | int | None, ...]:
        """What results that were measured in the same way have in common."""
        types = sorted({each.type for each in self.rates if each.type is not None})
        return (
            *(self.host, self.processor, self.kind, self.tool, self.threads),
            *(self.array_bytes, self.array_setup, *types),
        )

    @property
    def is_sound(self) -> bool:
        """Return whether its figures can be relied on."""
        return self.state == "complete" and self.trust != "not-quotable"

    @property
    def medians(self) -> dict[str, float]:
        """The untuned rates in GB/s by kernel and kind of store, such as ``triad plain``."""
        return {
            f"{each.kernel} {each.store}": each.median_gbps
            for each in self.rates
            if not each.tuned and each.median_gbps
        }

    @property
    def main_kernel(self) -> str | None:
        """The kernel that stands for it, with its kind of store."""
        return next(iter(self.medians), None)


class Entry(Summary, frozen=True, kw_only=True):
    """A result in a store."""

    id: Count
    added: Time
    """When it was added to the store: ISO 8601, UTC."""
    bytes: ByteCount
    """The size of the files that it was made from, uncompressed."""


def rate_of(kernel: str, store: str, threads: int | None, n: int, gbps: Estimate) -> SummaryRate:
    """Make the figure of a series over ``n`` rounds, or ``n`` points of a plateau."""
    return SummaryRate(
        kernel=kernel,
        store=store,
        threads=threads,
        n=n,
        median_gbps=gbps.value,
        low_gbps=gbps.low,
        high_gbps=gbps.high,
    )
