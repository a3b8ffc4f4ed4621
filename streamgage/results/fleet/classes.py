"""Groups nodes that are the same, and finds in what a few of them differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.outliers import FEWEST
from streamgage.records.node import NodeLine
from streamgage.results.fleet.causes import MODULES, Oddity
from streamgage.units import format_bytes

_SAME_MEMORY = 1.02
"""Memory that firmware and kernel reserve differs by less between machines that are the same."""
_FEW = 0.2
"""A class of at most that share of its sister's nodes is the odd one."""
_MOST_SISTERS = 50
"""The most classes to look at: if all are small, the largest ones."""
_DECORATION = re.compile(r"\((?:R|TM)\)|\bCPU\b|@.*|\d+-Core Processor")


@dataclass(frozen=True)
class Property:
    """Something that nodes of a class have in common."""

    name: str
    of: Literal["hardware", "setting", "measurement"]
    """``measurement``: figures of nodes that differ in it cannot be compared."""
    read: Callable[[NodeLine], object]


_MEMORY = "memory"


def _bytes(value: int | None) -> str | None:
    return None if value is None else format_bytes(value)


PROPERTIES = (
    Property("processor", "hardware", lambda each: each.processor),
    Property("packages", "hardware", lambda each: each.packages),
    Property("cores", "hardware", lambda each: each.processor_cores),
    Property("NUMA nodes", "hardware", lambda each: each.numa_nodes),
    Property(MODULES, "hardware", lambda each: each.modules),
    Property(_MEMORY, "hardware", lambda each: None),  # of all nodes together: _memory
    Property("hypervisor", "hardware", lambda each: each.hypervisor),
    Property("BIOS", "setting", lambda each: each.bios),
    Property("microcode", "setting", lambda each: each.microcode),
    Property("kernel", "setting", lambda each: each.kernel),
    Property("governor", "setting", lambda each: each.governor),
    Property("huge pages", "setting", lambda each: each.huge_pages),
    Property("threads", "setting", lambda each: each.threads),
    Property("engine", "measurement", lambda each: each.engine),
    Property("array size", "measurement", lambda each: _bytes(each.array_bytes)),
)
_KINSHIP = ("processor", "packages")
"""Nodes that differ in these are strangers, which nothing is compared with."""
_MEASUREMENT = {each.name for each in PROPERTIES if each.of == "measurement"}
_NAMED = ("processor", "packages", MODULES)

Properties = Mapping[str, str | None]


@dataclass
class Group:
    """Nodes that have the same properties."""

    properties: Properties
    hosts: list[str] = field(default_factory=list)
    judged_by: int | None = None
    oddities: list[Oddity] = field(default_factory=list)
    name: str = ""

    @property
    def comparable(self) -> bool:
        """``True`` if it was measured like the class that it is compared with."""
        return not any(each.name in _MEASUREMENT for each in self.oddities)


def groups_of(nodes: Mapping[str, NodeLine]) -> list[Group]:
    """Group nodes by their hardware, the largest class first; each knows how it differs."""
    memory = _memory(nodes.values())
    found: dict[tuple[str | None, ...], Group] = {}
    for host, line in nodes.items():
        properties = properties_of(line) | {_MEMORY: memory.get(line.memory_bytes)}
        key = tuple(properties.values())
        found.setdefault(key, Group(properties)).hosts.append(host)
    groups = sorted(found.values(), key=lambda each: (-len(each.hosts), min(each.hosts)))
    for number, each in enumerate(groups):
        _find_sister(each, number, groups)
    _name(groups)
    return groups


def properties_of(line: NodeLine) -> dict[str, str | None]:
    """All properties except the memory, which is rounded over all nodes."""
    values = [(each.name, each.read(line)) for each in PROPERTIES]
    return {name: None if value is None else str(value) for name, value in values}


def _memory(lines: Iterable[NodeLine]) -> dict[int | None, str]:
    """A word for each size of memory: sizes that hardly differ have the same."""
    sizes = sorted({each.memory_bytes for each in lines if each.memory_bytes})
    words: dict[int | None, str] = {}
    together: list[int] = []
    for size in [*sizes, None]:
        if together and (size is None or size > _SAME_MEMORY * together[-1]):
            words |= dict.fromkeys(together, format_bytes(round(median(together))))
            together = []
        if size is not None:
            together.append(size)
    return words


def _find_sister(group: Group, number: int, groups: Sequence[Group]) -> None:
    """Find the group to compare this one with, and its differences from most other nodes."""
    if len(group.hosts) >= FEWEST:
        group.judged_by = number
    large = [place for place, each in enumerate(groups) if len(each.hosts) >= FEWEST]
    kin = [
        place
        for place in large or range(min(len(groups), _MOST_SISTERS))
        if len(groups[place].hosts) > len(group.hosts) and _are_kin(group, groups[place])
    ]
    if not kin:
        return
    sister = min(kin, key=lambda at: (_distance(group, groups[at]), -len(groups[at].hosts)))
    others = groups[sister]
    if len(group.hosts) <= _FEW * len(others.hosts) or len(group.hosts) == 1:
        group.oddities = [
            Oddity(name=name, own=own, others=theirs, nodes=len(others.hosts))
            for name, own in group.properties.items()
            if own is not None
            and (theirs := others.properties[name]) is not None
            and own != theirs
            and not (name == _MEMORY and _modules_differ(group, others))
        ]
    if group.judged_by is None and len(others.hosts) >= FEWEST:
        group.judged_by = sister


def _modules_differ(one: Group, other: Group) -> bool:
    """Return whether the modules differ, which says more than the size of the memory."""
    own, theirs = one.properties[MODULES], other.properties[MODULES]
    return own is not None and theirs is not None and own != theirs


def _are_kin(one: Group, other: Group) -> bool:
    pairs = [(one.properties[name], other.properties[name]) for name in _KINSHIP]
    return all(a == b or a is None or b is None for a, b in pairs)


def _distance(one: Group, other: Group) -> int:
    """The number of properties in which they differ; one that is unknown does not count."""
    return sum(
        own != theirs
        for own, theirs in zip(one.properties.values(), other.properties.values(), strict=True)
        if own is not None and theirs is not None
    )


def _name(groups: Sequence[Group]) -> None:
    """The hardware in a few words; but for the largest of a name, with what differs."""
    by_name: defaultdict[str, list[Group]] = defaultdict(list)
    for each in groups:
        by_name[hardware_name(each.properties)].append(each)
    for name, same in by_name.items():
        same[0].name = name
        for each in same[1:]:
            differences = [
                f"{key} {each.properties[key] or 'unknown'}"
                for key in each.properties
                if key not in _NAMED and each.properties[key] != same[0].properties[key]
            ]
            each.name = ", ".join([name, *differences])


def hardware_name(properties: Properties) -> str:
    """``2x EPYC 9654, 24 x 32 GiB DDR5-4800``."""
    processor = properties.get("processor") or "unknown processor"
    packages = properties.get("packages")
    modules = properties.get(MODULES) or properties.get(_MEMORY)
    plain = re.sub(
        r"\s+", " ", re.sub(r"\((?:R|TM)\)|\bCPU\b|@.*|\d+-Core Processor", "", processor)
    )
    first = f"{packages}x {plain.strip()}" if packages else plain.strip()
    return ", ".join(each for each in (first, modules) if each)
