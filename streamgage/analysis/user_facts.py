"""Facts about a machine that the user states because the records lack them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UserFacts:
    """Facts from the command line, which replace what was found.

    ``None`` stands for a fact that was not given.
    """

    peak_gbps: float | None = None
    """The theoretical peak of the memory in use, in GB/s (10^9 bytes per second)."""
    last_level_cache_bytes: int | None = None
    """The total size of the last-level caches in use."""
    cores: int | None = None
    threads: int | None = None
    array_bytes: int | None = None
    """The size of each array."""
