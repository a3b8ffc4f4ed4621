"""The device that was measured instead of the processor: what its driver reports, and its clock."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import ByteCount, Count, Duration, Hertz, Seconds

_Few = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]


class DeviceShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the work-items of a device walk the arrays."""

    vector_bytes: _Few
    """The bytes of one load or store of a work-item."""
    loads: _Few
    """The number of loads from each array that a work-item has in flight before it computes."""
    group_items: _Few
    """The number of work-items in a group."""
    groups: _Few | None
    """The number of groups that step through the arrays together. Null means one pass, in which
    each group works at one place."""


class Device(Record, frozen=True, kw_only=True, tag="device"):
    """The device as its driver describes it.

    Null stands for facts that the driver does not report.
    """

    id: str
    """Its name on the command line: ``opencl:0``."""
    name: str
    vendor: str
    driver: str
    """The platform with its version, and the version of the driver."""
    kind: Literal["gpu", "cpu", "accelerator", "other"]
    compute_units: Count | None
    clock_hertz: Hertz | None
    """The highest clock of its cores, as the driver reports it."""
    memory_bytes: ByteCount | None
    largest_array_bytes: ByteCount | None
    cache_bytes: ByteCount | None
    """The size of its last-level cache."""
    has_double: bool
    shares_host_memory: bool


class DeviceClock(Record, frozen=True, kw_only=True, tag="device-clock"):
    """The clock that times the samples, and the cost of a launch.

    ``event_seconds`` and ``host_seconds`` time the same launches: by the device's time stamps and
    by the host's clock. The stamps are believed if the two agree.
    """

    timed_by: Literal["events", "host"]
    tick_seconds: Duration
    """The resolution of the device's time stamps, as the driver reports it; 0 if unknown."""
    launch_seconds: Seconds
    """The median time from the launch of an empty kernel until the host knows that it has ended."""
    event_seconds: Duration | None
    """Null if the device gives no time stamps."""
    host_seconds: Seconds
