"""The machine and the environment."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec

from streamgage.cpu_list import list_cpus
from streamgage.records.base import Record
from streamgage.records.quantities import (
    Amount,
    ByteCount,
    Count,
    Few,
    Members,
    Number,
    NumberList,
    NumberLists,
    Position,
    Positions,
    Time,
)


class HardwareThread(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A CPU that is online, and where it is. Numbers are logical ones but for CPU and node."""

    cpu: Position
    core: Position
    """The core's number on the whole machine; ``package`` and ``die`` count likewise."""
    smt: Position
    """Rank among the hardware threads of its core."""
    package: Position | None
    """The package; null if no known package has this CPU; likewise ``die`` and ``node``."""
    die: Position | None
    """A package of one die is that die."""
    node: Position | None
    """The nearest NUMA node that has memory."""
    kind: Position | None = None
    """Position in ``core_kinds``; null where all cores are of one kind, or where it is unknown."""


class Cache(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All caches of one level and kind that are the same."""

    level: Members
    kind: Literal["data", "instruction", "unified"]
    bytes: ByteCount
    """Capacity of one instance."""
    instances: Members
    line_bytes: ByteCount
    cpus: NumberLists
    """The CPUs that share each instance, one list per instance."""


class MemorySideCache(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Equal caches in front of memory: HBM or DRAM that caches the memory of NUMA nodes."""

    bytes: ByteCount
    """Capacity of one instance; 0 if it is not known."""
    instances: Members
    line_bytes: ByteCount
    nodes: NumberLists
    """The NUMA nodes that each instance serves, one list per instance."""


class NumaNode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A NUMA memory domain. A memory-only node has no CPUs (``cpus`` is empty)."""

    node: Position
    cpus: NumberList
    bytes: ByteCount | None
    free_bytes: ByteCount | None = None
    """Free memory without the file cache, which can make room; null if the kernel does not report
    it."""
    available_bytes: ByteCount | None = None
    """Available bytes, including the file cache; null if the kernel does not report them."""


class NumaDistances(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the firmware says of how far memory is: 10 is the own node's, 20 twice as far."""

    nodes: Positions
    rows: list[list[Count]]
    """A row for each node that accesses, with a figure for each node that is accessed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` unless there is one row, and one figure in it, per node."""
        if {len(self.nodes)} != {len(self.rows), *map(len, self.rows)}:
            raise ValueError("Expected as many rows, and figures in each row, as nodes")


class CpuSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A set of CPUs that the process is held to."""

    source: Literal["cgroup", "affinity"]
    """The cpuset of its control group, or the affinity mask that it was started with."""
    cpus: NumberList
    file: str | None
    """The file in which the control group says it."""


class CoreKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cores of one kind on a hybrid processor; ``efficiency`` ranks them, greater is faster."""

    name: str | None
    efficiency: Number | None
    cpus: NumberList


class MemoryModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One memory slot as SMBIOS describes it (type 17); an empty slot has ``bytes`` 0."""

    locator: str
    bank: str | None
    bytes: ByteCount
    kind: str | None
    width_bits: Count | None
    megatransfers: Count | None
    """Configured transfer rate in 10^6 transfers per second; the rated one where that is absent."""


class ProcessorId(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an x86 processor says of itself by CPUID; hypervisors replace its name more often."""

    vendor: str
    """``GenuineIntel``, ``AuthenticAMD`` ..."""
    family: Count
    model: Count
    stepping: Count


class Frequency(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is left of the clock frequency, of the CPUs that are held back most."""

    governor: str
    limit_hertz: Count
    """The highest that the governor may choose; ``hardware_hertz`` is the highest that there is."""
    hardware_hertz: Count
    boost: bool | None
    """``True`` if clocks above the rated one are allowed; null where the kernel does not say."""


class Machine(Record, frozen=True, kw_only=True, tag="machine"):
    """The machine and the environment, as the process sees them when it starts."""

    schema: Count
    engine: str
    compiler: str
    time: Time
    """Start of the run, ISO 8601, UTC."""
    host: str | None
    described_by: str | None = None
    """The variable (``HWLOC_SYNTHETIC`` or the like) that describes another machine, of which
    everything here is then; null where it is this system."""
    unknown: dict[str, str] = msgspec.field(default_factory=dict)
    """Why a field is empty that could say something, by the name of the field. A field that is
    empty and not named here is known to be none: no quota, no hypervisor."""
    architecture: str | None
    processor: str | None
    processor_id: ProcessorId | None = None
    """The processor's own identification; null except on x86."""
    packages: Members
    cores: Members
    hardware_threads: Members
    threads_per_core: Members
    threads: list[HardwareThread] = msgspec.field(default_factory=list)
    """Every online CPU, by package, core and rank; empty in records of older engines."""
    caches: Annotated[list[Cache], Few]
    memory_side_caches: Annotated[list[MemorySideCache], Few] = msgspec.field(default_factory=list)
    """Caches in front of memory; empty if there are none, and in records of older engines."""
    numa_nodes: list[NumaNode]
    numa_distances: NumaDistances | None = None
    """The distances; null if there is one node, or the firmware does not give all of them."""
    core_kinds: Annotated[list[CoreKind], Few]
    """The kinds of cores; empty if all are the same."""
    online_cpus: NumberList
    offline_cpus: NumberList = ""
    """There, and switched off."""
    isolated_cpus: NumberList = ""
    """Kept from ordinary processes by the kernel's command line (``isolcpus``)."""
    allowed_cpus: NumberList
    cpu_sets: Annotated[list[CpuSet], Few] = msgspec.field(default_factory=list)
    """What holds the process, the wider first; what is in all of them is allowed."""
    allowed_nodes: NumberList = ""
    """NUMA nodes from which the process may take memory; empty in records of older engines."""
    cpu_quota: Amount | None
    """CPUs' worth of time that the cgroup grants; null if there is no quota, or where ``unknown``
    says why none can be seen."""
    nice: Number | None = None
    """The engine's nice value when it started, -20 to 19: above 0, other programs come first. Null
    in records of older engines."""
    memory_bytes: ByteCount | None
    memory_available_bytes: ByteCount | None
    memory_limit_bytes: ByteCount | None
    """Strictest cgroup limit above this process; null if there is none, or where ``unknown`` says
    why none can be seen."""
    memory_limit_free_bytes: ByteCount | None
    """What is left under that limit."""
    memory_modules: list[MemoryModule]
    memory_modules_reason: str | None
    """Why ``memory_modules`` is empty, if it is."""
    system: str | None
    """Maker and model of the computer, or of the cloud instance."""
    kernel: str | None
    page_bytes: ByteCount | None
    huge_pages: Literal["always", "madvise", "never", "unavailable"] | None
    """``unavailable``: the kernel was built without them."""
    huge_page_bytes: ByteCount | None
    numa_balancing: bool | None
    frequency: Frequency | None = None
    """The frequency; null if the kernel does not control it, as in most guests."""
    hypervisor: str | None

    @property
    def data_caches(self) -> list[Cache]:
        """All caches except those for instructions."""
        return [each for each in self.caches if each.kind != "instruction"]

    @property
    def last_level_caches(self) -> list[Cache]:
        """The data caches of the highest level; empty if no cache is known."""
        last = max((each.level for each in self.data_caches), default=None)
        return [each for each in self.data_caches if each.level == last]

    @property
    def free_memory_bytes(self) -> int | None:
        """What is available, within the cgroup's limit; None if neither is known."""
        known = [self.memory_available_bytes, self.memory_limit_free_bytes]
        return min((each for each in known if each is not None), default=None)

    def memory_side_caches_of(self, cpus: Collection[int]) -> list[tuple[int, list[int]]]:
        """Bytes of each cache in front of the nodes of ``cpus``, with those that it serves.

        None of unknown size, and none in records that do not say which node a CPU is of.
        """
        node_of = {each.cpu: each.node for each in self.threads}
        found = []
        for cache in self.memory_side_caches:
            for nodes in cache.nodes:
                behind = set(list_cpus(nodes))
                served = [cpu for cpu in cpus if node_of.get(cpu) in behind]
                if cache.bytes and served:
                    found.append((cache.bytes, served))
        return found

    def last_caches_before_memory(self, cpus: Collection[int] | None = None) -> int:
        """Bytes of the last caches between these CPUs (all) and their nodes' memory, in sum.

        Memory-side caches of the nodes where those have any, else the CPUs' last-level caches.
        """
        known = {each.cpu for each in self.threads} or set(list_cpus(self.online_cpus))
        wanted = known if cpus is None else set(cpus)
        in_front = self.memory_side_caches_of(wanted)
        near = wanted.difference(*(served for _, served in in_front))
        return sum(size for size, _ in in_front) + sum(
            each.bytes
            for each in self.last_level_caches
            for cpus_of in each.cpus
            if near & set(list_cpus(cpus_of))
        )
