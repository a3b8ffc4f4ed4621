"""Facts about a machine that the user gave and the records do not contain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Given:
    """Facts from the command line, which go before what was found; None: not given."""

    peak_gbps: float | None = None
    """Theoretical peak of the memory in use, GB/s (10^9 bytes per second)."""
    last_level_cache_bytes: int | None = None
    """Sum of the last-level caches in use."""
    cores: int | None = None
    threads: int | None = None
    array_bytes: int | None = None
    """Bytes of each array."""
