"""The emulated machines with NUMA nodes, and what each was given."""

from __future__ import annotations

from dataclasses import dataclass

from guest import Machine


@dataclass(frozen=True)
class Node:
    """A NUMA node; one without CPUs is memory alone, as of a CXL device."""

    cpus: tuple[int, ...]
    mebibytes: int = 512
    """A quarter of what is free of it has to hold the chain of a measurement of latency."""


@dataclass(frozen=True)
class NumaMachine:
    """Two packages of two cores of two hardware threads, whose CPUs are numbered in that order."""

    name: str
    nodes: tuple[Node, ...]
    distances: tuple[tuple[int, ...], ...]
    """As the kernel reports them, from the node of the row to that of the column."""
    packages: int = 2
    cores_per_package: int = 2
    threads_per_core: int = 2

    @property
    def cpus(self) -> range:
        """All CPUs."""
        return range(self.packages * self.cores_per_package * self.threads_per_core)

    def package_of(self, cpu: int) -> int:
        """The package in which the CPU is."""
        return cpu // (self.cores_per_package * self.threads_per_core)

    def core_of(self, cpu: int) -> int:
        """The logical number of the CPU's core, over all packages."""
        return cpu // self.threads_per_core

    def node_of(self, cpu: int) -> int:
        """The node that the CPU belongs to."""
        return next(number for number, node in enumerate(self.nodes) if cpu in node.cpus)

    def first_cpus_of_cores(self, node: int) -> tuple[int, ...]:
        """One CPU of each core of the node."""
        return tuple(cpu for cpu in self.nodes[node].cpus if cpu % self.threads_per_core == 0)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Of the matrix: each node with CPUs, and each whose memory it is, which all have."""
        with_cpus = [number for number, node in enumerate(self.nodes) if node.cpus]
        return [(row, column) for row in with_cpus for column in range(len(self.nodes))]

    def guest(self) -> Machine:
        """The machine as QEMU gets it."""
        # The name of the vendor keeps the two threads of a core together.
        options = ["-machine", "q35", "-cpu", "max,vendor=GenuineIntel"]
        options += ["-m", f"{sum(node.mebibytes for node in self.nodes)}M", "-smp"]
        options.append(
            f"{len(self.cpus)},sockets={self.packages},cores={self.cores_per_package},"
            f"threads={self.threads_per_core}"
        )
        for number, node in enumerate(self.nodes):
            memory = f"memory{number}"
            options += ["-object", f"memory-backend-ram,id={memory},size={node.mebibytes}M"]
            cpus = "".join(f",cpus={cpu}" for cpu in node.cpus)
            options += ["-numa", f"node,nodeid={number},memdev={memory}{cpus}"]
        for source, row in enumerate(self.distances):
            for target, value in enumerate(row):
                options += ["-numa", f"dist,src={source},dst={target},val={value}"]
        return Machine(f"numa-{self.name}", "amd64", tuple(options))


FOUR_NODES = NumaMachine(
    "four-nodes",  # two packages of two nodes each
    (Node((0, 1)), Node((2, 3)), Node((4, 5)), Node((6, 7))),
    ((10, 12, 21, 21), (12, 10, 21, 21), (21, 21, 10, 12), (21, 21, 12, 10)),
)
MEMORY_ONLY = NumaMachine(
    "memory-only",  # one node per package, and memory next to the first
    (Node((0, 1, 2, 3)), Node((4, 5, 6, 7)), Node(())),
    ((10, 21, 14), (21, 10, 24), (14, 24, 10)),
)
NUMA_MACHINES = (FOUR_NODES, MEMORY_ONLY)
