"""The two possible meanings of a table whose rates do not show which stores read their lines."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from streamgage.records.quantities import Count, RateFrom0
from streamgage.units import format_range, format_share, listed


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One meaning of a table: which kernels read their lines, and the real traffic if they do."""

    full: list[str]
    """The kernels that read every line that they overwrite; the others read none."""
    gbps: dict[str, RateFrom0]
    """The real traffic of each kernel in GB/s."""
    spread: RateFrom0
    """The share by which the greatest traffic exceeds the least, without a copy by ``memcpy``."""
    of_reads: RateFrom0 | None = None
    """The mean traffic as a share of the rate of a kernel that only reads."""
    weight: Annotated[float, Meta(ge=0, lt=1)]
    """The weight of the evidence for it, as a share: 0.75 is 3:1."""
    above_peak: bool = False

    @property
    def crossed(self) -> str:
        """The real traffic of its kernels in words: ``115 to 123 GB/s``."""
        return format_range(min(self.gbps.values()), max(self.gbps.values()))


class Readings(msgspec.Struct, frozen=True, kw_only=True):
    """The two readings of a table; the first is the one in which no line is read."""

    readings: Annotated[list[Reading], Meta(min_length=2, max_length=2)]
    likely: Count | None = None
    """The index of the likely reading; null if neither is likely."""
    apart: str | None = None
    """The kernel that is left out of the agreement of the others; null if there is none."""
    peak_below_gbps: RateFrom0 | None = None
    """A theoretical peak below this excludes the reading with more bytes."""

    @property
    def evidence(self) -> str:
        """The strength of the evidence for the more likely reading, in words."""
        none, full = self.readings
        most = max(self.readings, key=lambda each: each.weight)
        odds = most.weight / (1 - most.weight)
        which = "reading their lines" if most is full else "reading none of their lines"
        names = listed([name for name in none.gbps if name != self.apart])
        parts = [
            f"{names} agree within {format_share(full.spread)} if they read what they overwrite,"
            f" and within {format_share(none.spread)} if not"
        ]
        if none.of_reads is not None and full.of_reads is not None:
            parts.append(
                f"the two cases give {format_share(full.of_reads)} and"
                f" {format_share(none.of_reads)} of the bandwidth of a kernel that only reads;"
                " 92 % is usual"
            )
        if self.apart == "copy":
            parts.append("copy differs from scale, so their stores differ")
        if full.above_peak:
            parts.append("the first case exceeds the peak")
        shown = "more than 100" if odds > 100 else f"{odds:.2g}"
        return f"{'; '.join(parts)}: the odds are {shown}:1 for {which}"
