"""The contents of each package, NUMA node and kind of cores."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from streamgage.cpu_list import format_cpu_list, list_cpus
from streamgage.records import CoreKind, HardwareThread, Machine, NumaNode


@dataclass(frozen=True)
class Package:
    """One package, with its cores, CPUs and NUMA nodes."""

    number: int
    dies: int
    nodes: str
    """The system's numbers of the NUMA nodes to which its CPUs belong."""
    cores: int
    cpus: str


@dataclass(frozen=True)
class Node:
    """One NUMA node, with its CPUs and its memory."""

    node: NumaNode
    cores: int
    may_use: bool
    """``True`` if the process may take memory from it."""


@dataclass(frozen=True)
class Kind:
    """One kind of cores on a hybrid processor."""

    kind: CoreKind
    cores: int


def packages(machine: Machine) -> list[Package]:
    """List the packages by their number."""
    numbers = {each.package for each in machine.threads if each.package is not None}
    return [_package(machine, number) for number in sorted(numbers)]


def cpus_of_no_package(machine: Machine) -> str:
    """List the CPUs that belong to no known package; empty if every CPU belongs to one."""
    return format_cpu_list(each.cpu for each in machine.threads if each.package is None)


def nodes(machine: Machine) -> list[Node]:
    """List the NUMA nodes by their number."""
    allowed = set(list_cpus(machine.allowed_nodes))
    return [
        Node(
            node,
            cores=_count_cores(_threads(machine, list_cpus(node.cpus))),
            may_use=not allowed or node.node in allowed,
        )
        for node in machine.numa_nodes
    ]


def kinds(machine: Machine) -> list[Kind]:
    """List the kinds of cores, the fastest first; empty if all cores are of one kind."""
    known = [
        Kind(kind, _count_cores(_threads(machine, list_cpus(kind.cpus))))
        for kind in machine.core_kinds
    ]
    return sorted(known, key=lambda each: -(each.kind.efficiency or 0))


def count_dies(machine: Machine) -> int:
    """Count the dies of the machine. A package that names no die counts as one."""
    return len({each.die for each in machine.threads if each.die is not None})


def _package(machine: Machine, number: int) -> Package:
    threads = [thread for thread in machine.threads if thread.package == number]
    cpus = {thread.cpu for thread in threads}
    at_home = [node.node for node in machine.numa_nodes if cpus & set(list_cpus(node.cpus))]
    return Package(
        number,
        dies=len({thread.die for thread in threads}),
        nodes=format_cpu_list(at_home),
        cores=_count_cores(threads),
        cpus=format_cpu_list(cpus),
    )


def _threads(machine: Machine, cpus: Collection[int]) -> list[HardwareThread]:
    wanted = set(cpus)
    return [thread for thread in machine.threads if thread.cpu in wanted]


def _count_cores(threads: Collection[HardwareThread]) -> int:
    return len({thread.core for thread in threads})
