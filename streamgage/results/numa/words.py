"""The conclusions from a matrix, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.analysis.conclusion import Conclusion, fact, sound
from streamgage.cpu_list import list_cpus, name_nodes
from streamgage.results.numa.document import (
    Numa,
    NumaCell,
)
from streamgage.units import listed


def left_out(numa: Numa) -> Iterator[str]:
    """Say why nodes of the machine have no row, or no column."""
    if numa.machine is None:
        return
    rows = {each.node for each in numa.cpu_nodes}
    columns = {each.node for each in numa.memory_nodes}
    allowed = name_nodes(list_cpus(numa.machine.allowed_nodes))
    for node in numa.machine.numa_nodes:
        if node.cpus and node.node not in rows:
            yield (
                f"Node {node.node} has no row: this process may use none of its CPUs ({node.cpus})."
            )
        if node.node not in columns:
            yield f"Node {node.node} has no column: " + (
                "it has no memory."
                if node.bytes == 0
                else f"this process may only take memory from {allowed}."
            )


def conclusions(numa: Numa) -> list[Conclusion]:
    """Compare remote memory with a node's own, or say that there is nothing to compare."""
    if len(numa.cpu_nodes) == 1 and len(numa.memory_nodes) == 1:
        if numa.reported is not None:
            return []
        why = (
            "This machine has one NUMA node"
            if numa.machine is None or len(numa.machine.numa_nodes) == 1
            else "This process may use the CPUs and the memory of one NUMA node each"
        )
        return [fact(f"{why}, so there is nothing to compare.")]
    rates = [
        f"{_range(ratios)} ({each.kernel})"
        for each in numa.kernels
        if (ratios := _remote_ratios(numa, each.cells))
    ]
    slower = _remote_ratios(numa, numa.latency)
    parts = [
        *([f"gives {listed(rates)} of the bandwidth of a node's own memory"] if rates else []),
        *([f"takes {_range(slower)} times as long to answer"] if slower else []),
    ]
    sentence = f"Memory of another node with CPUs {' and '.join(parts)}."
    return [sound(sentence)] if parts else []


def _remote_ratios(numa: Numa, cells: Sequence[NumaCell]) -> list[float]:
    """The ratios of remote to local figures, for memory of other nodes that have CPUs."""
    with_cpus = {each.node for each in numa.memory_nodes if not each.memory_only}
    return sorted(
        each.over_local
        for each in cells
        if each.over_local is not None
        and each.cpu_node != each.memory_node
        and each.memory_node in with_cpus
    )


def _range(ratios: Sequence[float]) -> str:
    low, high = f"{ratios[0]:.2f}", f"{ratios[-1]:.2f}"
    return low if low == high else f"{low} to {high}"
