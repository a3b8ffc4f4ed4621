"""Makes topologies of invented machines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, product
from typing import Any

from example_machines import GIB
from example_records import MACHINE
from msgspec.structs import replace

from streamgage.cpu_list import format_cpu_list
from streamgage.records import (
    Cache,
    CoreKind,
    CpuSet,
    HardwareThread,
    Machine,
    NumaDistances,
    NumaNode,
)

KIB = 1 << 10
MIB = 1 << 20


@dataclass(frozen=True)
class Counts:
    """The number of parts of each kind in the part around them."""

    packages: int = 1
    dies: int = 1
    nodes: int = 1
    """In each die."""
    l3: int = 1
    cores: int = 2
    smt: int = 1
    adjacent: bool = False
    """``True`` if siblings have neighbouring numbers; else second ones follow all first ones."""


def regular(counts: Counts, **fields: Any) -> Machine:  # noqa: ANN401 - any field of the record
    """A machine of equal parts."""
    threads = _threads(counts)
    nodes = sorted({thread.node for thread in threads if thread.node is not None})
    home = {number: [t.cpu for t in threads if t.node == number] for number in nodes}
    values: dict[str, Any] = {
        "packages": counts.packages,
        "cores": len({thread.core for thread in threads}),
        "hardware_threads": len(threads),
        "threads_per_core": counts.smt,
        "threads": threads,
        "caches": _caches(counts, threads),
        "numa_nodes": [
            NumaNode(
                node=number,
                cpus=format_cpu_list(home[number]),
                bytes=64 * GIB,
                free_bytes=60 * GIB - number * GIB // 2,
            )
            for number in nodes
        ],
        "numa_distances": _distances(counts, nodes),
        "online_cpus": format_cpu_list(thread.cpu for thread in threads),
        "allowed_cpus": format_cpu_list(thread.cpu for thread in threads),
        "allowed_nodes": format_cpu_list(nodes),
        "memory_bytes": 64 * GIB * len(nodes),
        "memory_available_bytes": 60 * GIB * len(nodes),
    }
    return replace(MACHINE, **(values | fields))


def _threads(counts: Counts) -> list[HardwareThread]:
    places = product(range(counts.packages), range(counts.dies), range(counts.nodes))
    threads = []
    cores = count()
    per_node = counts.l3 * counts.cores
    total = counts.packages * counts.dies * counts.nodes * per_node
    for package, die, node in places:
        for core in (next(cores) for _ in range(per_node)):
            for rank in range(counts.smt):
                die_number = package * counts.dies + die
                threads.append(
                    HardwareThread(
                        cpu=core * counts.smt + rank if counts.adjacent else rank * total + core,
                        core=core,
                        smt=rank,
                        package=package,
                        die=die_number,
                        node=die_number * counts.nodes + node,
                        kind=None,
                    )
                )
    return threads


def _caches(counts: Counts, threads: list[HardwareThread]) -> list[Cache]:
    own: dict[int, list[int]] = {}
    shared: dict[int, list[int]] = {}
    for thread in threads:
        own.setdefault(thread.core, []).append(thread.cpu)
        shared.setdefault(thread.core // counts.cores, []).append(thread.cpu)
    return [
        cache(1, "data", 32 * KIB, *own.values()),
        cache(1, "instruction", 64 * KIB, *own.values()),
        cache(2, "unified", 512 * KIB, *own.values()),
        cache(3, "unified", 8 * MIB, *shared.values()),
    ]


def cache(level: int, kind: Any, size: int, *shared_by: list[int]) -> Cache:  # noqa: ANN401
    """Caches that are alike."""
    cpus = [format_cpu_list(each) for each in shared_by]
    return Cache(level=level, kind=kind, bytes=size, instances=len(cpus), line_bytes=64, cpus=cpus)


def _distances(counts: Counts, nodes: list[int]) -> NumaDistances | None:
    if len(nodes) < 2:
        return None
    of_package = counts.dies * counts.nodes

    def far(one: int, other: int) -> int:
        if one == other:
            return 10
        return 16 if one // of_package == other // of_package else 32

    return NumaDistances(nodes=nodes, rows=[[far(a, b) for b in nodes] for a in nodes])


def two_sockets() -> Machine:
    """Two packages of four cores with two hardware threads each."""
    return regular(Counts(packages=2, cores=4, smt=2), processor="Example 9000 (2 packages)")


def two_epyc_7451() -> Machine:
    """48 cores in eight NUMA nodes; every three share an L3."""
    counts = Counts(packages=2, dies=4, l3=2, cores=3, smt=2)
    return regular(counts, processor="AMD EPYC 7451 24-Core Processor")


def large() -> Machine:
    """1,024 CPUs."""
    return regular(Counts(packages=4, nodes=4, cores=32, smt=2), processor="Example 9000 (large)")


def hybrid() -> Machine:
    """Two P-cores and four E-cores share an L3; two slow ones do not, and CPU 8 is barred."""
    kinds = ["IntelLowPower", "IntelAtom", "IntelCore"]
    of_cpu = [2, 2, 2, 2, 1, 1, 1, 1, 0, 0]
    of_core = [0, 0, 1, 1, 2, 3, 4, 5, 6, 7]
    threads = [
        HardwareThread(
            cpu=cpu, core=core, smt=cpu % 2 if cpu < 4 else 0, package=0, die=0, node=0, kind=kind
        )
        for cpu, (core, kind) in enumerate(zip(of_core, of_cpu, strict=True))
    ]
    return replace(
        MACHINE,
        processor="Example hybrid",
        cores=8,
        hardware_threads=10,
        threads_per_core=2,
        threads=threads,
        caches=[
            cache(1, "data", 48 * KIB, [0, 1], [2, 3]),
            cache(1, "data", 32 * KIB, *[[cpu] for cpu in range(4, 10)]),
            cache(2, "unified", 4 * MIB, [4, 5, 6, 7]),
            cache(2, "unified", 2 * MIB, [0, 1], [2, 3], [8, 9]),
            cache(3, "unified", 24 * MIB, list(range(8))),
        ],
        numa_nodes=[NumaNode(node=0, cpus="0-9", bytes=32 * GIB, free_bytes=20 * GIB)],
        core_kinds=[
            CoreKind(
                name=name,
                efficiency=place,
                cpus=format_cpu_list(cpu for cpu, kind in enumerate(of_cpu) if kind == place),
            )
            for place, name in enumerate(kinds)
        ],
        online_cpus="0-9",
        allowed_cpus="0-7,9",
        allowed_nodes="0",
        cpu_sets=[CpuSet(source="affinity", cpus="0-7,9", file=None)],
    )


def memory_only() -> Machine:
    """Two nodes with CPUs, two of fast memory beside them, and one of far memory; gaps between."""
    made = regular(Counts(nodes=2, cores=2), processor="Example with HBM")
    nodes = [0, 1, 2, 3, 8]
    rows = [
        [10, 20, 13, 23, 40],
        [20, 10, 23, 13, 40],
        [13, 23, 10, 33, 50],
        [23, 13, 33, 10, 50],
        [40, 40, 50, 50, 10],
    ]
    extra = [
        NumaNode(node=2, cpus="", bytes=16 * GIB, free_bytes=15 * GIB),
        NumaNode(node=3, cpus="", bytes=16 * GIB, free_bytes=15 * GIB),
        NumaNode(node=8, cpus="", bytes=256 * GIB, free_bytes=None),
    ]
    return replace(
        made,
        numa_nodes=[*made.numa_nodes, *extra],
        numa_distances=NumaDistances(nodes=nodes, rows=rows),
        allowed_nodes="0-3",
    )


def restricted() -> Machine:
    """Two sockets of which a cpuset leaves one, and an affinity mask half of that."""
    return replace(
        two_sockets(),
        allowed_cpus="0-1,8-9",
        allowed_nodes="0",
        offline_cpus="16-17",
        cpu_sets=[
            CpuSet(
                source="cgroup",
                cpus="0-3,8-11",
                file="/sys/fs/cgroup/job/cpuset.cpus.effective",
            ),
            CpuSet(source="affinity", cpus="0-1,8-9", file=None),
        ],
        cpu_quota=2.5,
        memory_limit_bytes=32 * GIB,
        memory_limit_free_bytes=31 * GIB,
    )


ALL = {
    "two-sockets": two_sockets,
    "epyc-7451": two_epyc_7451,
    "hybrid": hybrid,
    "memory-only": memory_only,
    "restricted": restricted,
    "large": large,
}
