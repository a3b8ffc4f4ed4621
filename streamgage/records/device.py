"""The device that was measured instead of the processor: what its driver reports, and its clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    CountFrom1,
    Difference,
    Duration,
    Hertz,
    MembersFrom0,
    Position,
    Seconds,
)
from streamgage.records.warnings import IN_READINGS, SLOWED_BY, SlowReason
from streamgage.units import count

_Few = Annotated[int, msgspec.Meta(ge=1, le=1 << 20)]
DeviceId = Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,16}:[0-9]{1,6}\Z")]
"""The name of a device on the command line: ``cuda:0``."""


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
    hint: Literal["none", "streaming"]
    """``streaming``: what is loaded and stored is not to stay in the caches."""
    stages: Annotated[int, msgspec.Meta(ge=0, le=1 << 10)]
    """The stages of a ring in the memory of a group, which bulk copies fill. Each holds the vectors
    of all its loads. 0: work-items load from the memory of the device."""


class Device(Record, frozen=True, kw_only=True, tag="device"):
    """The device as its driver describes it.

    Null stands for facts that the driver does not report.
    """

    id: DeviceId
    name: str
    vendor: str
    driver: str
    """The platform with its version, and the version of the driver."""
    interface: str
    """By which it is driven: ``OpenCL``, ``CUDA`` or ``HIP``."""
    kind: Literal["gpu", "cpu", "accelerator", "other"]
    architecture: str | None
    """As its compiler calls it: ``sm_90``, ``gfx942``."""
    slice: str | None
    """Of a GPU that is divided, such as ``MIG 1g.10gb`` or ``CPX/NPS4``: it has a part of its
    memory and cores."""
    compute_units: Count | None
    clock_hertz: Hertz | None
    """The highest clock of its cores, as the driver reports it."""
    memory_bytes: ByteCount | None
    largest_array_bytes: ByteCount | None
    cache_bytes: ByteCount | None
    """The size of its last-level cache. OpenCL does not say it of a GPU."""
    rule_cache_bytes: ByteCount
    """The size of cache that arrays and working sets are made for. It is a large one if the driver
    does not say how large the cache is."""
    line_bytes: ByteCount | None = None
    """Of a line of its cache."""
    memory_clock_hertz: Hertz | None
    """The highest clock of its memory, in which two transfers are made."""
    memory_bus_bits: CountFrom1 | None
    has_ecc: bool | None
    """Whether its memory corrects errors."""
    has_double: bool
    shares_host_memory: bool
    pci_address: str | None = None
    """Where it is plugged in: ``0000:3b:00.0``."""
    uuid: str | None = None
    """As the vendor's tools show it: ``GPU-`` and digits, or ``MIG-`` and digits of a slice."""
    numa_node: Position | None = None
    """OS number of the nearest NUMA node; null: the system does not say it."""

    @property
    def title(self) -> str:
        """``NVIDIA H100 (opencl:0)``."""
        return f"{self.name} ({self.id})"


LinkPath = Literal["peer-access", "through-host"]
"""How copies get from one device to another: straight to its memory, or through the host's."""


class Peer(Record, frozen=True, kw_only=True, tag="peer"):
    """The second device of a run that measures copies between two."""

    id: str
    to_peer: LinkPath
    """How copies from the first device get to it."""
    from_peer: LinkPath


class Devices(Record, frozen=True, kw_only=True, tag="devices"):
    """The devices that a name stands for; printed by ``streamgage-engine --devices``."""

    name: str
    """``gpu``: all GPUs; ``all``; or the name of one."""
    devices: list[Device]
    reasons: list[str]
    """Why drivers have no device, a sentence each."""


class SlowedBy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What kept the clocks of a device below the highest, as its driver says it."""

    reason: SlowReason
    readings: CountFrom1
    """In so many of the readings."""


def kept_low_by(slowed_by: Sequence[SlowedBy], readings: int) -> str:
    """``its power limit (in 3 of 12 readings)``."""
    return ", ".join(
        IN_READINGS.format(SLOWED_BY[each.reason], each.readings, count(readings, "reading"))
        for each in slowed_by
    )


class DeviceState(Record, frozen=True, kw_only=True, tag="device-state"):
    """How a device ran, read right after samples; null: its driver does not say it."""

    readings: CountFrom1
    core_hertz_low: Hertz | None
    core_hertz_high: Hertz | None
    memory_hertz_low: Hertz | None
    memory_hertz_high: Hertz | None
    watts_high: Amount | None
    limit_watts: Amount | None
    """What it may draw."""
    celsius_high: Difference | None
    other_processes: MembersFrom0 | None
    """The most that had it open to compute."""
    slowed_by: list[SlowedBy]


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
