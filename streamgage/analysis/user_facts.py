"""What the user says of a machine that the records do not tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Given:
    """Facts from the command line, which go before what was found; null: not said."""

    peak_gbps: float | None = None
    """Theoretical peak of the memory in use, GB/s (10^9 bytes a second)."""
    last_level_cache_bytes: int | None = None
    """Sum of the last-level caches in use."""
    cores: int | None = None
    threads: int | None = None
    array_bytes: int | None = None
    """Bytes of each array."""
