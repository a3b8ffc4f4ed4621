"""What was settled before the first sample: plan, placement, arrays, clock."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import ElementType, Init, PageSize, PlacementKind, Record
from streamgage.records.device import DeviceShape
from streamgage.records.machine import HardwareThread
from streamgage.records.own import OwnKernelRequest
from streamgage.records.quantities import (
    LEFT_OUT,
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
    Some,
)

Samples = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""A number of samples."""
_Distance = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]

OVER_CACHES = 4
"""STREAM's rule: an array is at least this many times as large as the last-level caches in use."""


class AccessShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order in which a vector kernel walks through each thread's part of the arrays.

    On a device it walks through all of them.
    """

    streams: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)] = 1
    """The number of places in the part that are walked at the same time."""
    block_bytes: _Distance = 0
    """The distance between neighbouring streams in bytes; 0 if each has one contiguous share of the
    part."""
    read_prefetch_bytes: _Distance | None = None
    """How many bytes ahead of the loads lines are prefetched; null if they are not."""
    write_prefetch_bytes: _Distance | None = None
    """How many bytes ahead of ordinary stores lines are prefetched for writing, or claimed; null if
    they are not."""
    device: DeviceShape | msgspec.UnsetType = msgspec.UNSET
    """The shape on a device, for which nothing else here applies; absent for a processor."""


class Tier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kernels and stores that are measured before those of later tiers."""

    kernels: Annotated[list[str], Some]
    """The kernels; if there is no time for all of them, the first ones are measured."""
    stores: Annotated[list[str], Some] | None = None
    """The store modes; null means all of them."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule for when to stop; ``docs/method.md`` explains it and gives its sources."""

    min_samples: Samples = 20
    """The samples before the first look at whether they are settled."""
    look_every: Samples = 10
    """The samples from one look to the next."""
    max_samples: Samples = 300
    """The most samples of a variant."""
    budget_seconds: Seconds = 33.0
    """The seconds for all samples together, including warm-ups."""
    epoch_blocks: Samples | None = None
    """The number of timed blocks after which the arrays are allocated again, which shows the effect
    of other pages. Null if they never are."""


class LoadRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The loads that the loading threads were asked to generate."""

    mixes: list[str]
    shares: list[Share]
    seconds: Seconds


class Label(Record, frozen=True, kw_only=True, tag="label"):
    """The user's name for the run; the Python front writes it before the records of the engine."""

    text: str


class PlanRecord(Record, frozen=True, kw_only=True, tag="plan"):
    """The plan with all defaults filled in."""

    kernels: list[str]
    copies: bool = False
    """``True`` if these are copies between the host and a device."""
    evidence: list[str] = msgspec.field(default_factory=list)
    """Kernels that were added to show what crossed the memory bus in the others. They were not
    measured if counters showed that."""
    stores: list[str] | None
    """The store modes that were requested; null means the customary ones of each kernel."""
    isas: list[str] | None = None
    """The instruction sets that were requested; null means the best one of the processor."""
    shape: AccessShape | None = None
    """A shape that the user gave, measured next to the default one."""
    plain_library: str | None = None
    """The compiler of the plain kernels, if they were not compiled with the engine."""
    own_kernels: list[OwnKernelRequest] | None = None
    """The user's own kernels in the plan, whose names are also in ``kernels``; null if there are
    none."""
    kernel_timeout_seconds: Seconds | None = None
    """The time limit for one run of an own kernel; null if there are none."""
    tuning_seconds: Duration | None = None
    """The time for the search of shapes; null if none were searched."""
    checks: bool = False
    """``True`` if the extra measurements for the interpretation were made: forced reads, load and
    triad with one thread and with half of them, and the idle latency of memory."""
    idle_latency: bool = False
    """``True`` if the user asked for the idle latency."""
    stream_view: bool = False
    """``True`` if what STREAM itself would print was to be measured, too."""
    core_clock: bool = False
    """``True`` if the clock of a core was measured."""
    counters: bool = False
    """``True`` if counters were to count the bytes that cross the memory bus."""
    peak_bytes_per_second: ByteAmount | None = None
    """The theoretical peak against which counters were checked; null if none was given."""
    type: ElementType
    init: Init = "pattern"
    """What the arrays held at first."""
    alignment_bytes: ByteCount | None = None
    """The requested alignment: arrays start at a multiple of this power of two. Null if none was
    given."""
    placement: PlacementKind
    cpus: Positions | None
    """The requested CPUs, in thread order; null if none were named."""
    expression: str | None = None
    """The placement expression that ``cpus`` comes from; null if there was none."""
    oversubscribe: bool = False
    """``True`` if several threads could share a CPU."""
    threads: Members
    array_bytes: ByteCount | None
    """The requested size of each array; null if STREAM's 4x rule or the working set determines
    it."""
    working_set_bytes: ByteCount | None = None
    """The requested size of all arrays of a kernel together."""
    last_level_cache_bytes: ByteCount | None = None
    """The last-level caches to use in STREAM's rule; null means those that the machine reports."""
    pages: PageSize
    """The pages that were asked for."""
    memory_nodes: Positions | None = None
    """The NUMA nodes that memory was bound to, ascending; null if it was not bound."""
    seed: Number
    sampling: Sampling
    tiers: list[Tier] = msgspec.field(default_factory=list)
    """What was measured first, second and so on; the time budget then covers the whole run. If
    empty, all variants were measured together."""


