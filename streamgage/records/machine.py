"""The machine and the environment."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.base import Record


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


class Frequency(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is left of the clock frequency, of the CPUs that are held back most."""

    governor: str
    limit_hertz: int
    """The highest that the governor may choose; ``hardware_hertz`` is the highest that there is."""
    hardware_hertz: int
    boost: bool | None
    """Whether clocks above the rated one are allowed; null where the kernel does not tell."""


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
    frequency: Frequency | None = None
    """Null where the kernel governs no frequency, as in most guests."""
    hypervisor: str | None
