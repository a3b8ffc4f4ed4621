"""A device that was measured in place of the processor: what its driver says, and its clock."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import ByteCount, Count, Duration, Hertz, Seconds

_Few = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]


class DeviceShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the work-items of a device walk the arrays."""

    vector_bytes: _Few
    """Of one load or store of a work-item."""
    loads: _Few
    """Loads of each array that a work-item has in flight before it computes."""
    group_items: _Few
    """Work-items of a group."""
    groups: _Few | None
    """Groups that go through the arrays in steps; null: one pass, in which each works at one place.
    """


class Device(Record, frozen=True, kw_only=True, tag="device"):
    """The device, as its driver describes it; null: the driver does not say it."""

    id: str
    """As it is named on the command line: ``opencl:0``."""
    name: str
    vendor: str
    driver: str
    """The platform and its version, and that of the driver."""
    kind: Literal["gpu", "cpu", "accelerator", "other"]
    compute_units: Count | None
    clock_hertz: Hertz | None
    """The highest clock of its cores, as the driver has it."""
    memory_bytes: ByteCount | None
    largest_array_bytes: ByteCount | None
    cache_bytes: ByteCount | None
    """Of the last level before its memory."""
    has_double: bool
    shares_host_memory: bool


class DeviceClock(Record, frozen=True, kw_only=True, tag="device-clock"):
    """Which clock times the samples, and what a launch costs.

    ``event_seconds`` and ``host_seconds`` are of the same launches, by the device's stamps and by
    the host's clock. The stamps are believed where the two agree.
    """

    timed_by: Literal["events", "host"]
    tick_seconds: Duration
    """Resolution of the device's stamps, as the driver has it; 0: not known."""
    launch_seconds: Seconds
    """From the launch of a kernel that does nothing until the host knows that it ended: the median.
    """
    event_seconds: Duration | None
    """Null where the device gives no stamps."""
    host_seconds: Seconds