class LatencyPlanRecord(Record, frozen=True, kw_only=True, tag="latency-plan"):
    """The plan of a run that measures latency, with all defaults filled in."""

    chain_bytes: list[ByteCount]
    load: LoadRequest | None
    rounds: Members
    seed: Number
    threads: Members
    pages: PageSize


class ThreadPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place where a thread is bound, or was first seen if its placement is ``none``."""

    cpu: Seat
    core: Seat
    """The logical number of the physical core."""
    package: Seat
    node: Seat
    """The system's number of the nearest NUMA node."""
    mask: NumberList
    """The CPUs that the thread may run on, read back from the kernel after binding."""
    rank: Annotated[Position, LEFT_OUT] | None = None
    """The MPI rank of the thread; null in a run of one process."""
    host: Annotated[str, LEFT_OUT] | None = None


class RankPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An MPI rank and its process."""

    rank: Position
    host: str
    pid: Count


class Expansion(Record, frozen=True, kw_only=True, tag="expansion"):
    """The CPUs that a placement expression stands for. ``streamgage-engine --expand`` prints it."""

    expression: str
    cpus: Positions
    """The CPU of each thread, in thread order."""
    this_system: bool
    """``False`` if HWLOC_* variables describe another machine, on which nothing can run here."""
    online_cpus: NumberList
    allowed: list[HardwareThread]
    """The hardware threads that may be used, sorted by package and core."""


class Catalogue(Record, frozen=True, kw_only=True, tag="catalogue"):
    """The names that a plan may use, as ``streamgage-engine --catalogue`` prints them."""

    kernels: list[str]
    stores: list[str]
    """The kinds of store, such as ``plain``."""


class PlacementRecord(Record, frozen=True, kw_only=True, tag="placement"):
    """The placement: one entry per thread, in thread order."""

    kind: PlacementKind
    asked_threads: Members
    bound: bool
    """``True`` if every thread may run on exactly one CPU."""
    threads: list[ThreadPlace]
    """The places of the threads; with ranks, those of all ranks in order."""
    ranks: Annotated[list[RankPlace], LEFT_OUT] | None = None
    """The MPI ranks; null in a run of one process."""
    mpi: Annotated[str, LEFT_OUT] | None = None
    """The MPI library of the ranks, for example "Open MPI v4.1.4 (libmpi.so.40)"; null without
    ranks."""
    openmp: str | None = None
    """The library that provided the OpenMP runtime; null if that is not known."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the ranks, in the order of their first rank; empty without ranks."""
        return tuple(dict.fromkeys(each.host for each in self.ranks or ()))


class ArrayPages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts about one array, read back after the first touch."""

    name: str
    """The name of the array; "kernel.array" for a user's own kernel."""
    huge_share: Share | None
    """The share of the array in huge pages, 0 to 1; null if the kernel does not report it."""
    checked_pages: Count
    remote_pages: Count
    """The number of checked pages that lie on another node than the thread that uses them. For
    bound memory: on a node that it is not bound to."""
    alignment_bytes: ByteCount | None = None
    """The greatest power of two that divides the array's address."""


class MemoryRecord(Record, frozen=True, kw_only=True, tag="memory"):
    """The arrays: how large they are, why, and where their pages are."""

    epoch: Count = 0
    """The number of the allocation, from 0; the engine writes one such record for each."""
    array_bytes: ByteCount
    elements: Count
    element_bytes: ByteCount
    nodes: Positions | None = None
    """The NUMA nodes that the arrays are bound to; null if pages lie where they are first
    touched."""
    arrays: list[ArrayPages]
    rule_bytes: ByteCount
    """The array size that STREAM's rule requires: 4x the last-level caches in use, or 10^6
    elements."""
    last_level_cache_bytes: ByteCount
    """The sum of the last-level caches that the placed threads use."""
    asked_bytes: ByteCount | None
    capped_by: Literal["available", "cgroup", "nodes"] | None
    cap_bytes: ByteCount | None
    """The size that the memory limit leaves for each array; null if nothing limits it."""
    touch_seconds: Duration
    pages_reason: str | None
    """Why no page could be checked; null if ``checked_pages`` is above 0."""


class Clock(Record, frozen=True, kw_only=True, tag="clock"):
    """The clock. Its granularity is the smallest difference between two different readings."""

    source: str
    granularity_seconds: Duration
    overhead_seconds: Duration


class CoreClock(Record, frozen=True, kw_only=True, tag="core-clock"):
    """The frequency at which the first thread's core ran, measured right after the kernels.

    It is timed by a chain of additions that take a cycle each. ``hertz`` is null on processors for
    which that is not known.
    """

    hertz: Hertz | None
    cpu: Position
