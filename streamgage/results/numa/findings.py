"""The findings of a matrix, where its intervals leave no doubt.

Two figures differ if their intervals do not overlap and their medians are at least 5 % apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgage.analysis.finding import Finding
from streamgage.analysis.statistics.intervals import median
from streamgage.cpu_list import list_cpus
from streamgage.results.document import other_load
from streamgage.results.memory_side import CODE, memory_behind
from streamgage.results.numa.document import Numa, NumaCell, by_place
from streamgage.results.reported import OF_OUTPUT
from streamgage.results.run_findings import OF_RUNS
from streamgage.units import count, format_gbps, format_nanoseconds, format_rate, format_share

LEAST_EFFECT = 1.05
"""Smaller ratios of medians do not matter in practice."""
WEAK = 0.85
"""A node is weak if its local bandwidth is below this share of the other nodes'."""


def slower_local(numa: Numa) -> Finding | None:
    """Find a node whose own memory is slower, or answers later, than another node's."""
    found = [
        (ratio, _compared(name, home, away))
        for name, cells in _kinds(numa)
        for home, away in _pairs_with_local(numa, cells)
        if (ratio := _slower(home, away, is_rate=name is not None))
    ]
    if not found:
        return None
    _, worst = max(found)
    return Finding(
        code="slower-local",
        grade="sound",
        severity="warning",
        text=f"A node's own memory is slower than another's{_others(len(found))}: {worst}. First"
        " touch puts data next to its threads and is therefore slower here. Look for memory"
        " channels of that node without a module, for slower modules, for other programs that"
        " use its memory, and for a firmware or hypervisor that reports nodes and CPUs"
        " wrongly.",
    )


def weak_node(numa: Numa) -> Finding | None:
    """Find a node whose local bandwidth is well below that of others with as many threads."""
    threads = {each.node: len(each.cpus) for each in numa.cpu_nodes}
    found = []
    for each in numa.kernels:
        local = {cell.cpu_node: cell for cell in each.cells if cell.cpu_node == cell.memory_node}
        for node, cell in local.items():
            others = [
                other
                for other in local.values()
                if other.cpu_node != node and threads[other.cpu_node] == threads[node]
            ]
            if not others:
                continue
            usual = median(sorted(other.median for other in others))
            share = cell.median / usual
            if share <= WEAK and all(_apart(cell, other) for other in others):
                found.append((share, each.kernel, cell, usual))
    if not found:
        return None
    share, kernel, cell, usual = min(found, key=lambda each: each[0])
    return Finding(
        code="weak-node",
        grade="sound",
        severity="warning",
        text=f"Node {cell.cpu_node} gives its own CPUs {format_gbps(cell.median)} in {kernel},"
        f" {format_share(share)} of what other nodes with as many threads give theirs"
        f" ({format_rate(usual)}). Look for empty memory channels and slower modules there"
        " (streamgage explain unpopulated-channels), and for other programs that use its"
        " memory. A program that is spread over all nodes waits for this one.",
    )


def distance_order(numa: Numa) -> Finding | None:
    """Find remote latencies in another order than the firmware's distances."""
    table = numa.machine.numa_distances if numa.machine is not None else None
    if table is None:
        return None
    at = {node: number for number, node in enumerate(table.nodes)}
    found = []
    for near in numa.latency:
        for far in numa.latency:
            places = (near.cpu_node, near.memory_node, far.memory_node)
            if far.cpu_node != near.cpu_node or any(each not in at for each in places):
                continue
            if near.cpu_node in (near.memory_node, far.memory_node):
                continue  # another finding covers the node's own memory
            stated = [table.rows[at[near.cpu_node]][at[each.memory_node]] for each in (near, far)]
            ratio = _slower(near, far, is_rate=False)
            if stated[0] < stated[1] and ratio:
                found.append((ratio, near, far, stated))
    if not found:
        return None
    _, near, far, stated = max(found, key=lambda each: each[0])
    return Finding(
        code="distance-order",
        grade="sound",
        severity="note",
        text=f"The latencies do not follow the firmware's distances{_others(len(found))}: from"
        f" node {near.cpu_node}, memory of node {near.memory_node} at distance {stated[0]}"
        f" takes {_ns(near)} ns, and memory of node {far.memory_node} at distance {stated[1]}"
        f" takes {_ns(far)}. When a node is full, the kernel fills the others in the order of"
        " these distances, so it may choose the slower one first. If that matters, name the"
        " nodes (--memory-nodes, numactl).",
    )


