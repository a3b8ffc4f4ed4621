"""The levels of a device's memory: the cache that the driver names, or that a curve shows."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.cache_edge import cache_edge
from streamgage.analysis.hierarchy import LevelInUse, Mode, Rate
from streamgage.records import Device

CACHE = "cache"
"""The last one before the memory of a device."""


def claimed_levels(device: Device, mode: Mode) -> list[LevelInUse]:
    """The cache, where the driver says how large it is."""
    if not device.cache_bytes:
        return []
    return [LevelInUse(mode=mode, name=CACHE, bytes=device.cache_bytes)]


def levels_of_device(device: Device, mode: Mode, rates: Sequence[Rate]) -> list[LevelInUse]:
    """The cache; where the driver does not say how large it is, as large as the curve shows.

    Empty if neither does.
    """
    claimed = claimed_levels(device, mode)
    edge = None if claimed else cache_edge(rates)
    return claimed if edge is None else [LevelInUse(mode=mode, name=CACHE, bytes=edge)]
