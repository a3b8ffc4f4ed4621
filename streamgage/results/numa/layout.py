"""Which nodes of a machine are rows and columns of its matrix, and why others are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgage.cpu_list import format_cpu_list, list_cpus, name_nodes
from streamgage.records import Machine, NumaNode
from streamgage.results.numa.document import CpuNode, MemoryNode


@dataclass(frozen=True)
class Layout:
    """Rows, columns, and a sentence on each node that is not both for want of a permission."""

    cpu_nodes: tuple[CpuNode, ...]
    memory_nodes: tuple[MemoryNode, ...]
    left_out: tuple[str, ...]

    def cells(self) -> Iterator[tuple[CpuNode, MemoryNode]]:
        """Row by row."""
        return ((row, column) for row in self.cpu_nodes for column in self.memory_nodes)


def cell_name(cpu_node: int, memory_node: int) -> str:
    """What a cell is called: ``CPUs of node 0, memory of node 1``."""
    return f"CPUs of node {cpu_node}, memory of node {memory_node}"


def layout_of(machine: Machine) -> Layout:
    """The rows and columns of ``machine``, by the numbers of the nodes."""
    rows, columns, left_out = [], [], []
    for node in machine.numa_nodes:
        cpus = _one_a_core(machine, node)
        if cpus:
            rows.append(CpuNode(node=node.node, cpus=cpus))
        elif node.cpus:
            left_out.append(
                f"Node {node.node} is no row: this process may use none of its CPUs ({node.cpus})."
            )
        if _has_memory(node) and _may_use(machine, node):
            columns.append(MemoryNode(node=node.node, bytes=node.bytes, memory_only=not node.cpus))
        elif _has_memory(node):
            allowed = name_nodes(list_cpus(machine.allowed_nodes))
            left_out.append(
                f"Node {node.node} is no column: this process may take memory from {allowed} alone."
            )
        else:
            left_out.append(f"Node {node.node} is no column: it has no memory.")
    return Layout(tuple(rows), tuple(columns), tuple(left_out))


def _has_memory(node: NumaNode) -> bool:
    return node.bytes is None or node.bytes > 0


def _may_use(machine: Machine, node: NumaNode) -> bool:
    return not machine.allowed_nodes or node.node in list_cpus(machine.allowed_nodes)


def _one_a_core(machine: Machine, node: NumaNode) -> list[int]:
    """The first CPU of each core of the node that may be used, in the order of the cores."""
    usable = set(list_cpus(node.cpus)) & set(list_cpus(machine.allowed_cpus))
    if not machine.threads:
        return sorted(usable)  # the cores are not known
    first: dict[int, int] = {}
    for thread in machine.threads:
        if thread.cpu in usable:
            first.setdefault(thread.core, thread.cpu)
    return list(first.values())


def describe_row(row: CpuNode) -> str:
    """``node 0: 4 threads on CPUs 0-3``."""
    number = len(row.cpus)
    what = "1 thread on CPU" if number == 1 else f"{number} threads on CPUs"
    return f"node {row.node}: {what} {format_cpu_list(row.cpus)}"
