"""What was settled before the first sample: plan, placement, arrays, clock."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import ElementType, Init, PlacementKind, Record
from streamgage.records.device import DeviceShape
from streamgage.records.machine import HardwareThread
from streamgage.records.own import OwnKernelAsked
from streamgage.records.quantities import (
    ByteAmount,
    ByteCount,
    Count,
    Duration,
    Hertz,
    Members,
    Number,
    NumberList,
    Position,
    Positions,
    Seat,
    Seconds,
    Share,
)

_Distance = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]

OVER_CACHES = 4
"""STREAM's rule: an array is so many times as large as the last-level caches in use."""


class AccessShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order in which a vector kernel walks a thread's part of the arrays, or a device all."""

    streams: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)] = 1
    """Places of the part that are walked at once."""
    block_bytes: _Distance = 0
    """Distance between neighbouring streams; 0: each has one contiguous share of the part."""
    read_prefetch_bytes: _Distance | None = None
    """How far ahead of the loads lines are prefetched; null: not at all."""
    write_prefetch_bytes: _Distance | None = None
    """How far ahead of ordinary stores lines are prefetched for writing, or claimed."""
    device: DeviceShape | msgspec.UnsetType = msgspec.UNSET
    """Of a device, where nothing else of the shape applies; absent for a processor."""


class Tier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is measured before everything that comes later: some kernels with some stores."""

    kernels: list[str]
    """The first ones are taken if there is no time for all."""
    stores: list[str] | None = None
    """Store modes; null: all."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When to stop: see ``docs/method.md`` for the rule and its sources."""

    min_samples: Count
    look_every: Count
    max_samples: Count
    budget_seconds: Duration
    epoch_blocks: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    """Timed blocks after which the arrays are allocated afresh, to see what another placement of
    their pages changes; null: never."""


class LoadAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the loading threads were to do."""

    mixes: list[str]
    shares: list[Share]
    seconds: Seconds


class Label(Record, frozen=True, kw_only=True, tag="label"):
    """What the user calls the run; the front writes it before the records of the engine."""

    text: str


class PlanRecord(Record, frozen=True, kw_only=True, tag="plan"):
    """The plan as it was resolved: nothing in it is left to a default."""

    kernels: list[str]
    copies: bool = False
    """``True`` if these are copies between the host and a device."""
    evidence: list[str] = msgspec.field(default_factory=list)
    """Kernels that were added to these to show what crossed the memory bus in them. Where counters
    showed that, they were not measured."""
    stores: list[str] | None
    """The store modes asked for; null: the customary ones of each kernel."""
    isas: list[str] | None = None
    """The instruction sets asked for; null: the best that the processor has."""
    shape: AccessShape | None = None
    """A shape given by hand, measured next to the default one."""
    plain_library: str | None = None
    """What compiled the plain kernels, where they were not the engine's own."""
    own_kernels: list[OwnKernelAsked] | None = None
    """The user's own kernels that the plan names; ``kernels`` has their names, too; null: none."""
    kernel_timeout_seconds: Seconds | None = None
    """How long a run of one of them may take; null if there are none."""
    tuning_seconds: Duration | None = None
    """Time for the search of shapes; null: none were searched."""
    checks: bool = False
    """``True`` if that was measured, too, which interpretation needs: forced reads, load and triad
    with one thread and with half of them, and the idle latency of memory."""
    idle_latency: bool = False
    """``True`` if the idle latency was asked for by name."""
    core_clock: bool = False
    """``True`` if the clock of a core was measured."""
    counters: bool = False
    """``True`` if what crosses the memory bus was to be counted."""
    peak_bytes_per_second: ByteAmount | None = None
    """The theoretical peak that counters were held against; null: none was given."""
    type: ElementType
    init: Init = "pattern"
    """What the arrays held at first."""
    alignment_bytes: ByteCount | None = None
    """The power of two asked for, at a multiple of which arrays start; null: none was named."""
    placement: PlacementKind
    cpus: Positions | None
    """The CPUs asked for, in thread order; null: none were named."""
    expression: str | None = None
    """The placement expression that ``cpus`` was read from; null: there was none."""
    oversubscribe: bool = False
    """A CPU could be given to more than one thread."""
    threads: Members
    array_bytes: ByteCount | None
    """The size asked for each array; null: by STREAM's 4x rule, or by the working set."""
    working_set_bytes: ByteCount | None = None
    """The size asked for all arrays that the kernel uses, together."""
    last_level_cache_bytes: ByteCount | None = None
    """The caches that STREAM's rule was to count; null: those that the machine reports."""
    huge_pages: bool
    """``True`` if huge pages were asked of the kernel."""
    memory_nodes: Positions | None = None
    """The NUMA nodes that memory was bound to, ascending; null: to none."""
    seed: Number
    sampling: Sampling
    tiers: list[Tier] = msgspec.field(default_factory=list)
    """What was measured first, and next; then the budget was that of the whole run. Empty: all
    variants were measured together."""


