"""The machine and its environment."""

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
    """An online CPU and its place. All numbers are logical, except those of CPU and node."""

    cpu: Position
    core: Position
    """The core's number on the whole machine. ``package`` and ``die`` are counted in the same
    way."""
    smt: Position
    """Rank among the hardware threads of its core."""
    package: Position | None
    """The package; null if no known package has this CPU. The same holds for ``die`` and
    ``node``."""
    die: Position | None
    """The die; a package with only one die counts as that die."""
    node: Position | None
    """The nearest NUMA node that has memory."""
    kind: Position | None = None
    """The position of its kind in ``core_kinds``; null if all cores are of one kind, or it is
    unknown."""


class Cache(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All caches of one level and type that have the same size."""

    level: Members
    kind: Literal["data", "instruction", "unified"]
    bytes: ByteCount
    """The capacity of one cache."""
    instances: Members
    line_bytes: ByteCount
    cpus: NumberLists
    """The CPUs that share each cache, one list per cache."""


class MemorySideCache(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Equal caches in front of memory: HBM or DRAM that caches the memory of NUMA nodes."""

    bytes: ByteCount
    """The capacity of one cache; 0 if it is unknown."""
    instances: Members
    line_bytes: ByteCount
    nodes: NumberLists
    """The NUMA nodes whose memory each cache holds, one list per cache."""


class NumaNode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A NUMA memory domain. A memory-only node has no CPUs (``cpus`` is empty)."""

    node: Position
    cpus: NumberList
    bytes: ByteCount | None
    free_bytes: ByteCount | None = None
    """Free memory without the file cache, which can be dropped; null if the kernel does not report
    it."""
    available_bytes: ByteCount | None = None
    """Available memory with the file cache; null if the kernel does not report it."""
    kind: Literal["MCDRAM", "GPU memory"] | None = None
    """``MCDRAM`` or ``GPU memory``; null for ordinary memory, and if the system does not say."""


class NumaDistances(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The distances of memory by the firmware's figures: 10 is the own node, 20 is twice as far."""

    nodes: Positions
    rows: list[list[Count]]
    """One row per node that accesses, with one distance per node that is accessed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` unless there is one row, and one figure in it, per node."""
        if {len(self.nodes)} != {len(self.rows), *map(len, self.rows)}:
            raise ValueError("Expected as many rows, and figures in each row, as nodes")


class CpuSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A set of CPUs to which the process is confined."""

    source: Literal["cgroup", "affinity"]
    """What confines it: the cpuset of its control group, or the affinity mask it was started
    with."""
    cpus: NumberList
    file: str | None
    """The file in which the control group's cpuset is; null for the affinity mask."""


class CoreKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of cores on a hybrid processor. Kinds with a greater ``efficiency`` are faster."""

    name: str | None
    efficiency: Number | None
    cpus: NumberList


FASTEST_MEGATRANSFERS = 20_000
"""More than any memory has: MRDIMM have 12,800, and HBM3E less."""
_SLOWEST = {"DDR3": 800, "DDR4": 1333, "DDR5": 3200}
"""The lowest rates that JEDEC's standards and makers of modules name."""


class MemoryModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One memory slot as SMBIOS (type 17) describes it; an empty slot has ``bytes`` 0."""

    locator: str
    bank: str | None
    bytes: ByteCount
    kind: str | None
    width_bits: Count | None
    """The data width; ``None`` if it is unknown. Some firmware counts the bits of ECC, too."""
    megatransfers: Count | None
    """The transfer rate that the firmware has set, in 10^6 transfers per second; ``None`` if it is
    unknown."""
    rated_megatransfers: Count | None = None
    """The highest rate that the module is made for."""

    @property
    def rate(self) -> int | None:
        """The rate that the module runs at, or if that is unknown the highest it can."""
        return self._runs_at or self.rated_megatransfers

    @property
    def is_rated_only(self) -> bool:
        """``True`` if it is not known at which rate the module runs."""
        return self._runs_at is None

    @property
    def _runs_at(self) -> int | None:
        """Some firmware gives the clock, which is half of the rate, or what no memory has."""
        rate = self.megatransfers
        if rate is None or rate > FASTEST_MEGATRANSFERS:
            return None
        return 2 * rate if rate < _SLOWEST.get(self.kind or "", 0) else rate


class ProcessorId(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The CPUID of an x86 processor. Hypervisors change it less often than the processor's name."""

    vendor: str
    """The vendor: ``GenuineIntel``, ``AuthenticAMD`` and so on."""
    family: Count
    model: Count
    stepping: Count


class Frequency(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of the clock frequency, for the CPUs with the lowest limit."""

    governor: str
    limit_hertz: Count
    """The highest frequency that the governor may choose. ``hardware_hertz`` is the highest
    possible."""
    hardware_hertz: Count
    boost: bool | None
    """``True`` if clocks above the rated one are allowed; null if the kernel does not report it."""


class Machine(Record, frozen=True, kw_only=True, tag="machine"):
    """The machine and its environment, as the process sees them when it starts."""

    schema: Count
    engine: str
    compiler: str
    time: Time
    """The start of the run: ISO 8601, UTC."""
    host: str | None
    described_by: str | None = None
    """The variable, such as ``HWLOC_SYNTHETIC``, that describes another machine; all facts here are
    then about that machine. Null if they are about this system."""
    unknown: dict[str, str] = msgspec.field(default_factory=dict)
    """Why a field is empty although it could hold something, by the name of the field. An empty
    field that is not listed here is known to be empty, such as the quota or the hypervisor."""
    architecture: str | None
    processor: str | None
    processor_id: ProcessorId | None = None
    """The processor's own identification; null except on x86."""
    packages: Members
    cores: Members
    hardware_threads: Members
    threads_per_core: Members
    threads: list[HardwareThread] = msgspec.field(default_factory=list)
    """All online CPUs, by package, core and rank; empty in records of older engines."""
    caches: Annotated[list[Cache], Few]
    memory_side_caches: Annotated[list[MemorySideCache], Few] = msgspec.field(default_factory=list)
    """The caches in front of memory; empty if there are none, and in records of older engines."""
    numa_nodes: list[NumaNode]
    numa_distances: NumaDistances | None = None
    """The distances between nodes; null if there is one node, or the firmware does not give all."""
    core_kinds: Annotated[list[CoreKind], Few]
    """The kinds of cores; empty if all are of one kind."""
    online_cpus: NumberList
    offline_cpus: NumberList = ""
    """The CPUs that exist but are switched off."""
    isolated_cpus: NumberList = ""
    """The CPUs that the kernel's command line (``isolcpus``) keeps free of ordinary processes."""
    allowed_cpus: NumberList
    cpu_sets: Annotated[list[CpuSet], Few] = msgspec.field(default_factory=list)
    """The sets that confine the process, the widest first. A CPU in all of them is allowed."""
    allowed_nodes: NumberList = ""
    """The NUMA nodes from which the process may take memory; empty in records of older engines."""
    cpu_quota: Amount | None
    """The number of CPUs whose time the cgroup grants. Null if there is no quota, or if ``unknown``
    says why none can be seen."""
    nice: Number | None = None
    """The engine's nice value when it started, -20 to 19; above 0, other programs have priority.
    Null in records of older engines."""
    memory_bytes: ByteCount | None
    memory_available_bytes: ByteCount | None
    memory_limit_bytes: ByteCount | None
    """The strictest cgroup limit on this process. Null if there is none, or if ``unknown`` says why
    none can be seen."""
    memory_limit_free_bytes: ByteCount | None
    """The memory that is left under that limit."""
    memory_modules: list[MemoryModule]
    memory_modules_reason: str | None
    """Why ``memory_modules`` is empty; null if it is not."""
    system: str | None
    """The maker and model of the computer, or the type of the cloud instance."""
    kernel: str | None
    page_bytes: ByteCount | None
    huge_pages: Literal["always", "madvise", "never", "unavailable"] | None
    """The kernel's setting for transparent huge pages; ``unavailable`` if it was built without
    them."""
    huge_page_bytes: ByteCount | None
    numa_balancing: bool | None
    frequency: Frequency | None = None
    """The clock frequency; null if the kernel does not control it, as in most guests."""
    hypervisor: str | None

    @property
    def data_caches(self) -> list[Cache]:
        """All caches except those for instructions only."""
        return [each for each in self.caches if each.kind != "instruction"]

    @property
    def last_level_caches(self) -> list[Cache]:
        """The data caches of the highest level; empty if no cache is known."""
        last = max((each.level for each in self.data_caches), default=None)
        return [each for each in self.data_caches if each.level == last]

    @property
    def free_memory_bytes(self) -> int | None:
        """The memory that is available within the cgroup's limit, in bytes.

        ``None`` if it is unknown.
        """
        known = [self.memory_available_bytes, self.memory_limit_free_bytes]
        return min((each for each in known if each is not None), default=None)

    def memory_side_caches_of(self, cpus: Collection[int]) -> list[tuple[int, list[int]]]:
        """The caches in front of the memory of the nodes of ``cpus``: the bytes and nodes of each.

        Caches of unknown size are left out. The list is empty for records that do not say which
        node a CPU belongs to.
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
        """The total bytes of the last caches between these CPUs and their memory.

        These are the memory-side caches of their nodes if there are any, else the last-level
        caches. ``cpus``: ``None`` means all.
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
