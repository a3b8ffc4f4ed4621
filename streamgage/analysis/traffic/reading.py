"""A meaning of a table whose rates do not decide it, as results hold it."""

from __future__ import annotations

import msgspec

from streamgage.records.quantities import Count, RateFrom0, Share


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One meaning of a table: which kernels read their lines, and what then crossed the bus."""

    full: list[str]
    """Kernels that read every line that they overwrite; the others read none."""
    gbps: dict[str, RateFrom0]
    """What crossed the memory bus in each kernel, GB/s."""
    spread: RateFrom0
    """By what share the greatest exceeds the least; a copy by ``memcpy`` does not count."""
    of_reads: RateFrom0 | None = None
    """Their mean over what a kernel that only reads reaches."""
    weight: Share
    """The part of the evidence that speaks for it: 0.75 is 3:1."""
    above_peak: bool = False


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of a table, that without any read first."""

    readings: list[Reading]
    likely: Count | None = None
    """Which of them is likely, from 0; null: none."""
    apart: str | None = None
    """The kernel that takes no part in the agreement of the others."""
    peak_below_gbps: RateFrom0 | None = None
    """A theoretical peak below this excludes the reading with more bytes."""
