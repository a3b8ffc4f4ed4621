"""The records that the engine prints: one JSON object a line, told apart by ``record``.

These types are the vocabulary that every other part shares. ``schema/records.schema.json`` is
generated from them, and each line of the engine is tested against it. Units are bytes and
seconds; lists of CPUs are OS numbers, written ``0-3,8`` where they are text.
"""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA_VERSION = 1
"""Version of plan and records; the engine refuses a plan of a newer one."""

ElementType = Literal["double", "float"]
PlacementKind = Literal["cores", "cpus", "none"]
SampleRole = Literal["warmup", "timed", "validation"]
EndReason = Literal["complete", "interrupted", "terminated", "error"]
StoppedBy = Literal["converged", "max-samples", "budget"]


class Record(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="record"
):
    """What every record has in common: the field ``record`` names its type."""


class Cache(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All caches of one level and kind that are alike."""

    level: int
    kind: Literal["data", "instruction", "unified"]
    bytes: int
    """Capacity of one instance."""
    instances: int
    line_bytes: int
    cpus: list[str]
    """The CPUs that share each instance, one list an instance."""


class NumaNode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A NUMA memory domain. A memory-only node has no CPUs (``cpus`` is empty)."""

    node: int
    cpus: str
    bytes: int | None


class CoreKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cores of one kind on a hybrid processor; ``efficiency`` ranks them, greater is faster."""

    name: str | None
    efficiency: int | None
    cpus: str


class MemoryModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One memory slot as SMBIOS describes it (type 17); an empty slot has ``bytes`` 0."""

    locator: str
    bank: str | None
    bytes: int
    kind: str | None
    width_bits: int | None
    megatransfers: int | None
    """Configured transfer rate in 10^6 transfers a second; the rated one where that is absent."""


class Machine(Record, frozen=True, kw_only=True, tag="machine"):
    """The machine and the environment, as the process sees them when it starts."""

    schema: int
    engine: str
    compiler: str
    time: str
    """Start of the run, ISO 8601, UTC."""
    host: str
    architecture: str
    processor: str | None
    packages: int
    cores: int
    hardware_threads: int
    threads_per_core: int
    caches: list[Cache]
    numa_nodes: list[NumaNode]
    core_kinds: list[CoreKind]
    """Empty where all cores are alike."""
    online_cpus: str
    allowed_cpus: str
    cpu_quota: float | None
    """CPUs' worth of time that the cgroup grants; null where there is no quota."""
    memory_bytes: int
    memory_available_bytes: int
    memory_limit_bytes: int | None
    """Strictest cgroup limit above this process; null where there is none."""
    memory_limit_free_bytes: int | None
    """What is left under that limit."""
    memory_modules: list[MemoryModule]
    memory_modules_reason: str | None
    """Why ``memory_modules`` is empty, where it is."""
    system: str | None
    """Maker and model of the computer, or of the cloud instance."""
    kernel: str
    page_bytes: int
    huge_pages: Literal["always", "madvise", "never", "unavailable"]
    huge_page_bytes: int | None
    numa_balancing: bool | None
    hypervisor: str | None


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When to stop: see ``docs/method.md`` for the rule and its sources."""

    min_samples: int
    look_every: int
    max_samples: int
    budget_seconds: float


class PlanRecord(Record, frozen=True, kw_only=True, tag="plan"):
    """The plan as it was resolved: nothing in it is left to a default."""

    kernels: list[str]
    stores: list[str] | None
    """The store modes asked for; null: the customary ones of each kernel."""
    type: ElementType
    placement: PlacementKind
    cpus: list[int] | None
    """The CPUs asked for, in thread order; null: none were named."""
    threads: int
    array_bytes: int | None
    """The size asked for each array; null: by STREAM's 4x rule."""
    huge_pages: bool
    """Whether huge pages were asked of the kernel."""
    seed: int
    sampling: Sampling


class ThreadPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a thread is bound (or was first seen, with placement ``none``)."""

    cpu: int
    core: int
    """Logical number of the physical core."""
    package: int
    node: int
    """OS number of the nearest NUMA node."""
    mask: str
    """The CPUs that the thread may run on, read back from the kernel after binding."""


class PlacementRecord(Record, frozen=True, kw_only=True, tag="placement"):
    """One entry a thread, in thread order."""

    kind: PlacementKind
    asked_threads: int
    bound: bool
    """Every thread's mask holds exactly one CPU."""
    threads: list[ThreadPlace]


class ArrayPages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was read back about one array after the first touch."""

    name: str
    huge_share: float | None
    """Share of the array in huge pages, 0 to 1; null where the kernel does not tell."""
    checked_pages: int
    remote_pages: int
    """Checked pages that lie on another node than the thread that uses them."""


class MemoryRecord(Record, frozen=True, kw_only=True, tag="memory"):
    """The arrays: how large, why, and where their pages are."""

    array_bytes: int
    elements: int
    element_bytes: int
    arrays: list[ArrayPages]
    rule_bytes: int
    """What STREAM's rule asks of an array: 4x the last-level caches in use, or 10^6 elements."""
    last_level_cache_bytes: int
    """Sum of the last-level caches that the placed threads use."""
    asked_bytes: int | None
    capped_by: Literal["available", "cgroup"] | None
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


class Kernel(Record, frozen=True, kw_only=True, tag="kernel"):
    """Facts of a kernel, from the catalogue; loads and stores are elements an iteration."""

    name: str
    formula: str
    loads: int
    stores: int
    write_allocates: bool
    """Whether the store overwrites lines that the kernel does not itself read."""
    flops: int


class Variant(Record, frozen=True, kw_only=True, tag="variant"):
    """One measured combination; samples refer to it by ``id``."""

    id: int
    kernel: str
    store: str
    type: ElementType
    isa: str
    """Instruction set of the code that runs."""
    code: str
    """What made the code: the compiler and its flags, or the library call."""


class AbsentVariant(Record, frozen=True, kw_only=True, tag="absent"):
    """A combination that was asked for and does not exist, with the reason."""

    kernel: str
    store: str
    reason: str


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed run of one variant, from the first start of a thread to the last end."""

    variant: int
    block: int
    role: SampleRole
    seconds: float
    cpus: list[int]
    """The CPU of every thread just before its part."""
    cpus_end: list[int] | None
    """The CPU of every thread just after; null where all are the same as before."""
    moved: int
    """Threads that were not on one CPU from start to end, or not on their bound CPU."""
    switches: int
    """Involuntary context switches, all threads together."""


class Validation(Record, frozen=True, kw_only=True, tag="validation"):
    """Outcome of the element-by-element check of one variant."""

    variant: int
    valid: bool
    checked: int
    """Elements compared (1 for a reduction's value)."""
    wrong: int
    first_wrong: int | None
    expected: float | None
    found: str | None
    """Text, so that NaN and infinity survive JSON."""
    spot_failures: int
    """Samples after which a spot check failed."""


class Disturbance(Record, frozen=True, kw_only=True, tag="disturbance"):
    """What else went on between two blocks; CPU-seconds on the CPUs in use."""

    first_block: int
    last_block: int
    seconds: float
    steal_seconds: float | None
    other_seconds: float | None
    """Busy time of those CPUs that was not this process; it may be slightly below zero, because
    the ticks that it is counted in are coarse."""
    throttled_seconds: float | None
    """CPU-seconds that the cgroup's CPU quota stopped its CPUs, summed over them; null where there
    is no quota."""


class End(Record, frozen=True, kw_only=True, tag="end"):
    """Last record of a run that ended by itself; a killed run has none."""

    reason: EndReason
    message: str | None
    exit_status: int
    stopped_by: StoppedBy | None
    blocks: int
    """Blocks of timed samples, warm-ups not counted."""
    seconds: float
    touch_seconds: float
    kernel_seconds: float


AnyRecord = (
    Machine
    | PlanRecord
    | PlacementRecord
    | MemoryRecord
    | Clock
    | Kernel
    | Variant
    | AbsentVariant
    | Sample
    | Validation
    | Disturbance
    | End
)