def memory_only(numa: Numa) -> Finding | None:
    """Describe nodes with only memory, compared with the CPUs' own memory."""
    sentences = [_memory_only(numa, each.node) for each in numa.memory_nodes if each.memory_only]
    known = [each for each in sentences if each]
    if not known:
        return None
    return Finding(
        code="memory-only",
        grade="sound",
        severity="note",
        text=" ".join(known) + " No program gets this memory by first touch until other nodes are"
        " full: bind it there (streamgage measure --memory-nodes, numactl --membind), or interleave"
        " with it.",
    )


def memory_side_cache(numa: Numa) -> Finding | None:
    """Find nodes whose chain of loads fits into a cache in front of their memory."""
    if numa.machine is None or numa.latency_bytes is None:
        return None
    measured = {each.memory_node for each in numa.latency}
    caches = [
        each.bytes
        for each in numa.machine.memory_side_caches
        if each.bytes and any(measured & set(list_cpus(nodes)) for nodes in each.nodes)
    ]
    return (
        memory_behind(
            max(caches), numa.latency_bytes, "latencies", "Run streamgage latency --to {}."
        )
        if caches
        else None
    )


CHECKS: tuple[tuple[str, Callable[[Numa], Finding | None]], ...] = (
    *OF_RUNS,
    ("other-load", other_load),
    ("slower-local", slower_local),
    ("weak-node", weak_node),
    ("distance-order", distance_order),
    (CODE, memory_side_cache),
    ("memory-only", memory_only),
    *OF_OUTPUT,
)
"""The checks in the order of display, most important first."""


def _kinds(numa: Numa) -> list[tuple[str | None, Sequence[NumaCell]]]:
    """The cells of each kernel with its name, then those of the latency with ``None``."""
    return [*((each.kernel, each.cells) for each in numa.kernels), (None, numa.latency)]


def _pairs_with_local(numa: Numa, cells: Sequence[NumaCell]) -> list[tuple[NumaCell, NumaCell]]:
    """Pair each row's local cell with that of each other node that has CPUs.

    Nodes with only memory are left out, because their memory is meant to be different.
    """
    places = by_place(cells)
    with_cpus = [each.node for each in numa.memory_nodes if not each.memory_only]
    return [
        (places[row.node, row.node], places[row.node, node])
        for row in numa.cpu_nodes
        for node in with_cpus
        if node != row.node and (row.node, row.node) in places and (row.node, node) in places
    ]


def _apart(one: NumaCell, other: NumaCell) -> bool:
    """Return whether the intervals of two figures do not overlap."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.high < other.low or other.high < one.low


def _slower(one: NumaCell, other: NumaCell, *, is_rate: bool) -> float | None:
    """How many times slower the first cell is than the second; ``None`` if noise may explain it."""
    if not one.median or not other.median or not _apart(one, other):
        return None
    ratio = other.median / one.median if is_rate else one.median / other.median
    return ratio if ratio >= LEAST_EFFECT else None


def _compared(kernel: str | None, home: NumaCell, away: NumaCell) -> str:
    """Compare figures for a node's own memory and for another's.

    They are rates, or latencies if there is no kernel.
    """
    who = f"from CPUs of node {home.cpu_node}"
    if kernel is not None:
        return (
            f"{who} {kernel} gets {format_gbps(home.median)} from their own node's memory and"
            f" {format_rate(away.median)} from node {away.memory_node}'s"
        )
    return (
        f"{who} a load takes {_ns(home)} ns in their own node's memory and {_ns(away)} in node"
        f" {away.memory_node}'s"
    )


def _others(number: int) -> str:
    return "" if number == 1 else f" in {count(number, 'pair')} of cells"


def _ns(cell: NumaCell) -> str:
    return format_nanoseconds(cell.median)


def _memory_only(numa: Numa, node: int) -> str:
    """Describe a node with only memory, by the figures of the CPUs that reach it best."""
    parts = []
    for each in numa.kernels:
        cells = [cell for cell in each.cells if cell.memory_node == node]
        if cells:
            best = max(cells, key=lambda cell: cell.median)
            parts.append(
                f"{each.kernel} from CPUs of node {best.cpu_node} gets {format_gbps(best.median)}"
                f"{_of_own(best)}"
            )
    cells = [cell for cell in numa.latency if cell.memory_node == node]
    if cells:
        best = min(cells, key=lambda cell: cell.median)
        parts.append(f"a load from node {best.cpu_node} takes {_ns(best)} ns{_of_own(best)}")
    return f"Node {node} has only memory: {'; '.join(parts)}." if parts else ""


def _of_own(cell: NumaCell) -> str:
    return "" if cell.over_local is None else f", {cell.over_local:.2f} times their own memory's"