class LatencyPlanRecord(Record, frozen=True, kw_only=True, tag="latency-plan"):
    """The plan of a run that measures latency, as it was resolved."""

    chain_bytes: list[ByteCount]
    load: LoadAsked | None
    rounds: Members
    seed: Number
    threads: Members
    huge_pages: bool


class ThreadPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place where a thread is bound (or was first seen, with placement ``none``)."""

    cpu: Seat
    core: Seat
    """Logical number of the physical core."""
    package: Seat
    node: Seat
    """OS number of the nearest NUMA node."""
    mask: NumberList
    """The CPUs that the thread may run on, read back from the kernel after binding."""
    rank: Position | None = None
    """The MPI rank that it is of; null in a run of one process."""
    host: str | None = None


class RankPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An MPI rank and its process."""

    rank: Position
    host: str
    pid: Count


class Expansion(Record, frozen=True, kw_only=True, tag="expansion"):
    """What a placement expression stands for; printed by ``streamgage-engine --expand``."""

    expression: str
    cpus: Positions
    """One CPU a thread, in thread order."""
    this_system: bool
    """False for a topology that HWLOC_* variables asked for: nothing can run there."""
    online_cpus: NumberList
    allowed: list[HardwareThread]
    """Package by package, core by core, the hardware threads of a core side by side."""


class Catalogue(Record, frozen=True, kw_only=True, tag="catalogue"):
    """The names that a plan may have; printed by ``streamgage-engine --catalogue``."""

    kernels: list[str]
    stores: list[str]
    """Kinds of store, such as ``plain``."""


class PlacementRecord(Record, frozen=True, kw_only=True, tag="placement"):
    """One entry a thread, in thread order."""

    kind: PlacementKind
    asked_threads: Members
    bound: bool
    """Every thread's mask holds exactly one CPU."""
    threads: list[ThreadPlace]
    """Places of the threads; with ranks, those of all ranks in order."""
    ranks: list[RankPlace] | None = None
    """The ranks; null in a run of one process."""
    mpi: str | None = None
    """The MPI library of the ranks, for example "Open MPI v4.1.4 (libmpi.so.40)"; null without
    ranks."""
    openmp: str | None = None
    """The library that provided the OpenMP runtime; null if that is not known."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the ranks, in the order of their first one; none without ranks."""
        return tuple(dict.fromkeys(each.host for each in self.ranks or ()))


class ArrayPages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was read back about one array after the first touch."""

    name: str
    """Name of the array; "kernel.array" for a user's own kernel."""
    huge_share: Share | None
    """Share of the array in huge pages, 0 to 1; null where the kernel does not report it."""
    checked_pages: Count
    remote_pages: Count
    """Checked pages that lie on another node than the thread that uses them; for bound memory,
    those on a node that it is not bound to."""
    alignment_bytes: ByteCount | None = None
    """The greatest power of two at a multiple of which the array starts, read from its address."""


class MemoryRecord(Record, frozen=True, kw_only=True, tag="memory"):
    """The arrays: how large, why, and where their pages are."""

    epoch: Count = 0
    """Number of the allocation; the engine writes one such record for each."""
    array_bytes: ByteCount
    elements: Count
    element_bytes: ByteCount
    nodes: Positions | None = None
    """The NUMA nodes that the arrays are bound to; null: pages lie where they are first touched."""
    arrays: list[ArrayPages]
    rule_bytes: ByteCount
    """What STREAM's rule asks of an array: 4x the last-level caches in use, or 10^6 elements."""
    last_level_cache_bytes: ByteCount
    """Sum of the last-level caches that the placed threads use."""
    asked_bytes: ByteCount | None
    capped_by: Literal["available", "cgroup", "nodes"] | None
    cap_bytes: ByteCount | None
    """What the cap leaves for each array."""
    touch_seconds: Duration
    pages_reason: str | None
    """Why no page could be checked, where ``checked_pages`` is 0."""


class Clock(Record, frozen=True, kw_only=True, tag="clock"):
    """The clock: its granularity is the smallest difference between two unlike readings."""

    source: str
    granularity_seconds: Duration
    overhead_seconds: Duration


class CoreClock(Record, frozen=True, kw_only=True, tag="core-clock"):
    """The clock at which the first thread's core ran, measured right after the kernels.

    Measured by a chain of additions that take a cycle each. ``hertz`` is null on processors if it
    is not known that they do.
    """

    hertz: Hertz | None
    cpu: Position
