"""The machine as nested boxes, which show what holds which CPUs.

A box lies in the smallest one that holds all its CPUs. So a cache that several NUMA nodes share is
around them, and one within a node is inside it, as in the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from streamgage.cpu_list import list_cpus
from streamgage.records import Cache, Machine

BoxKind = Literal["machine", "package", "die", "node", "cache", "core"]

_RANKS: Mapping[BoxKind, int] = {
    "machine": 0,
    "package": 1,
    "die": 2,
    "node": 3,
    "cache": 4,
    "core": 5,
}
"""The order of boxes with the same CPUs: the lower rank is outside."""


@dataclass(frozen=True)
class PrivateCache:
    """A cache that one core has for itself."""

    level: int
    kind: Literal["data", "instruction", "unified"]
    bytes: int


@dataclass(frozen=True)
class Box:
    """A part of the machine. ``number`` is its logical number; for a NUMA node, the system's."""

    kind: BoxKind
    number: int | None
    cpus: tuple[int, ...]
    """Its CPUs in compact order; empty for a NUMA node that only has memory."""
    children: tuple[Box, ...] = ()
    level: int | None = None
    """The level of a cache."""
    bytes: int | None = None
    """The size of a cache or a NUMA node, if known."""
    free_bytes: int | None = None
    memory: str | None = None
    """The kind of a NUMA node's memory, such as ``MCDRAM``; ``None`` if it has no name."""
    cached: int | None = None
    """The bytes of a NUMA node's memory-side cache, 0 if they are unknown; ``None`` if it has
    none."""
    core_kind: int | None = None
    """The kind of a core on a hybrid processor, as a position in the record's ``core_kinds``."""
    caches: tuple[PrivateCache, ...] = ()
    """The private caches of a core, the highest level first."""


@dataclass
class _Part:
    """A box that is still being filled."""

    box: Box
    members: frozenset[int]
    children: list[_Part] = field(default_factory=list)


def machine_tree(machine: Machine) -> Box:
    """Build the box of the whole machine, with all others inside it.

    A part that overlaps another without containing it cannot be nested, and is left out.
    """
    order = {thread.cpu: place for place, thread in enumerate(machine.threads)}
    root = _part(Box("machine", None, ()), frozenset(order), order)
    parts = [_part(box, frozenset(box.cpus), order) for box in _boxes(machine)]
    parts.sort(key=_before)
    homes: dict[int, _Part] = {}
    for part in parts:
        parent = _parent(root, part)
        if parent is not None:
            parent.children.append(part)
            if part.box.kind == "node" and part.box.number is not None:
                homes[part.box.number] = parent
    for box in _memory_only(machine):
        _around(machine, box, homes, root).children.append(_Part(box, frozenset()))
    return _finished(root)


def _part(box: Box, members: frozenset[int], order: Mapping[int, int]) -> _Part:
    ordered = tuple(sorted(members, key=lambda cpu: order.get(cpu, len(order))))
    return _Part(replace(box, cpus=ordered), members)


def _before(part: _Part) -> tuple[int, int, int]:
    """The sorting key of parts: larger parts first, then by rank, then higher caches."""
    return (-len(part.members), _RANKS[part.box.kind], -(part.box.level or 0))


def _parent(root: _Part, part: _Part) -> _Part | None:
    """The smallest box around ``part``.

    ``None`` if there is none, or if it overlaps another box.
    """
    if not part.members <= root.members:
        return None
    here = root
    while True:
        around = [each for each in here.children if part.members <= each.members]
        if around:
            here = around[0]
            continue
        crossed = any(part.members & each.members for each in here.children)
        return None if crossed else here


def _finished(part: _Part) -> Box:
    """The box with its children in compact order; those without CPUs come last."""
    places = {cpu: place for place, cpu in enumerate(part.box.cpus)}
    last = len(places)
    children = sorted(
        part.children,
        key=lambda child: min((places[cpu] for cpu in child.members), default=last),
    )
    return replace(part.box, children=tuple(_finished(child) for child in children))


