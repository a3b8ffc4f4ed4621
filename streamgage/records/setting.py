"""What was settled before the first sample: plan, placement, arrays, clock."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import ElementType, NumberList, PlacementKind, Record
from streamgage.records.machine import HardwareThread
from streamgage.records.own import OwnKernelAsked

_Distance = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]


class AccessShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In what order a vector kernel walks a thread's part of the arrays."""

    streams: Annotated[int, msgspec.Meta(ge=1, le=1 << 20)] = 1
    """Places of the part that are walked at once."""
    block_bytes: _Distance = 0
    """Distance between neighbouring streams; 0: each has one contiguous share of the part."""
    read_prefetch_bytes: _Distance | None = None
    """How far ahead of the loads lines are prefetched; null: not at all."""
    write_prefetch_bytes: _Distance | None = None
    """How far ahead of ordinary stores lines are prefetched for writing, or claimed."""


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When to stop: see ``docs/method.md`` for the rule and its sources."""

    min_samples: int
    look_every: int
    max_samples: int
    budget_seconds: float
    epoch_blocks: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    """Timed blocks after which the arrays are allocated afresh, to see what another placement of
    their pages changes; null: never."""


class LoadAsked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the loading threads were to do."""

    mixes: list[str]
    shares: list[float]
    seconds: float


class Label(Record, frozen=True, kw_only=True, tag="label"):
    """What the user calls the run; the front writes it before the records of the engine."""

    text: str


class PlanRecord(Record, frozen=True, kw_only=True, tag="plan"):
    """The plan as it was resolved: nothing in it is left to a default."""

    kernels: list[str]
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
    kernel_timeout_seconds: float | None = None
    """How long a run of one of them may take; null where there are none."""
    tuning_seconds: float | None = None
    """Time for the search of shapes; null: none were searched."""
    checks: bool = False
    """Whether that was measured, too, which interpretation needs: forced reads, load and triad with
    one thread and with half of them, and the idle latency of memory."""
    idle_latency: bool = False
    """Whether the idle latency was asked for by name."""
    core_clock: bool = False
    """Whether the clock of a core was measured."""
    counters: bool = False
    """Whether what crosses the memory bus was to be counted."""
    peak_bytes_per_second: float | None = None
    """The theoretical peak that counters were held against; null: none was given."""
    type: ElementType
    placement: PlacementKind
    cpus: list[int] | None
    """The CPUs asked for, in thread order; null: none were named."""
    expression: str | None = None
    """The placement expression that ``cpus`` was read from; null: there was none."""
    oversubscribe: bool = False
    """A CPU could be given to more than one thread."""
    threads: int
    array_bytes: int | None
    """The size asked for each array; null: by STREAM's 4x rule, or by the working set."""
    working_set_bytes: int | None = None
    """The size asked for all arrays that the kernel uses, together."""
    huge_pages: bool
    """Whether huge pages were asked of the kernel."""
    memory_nodes: list[int] | None = None
    """The NUMA nodes that memory was bound to, ascending; null: to none."""
    seed: int
    sampling: Sampling


class LatencyPlanRecord(Record, frozen=True, kw_only=True, tag="latency-plan"):
    """The plan of a run that measures latency, as it was resolved."""

    chain_bytes: list[int]
    load: LoadAsked | None
    rounds: int
    seed: int
    threads: int
    huge_pages: bool


class ThreadPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a thread is bound (or was first seen, with placement ``none``)."""

    cpu: int
    core: int
    """Logical number of the physical core."""
    package: int
    node: int
    """OS number of the nearest NUMA node."""
    mask: NumberList
    """The CPUs that the thread may run on, read back from the kernel after binding."""
    rank: int | None = None
    """The MPI rank that it is of; null in a run of one process."""
    host: str | None = None


class RankPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An MPI rank and its process."""

    rank: int
    host: str
    pid: int


class Expansion(Record, frozen=True, kw_only=True, tag="expansion"):
    """What a placement expression stands for; printed by ``streamgage-engine --expand``."""

    expression: str
    cpus: list[int]
    """One CPU a thread, in thread order."""
    this_system: bool
    """False for a topology that HWLOC_* variables asked for: nothing can run there."""
    online_cpus: NumberList
    allowed: list[HardwareThread]
    """Package by package, core by core, the hardware threads of a core side by side."""


class PlacementRecord(Record, frozen=True, kw_only=True, tag="placement"):
    """One entry a thread, in thread order."""

    kind: PlacementKind
    asked_threads: int
    bound: bool
    """Every thread's mask holds exactly one CPU."""
    threads: list[ThreadPlace]
    """Of all ranks in their order, where there are ranks."""
    ranks: list[RankPlace] | None = None
    """Null in a run of one process."""
    openmp: str | None = None
    """The library that provided the OpenMP runtime; null where that is not known."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the ranks, in the order of their first one; none without ranks."""
        return tuple(dict.fromkeys(each.host for each in self.ranks or ()))

    @property
    def cpus_in_use(self) -> int:
        """CPUs that have a thread, those of all hosts together."""
        return len({(place.host, place.cpu) for place in self.threads})

    @property
    def cores_in_use(self) -> int:
        """Cores that have a thread, those of all hosts together."""
        return len({(place.host, place.core) for place in self.threads})


class ArrayPages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was read back about one array after the first touch."""

    name: str
    """Of a user's own kernel "kernel.array"."""
    huge_share: float | None
    """Share of the array in huge pages, 0 to 1; null where the kernel does not tell."""
    checked_pages: int
    remote_pages: int
    """Checked pages that lie on another node than the thread that uses them; of bound memory those
    on another node than it is bound to."""


class MemoryRecord(Record, frozen=True, kw_only=True, tag="memory"):
    """The arrays: how large, why, and where their pages are."""

    epoch: int = 0
    """Number of the allocation; the engine writes one such record for each."""
    array_bytes: int
    elements: int
    element_bytes: int
    nodes: list[int] | None = None
    """The NUMA nodes that the arrays are bound to; null: pages lie where they are first touched."""
    arrays: list[ArrayPages]
    rule_bytes: int
    """What STREAM's rule asks of an array: 4x the last-level caches in use, or 10^6 elements."""
    last_level_cache_bytes: int
    """Sum of the last-level caches that the placed threads use."""
    asked_bytes: int | None
    capped_by: Literal["available", "cgroup", "nodes"] | None
    cap_bytes: int | None
    """What the cap leaves for each array."""
    touch_seconds: float
    pages_reason: str | None
    """Why no page could be checked, where ``checked_pages`` is 0."""


class Clock(Record, frozen=True, kw_only=True, tag="clock"):
    """The clock: its granularity is the smallest difference between two unlike readings."""

    source: str
    granularity_seconds: float
    overhead_seconds: float


class CoreClock(Record, frozen=True, kw_only=True, tag="core-clock"):
    """The clock at which the first thread's core ran, measured right after the kernels.

    By a chain of additions that take a cycle each; null on processors of which that is not known.
    """

    hertz: float | None
    cpu: int
