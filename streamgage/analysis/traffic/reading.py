"""A meaning of a table whose rates do not decide it, as results hold it."""

from __future__ import annotations

import msgspec

from streamgage.records.quantities import Count, RateFrom0, Share


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One meaning of a table: the kernels that read their lines, and the real traffic then."""

    full: list[str]
    """Kernels that read every line that they overwrite; the others read none."""
    gbps: dict[str, RateFrom0]
    """The real traffic of each kernel, GB/s."""
    spread: RateFrom0
    """The share by which the greatest exceeds the least, without a copy by ``memcpy``."""
    of_reads: RateFrom0 | None = None
    """Their mean over what a kernel that only reads reaches."""
    weight: Share
    """The part of the evidence that speaks for it: 0.75 is 3:1."""
    above_peak: bool = False


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of a table, that without any read first."""

    readings: list[Reading]
    likely: Count | None = None
    """The index of the likely reading; null: none."""
    apart: str | None = None
    """The kernel that takes no part in the agreement of the others."""
    peak_below_gbps: RateFrom0 | None = None
    """A theoretical peak below this excludes the reading with more bytes."""
