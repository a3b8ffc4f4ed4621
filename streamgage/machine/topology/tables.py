"""The tables of caches, packages, NUMA nodes, their distances, and kinds of cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from streamgage.analysis.machine.places import kinds, nodes, packages
from streamgage.analysis.machine.tree import PrivateCache
from streamgage.cpu_list import count_cpus, list_cpus, name_nodes
from streamgage.machine.topology.labels import (
    cache_label,
    format_memory,
    kind_label,
    memory_side_cache_label,
)
from streamgage.machine.topology.read import NO_DEVICES, DevicesFound
from streamgage.records import Cache, Device, Machine, MemorySideCache, NumaDistances
from streamgage.show.page import Cell, Column, Table, Words
from streamgage.units import format_bytes

_BEFORE_LISTS = 44
"""The most columns that stand before the lists of CPUs."""
_DISTANCES = "Distances between NUMA nodes as the firmware states them: 10 is a node's own memory."


def tables(
    machine: Machine, width: int, found: DevicesFound = NO_DEVICES
) -> Iterator[Table[Any] | Words]:
    """Yield the tables for a terminal of this width, without tables that would add nothing."""
    yield _caches(machine, max(12, width - _BEFORE_LISTS))
    if machine.packages > 1:
        yield _packages(machine)
    if len(machine.numa_nodes) > 1:
        yield _nodes(machine)
        if machine.numa_distances is not None:
            yield _distances(machine.numa_distances)
            yield Words([_DISTANCES], quiet=True)
    if machine.core_kinds:
        yield _kinds(machine)
    if found.devices:
        yield _devices(found.devices)
    if found.failure is not None:
        yield Words([f"Devices such as GPUs could not be listed: {found.failure}"])


def _of(name: str) -> Callable[[object], Cell]:
    """Return a function that makes a cell of a field."""
    read = attrgetter(name)
    return lambda each: Cell(str(read(each)))


def _list(name: str, unknown: str = "") -> Callable[[object], Cell]:
    """Return a function that makes a cell of a list, with line breaks after commas."""
    read = attrgetter(name)
    return lambda each: Cell((read(each) or unknown).replace(",", ", "))


def _caches(machine: Machine, room: int) -> Table[Cache | MemorySideCache]:
    def label(each: Cache | MemorySideCache) -> Cell:
        if isinstance(each, MemorySideCache):
            return Cell(memory_side_cache_label(0))
        return Cell(cache_label(PrivateCache(each.level, each.kind, 0)))

    def sharers(each: Cache | MemorySideCache) -> list[str]:
        if isinstance(each, MemorySideCache):
            return [f"NUMA {name_nodes(list_cpus(nodes))}" for nodes in each.nodes]
        return each.cpus

    def cpus_each(each: Cache | MemorySideCache) -> Cell:
        if isinstance(each, MemorySideCache):
            return Cell()
        counts = sorted({count_cpus(cpus) for cpus in each.cpus})
        return Cell(str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}")

    return Table(
        [
            Column("cache", label, left=True),
            Column("size", lambda each: Cell(format_bytes(each.bytes) if each.bytes else "?")),
            Column("number", _of("instances")),
            Column("line", lambda e: Cell(f"{e.line_bytes} B" if e.line_bytes else "?")),
            Column("CPUs each", cpus_each),
            Column(
                "shared by the CPUs",
                lambda each: Cell(_shortened(sharers(each), room)),
                left=True,
                roomy=True,
            ),
        ],
        [*machine.caches, *machine.memory_side_caches],
        empty=_no_caches(machine),
    )


def _no_caches(machine: Machine) -> str:
    reason = machine.unknown.get("caches")
    return f"No caches are known here{f': {reason}' if reason else ''}."


def _shortened(lists: Sequence[str], room: int) -> str:
    """Join the lists for which there is room, at least one, and put dots for the others."""
    shown: list[str] = []
    for number, text in enumerate(lists):
        more = "" if number + 1 == len(lists) else "  ..."
        if shown and len("  ".join([*shown, text]) + more) > room:
            return "  ".join([*shown, "..."])
        shown.append(text)
    return "  ".join(shown)


def _packages(machine: Machine) -> Table[Any]:
    found = packages(machine)
    return Table(
        [
            Column("package", _of("number")),
            *([Column("dies", _of("dies"))] if any(each.dies > 1 for each in found) else []),
            Column("NUMA nodes", _list("nodes"), left=True, roomy=True),
            Column("cores", _of("cores")),
            Column("CPUs", _list("cpus"), left=True, roomy=True),
        ],
        found,
    )


def _nodes(machine: Machine) -> Table[Any]:
    def memory(name: str) -> Callable[[Any], Cell]:
        read = attrgetter(f"node.{name}")

        def cell(each: object) -> Cell:
            size = read(each)
            return Cell("?" if size is None else format_memory(size))

        return cell

    found = nodes(machine)
    free = any(each.node.free_bytes is not None for each in found)
    kind = Column[Any]("kind", lambda e: Cell(e.node.kind or ""), left=True)
    usable = Column[Any]("usable", lambda e: Cell("yes" if e.may_use else "no"), left=True)
    return Table(
        [
            Column("NUMA node", _of("node.node")),
            Column("memory", memory("bytes")),
            *([kind] if any(each.node.kind for each in found) else []),
            *([Column("free", memory("free_bytes"))] if free else []),
            Column("cores", _of("cores")),
            Column("CPUs", _list("node.cpus", "none: memory alone"), left=True, roomy=True),
            *([] if all(each.may_use for each in found) else [usable]),
        ],
        found,
    )


def _distances(found: NumaDistances) -> Table[int]:
    """The matrix of distances, node by node."""

    def column(to: int) -> Column[int]:
        return Column(str(found.nodes[to]), lambda row: Cell(str(found.rows[row][to])))

    places = range(len(found.nodes))
    return Table(
        [Column("from", lambda row: Cell(str(found.nodes[row]))), *map(column, places)],
        places,
        split="columns",
        even=True,
    )


def _kinds(machine: Machine) -> Table[Any]:
    names = {
        id(kind): kind_label(machine.core_kinds, n) for n, kind in enumerate(machine.core_kinds)
    }
    return Table(
        [
            Column("kind of cores", lambda e: Cell(names[id(e.kind)]), left=True, roomy=True),
            Column("cores", _of("cores")),
            Column("CPUs", _list("kind.cpus"), left=True, roomy=True),
        ],
        kinds(machine),
    )


def _devices(devices: Sequence[Device]) -> Table[Device]:
    def size(name: str) -> Callable[[Device], Cell]:
        read = attrgetter(name)

        def cell(each: Device) -> Cell:
            return Cell(format_bytes(read(each)) if read(each) else "?")

        return cell

    def node(each: Device) -> Cell:
        return Cell("?" if each.numa_node is None else str(each.numa_node))

    return Table(
        [
            Column("device", _of("id"), left=True),
            Column("name", _of("name"), left=True, roomy=True),
            Column("kind", _of("kind"), left=True, may_go=1),
            Column("memory", size("memory_bytes")),
            Column("cache", size("cache_bytes")),
            Column("NUMA node", node),
        ],
        devices,
    )