def _boxes(machine: Machine) -> Iterator[Box]:
    """Yield every part that has CPUs."""
    packages = {each.package for each in machine.threads if each.package is not None}
    dies = {each.die for each in machine.threads if each.die is not None}
    for number in sorted(packages):
        yield Box("package", number, _cpus(machine, "package", number))
    if len(dies) > len(packages):
        for number in sorted(dies):
            yield Box("die", number, _cpus(machine, "die", number))
    cached = _cached_nodes(machine)
    for node in machine.numa_nodes:
        if node.cpus:
            yield Box(
                "node",
                node.node,
                tuple(list_cpus(node.cpus)),
                bytes=node.bytes,
                free_bytes=node.free_bytes,
                memory=node.kind,
                cached=cached.get(node.node),
            )
    cores = list(_cores(machine))
    yield from _shared_caches(machine, [frozenset(core.cpus) for core in cores])
    yield from cores


def _cpus(machine: Machine, field_name: str, number: int) -> tuple[int, ...]:
    return tuple(thread.cpu for thread in machine.threads if getattr(thread, field_name) == number)


def _cores(machine: Machine) -> Iterator[Box]:
    kinds: dict[int, int | None] = {}
    cpus: dict[int, list[int]] = {}
    for thread in machine.threads:
        cpus.setdefault(thread.core, []).append(thread.cpu)
        kinds[thread.core] = thread.kind
    private: dict[frozenset[int], list[PrivateCache]] = {}
    for cache, members in _instances(machine):
        private.setdefault(members, []).append(PrivateCache(cache.level, cache.kind, cache.bytes))
    for number, own in cpus.items():
        caches = sorted(private.get(frozenset(own), []), key=lambda each: -each.level)
        yield Box("core", number, tuple(own), core_kind=kinds[number], caches=tuple(caches))


def _instances(machine: Machine) -> Iterator[tuple[Cache, frozenset[int]]]:
    for cache in machine.caches:
        for cpus in cache.cpus:
            yield cache, frozenset(list_cpus(cpus))


def _shared_caches(machine: Machine, cores: list[frozenset[int]]) -> Iterator[Box]:
    """Yield the data and unified caches that several cores share, numbered within their level."""
    of_a_core = set(cores)
    numbers: dict[int, int] = {}
    for cache, members in _instances(machine):
        if cache.kind != "instruction" and members not in of_a_core:
            number = numbers.get(cache.level, 0)
            numbers[cache.level] = number + 1
            yield Box("cache", number, tuple(members), level=cache.level, bytes=cache.bytes)


def _cached_nodes(machine: Machine) -> dict[int, int]:
    """The bytes of the memory-side cache of each node that has one."""
    return {
        node: cache.bytes
        for cache in machine.memory_side_caches
        for nodes in cache.nodes
        for node in list_cpus(nodes)
    }


def _memory_only(machine: Machine) -> Iterator[Box]:
    cached = _cached_nodes(machine)
    for node in machine.numa_nodes:
        if not node.cpus:
            yield Box(
                "node",
                node.node,
                (),
                bytes=node.bytes,
                free_bytes=node.free_bytes,
                memory=node.kind,
                cached=cached.get(node.node),
            )


def _around(machine: Machine, box: Box, homes: Mapping[int, _Part], root: _Part) -> _Part:
    """The box that memory without CPUs lies in: that around the nearest node with CPUs.

    If several are equally near, or the distances are unknown, it is the machine's box.
    """
    table = machine.numa_distances
    if table is None or box.number not in table.nodes:
        return root
    row = dict(zip(table.nodes, table.rows[table.nodes.index(box.number)], strict=True))
    near = {node: distance for node, distance in row.items() if node in homes}
    nearest = [node for node, distance in near.items() if distance == min(near.values())]
    return homes[nearest[0]] if len(nearest) == 1 else root


def private_caches(box: Box) -> list[PrivateCache]:
    """The different private caches of the cores in a box, the lowest level first."""
    found: dict[PrivateCache, None] = dict.fromkeys(box.caches)
    for child in box.children:
        found |= dict.fromkeys(private_caches(child))
    return sorted(found, key=lambda cache: (cache.level, cache.kind))
