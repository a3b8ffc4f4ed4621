"""Groups units that are the same, and finds in what a few of them differ.

A unit is the processor of a node, or one of its devices.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from streamgage.analysis.statistics.intervals import median
from streamgage.analysis.statistics.outliers import FEWEST
from streamgage.records import Device
from streamgage.records.node import NodeLine
from streamgage.results.fleet.causes import DEVICES, MEMORY, MODULES, Oddity, number_of
from streamgage.units import format_bytes

_SAME_MEMORY = 1.02
"""Memory that firmware and kernel reserve differs by less between machines that are the same."""
_FEW = 0.2
"""A class of at most that share of its sister's nodes is the odd one."""
_MOST = 0.6
"""A setting that this share of the units has is the usual one."""
_MOST_SISTERS = 50
"""The most classes with one processor to look at: the largest ones."""
_SPACES = re.compile(r"\s+")
_DECORATION = re.compile(r"\((?:R|TM)\)|\bCPU\b|@.*|\d+-Core Processor")


@dataclass(frozen=True)
class Property:
    """Something that units of a class have in common."""

    name: str
    of: Literal["hardware", "setting", "measurement"]
    """``measurement``: figures of units that differ in it cannot be compared."""
    read: Callable[[NodeLine], object]


_PROCESSOR = "processor"


def _bytes(value: int | None) -> str | None:
    return None if value is None else format_bytes(value)


def _processor(line: NodeLine) -> str | None:
    """The model of the processor; of a device its name, with its slice if it is divided."""
    if line.device is None:
        return line.processor
    name, part = line.device.name, line.device.slice
    return name if part is None or part in name else f"{name}, {part}"


def _of_device(read: Callable[[Device], object]) -> Callable[[NodeLine], object]:
    return lambda line: None if line.device is None else read(line.device)


def _ecc(device: Device) -> str | None:
    return None if device.has_ecc is None else ("on" if device.has_ecc else "off")


def _power_limit(line: NodeLine) -> str | None:
    watts = None if line.device_state is None else line.device_state.limit_watts
    return None if watts is None else f"{watts:g} W"


PROPERTIES = (
    Property(_PROCESSOR, "hardware", _processor),
    Property("packages", "hardware", lambda each: each.packages),
    Property("cores", "hardware", lambda each: each.processor_cores),
    Property("NUMA nodes", "hardware", lambda each: each.numa_nodes),
    Property(MODULES, "hardware", lambda each: each.modules),
    Property(MEMORY, "hardware", lambda each: None),  # of all units together: _memory
    Property("hypervisor", "hardware", lambda each: each.hypervisor),
    Property("BIOS", "setting", lambda each: each.bios),
    Property("microcode", "setting", lambda each: each.microcode),
    Property("kernel", "setting", lambda each: each.kernel),
    Property("governor", "setting", lambda each: each.governor),
    Property("huge pages", "setting", lambda each: each.huge_pages),
    Property("threads", "setting", lambda each: each.threads),
    Property(DEVICES, "setting", lambda each: None),  # of all units together: _devices
    Property("driver", "setting", _of_device(lambda each: each.driver)),
    Property("ECC", "setting", _of_device(_ecc)),
    Property("power limit", "setting", _power_limit),
    Property("interface", "measurement", _of_device(lambda each: each.interface)),
    Property("engine", "measurement", lambda each: each.engine),
    Property("array size", "measurement", lambda each: _bytes(each.array_bytes)),
)
_KINSHIP = (_PROCESSOR, "packages")
"""Nodes that differ in these are strangers, which nothing is compared with."""
_MEASUREMENT = {each.name for each in PROPERTIES if each.of == "measurement"}
SETTINGS = tuple(each.name for each in PROPERTIES if each.of == "setting")
_NAMED = ("processor", "packages", MODULES)

Properties = Mapping[str, str | None]


@dataclass
class Group:
    """Units that have the same hardware and were measured in the same way."""

    properties: Properties
    """The settings among them are the most frequent ones."""
    units: list[str] = field(default_factory=list)
    memory_bytes: int | None = None
    judged_by: int | None = None
    has_less_memory_than: int | None = None
    """The number of the class of most nodes with that processor, which have more memory modules or
    more memory, and differ in nothing else."""
    oddities: list[Oddity] = field(default_factory=list)
    name: str = ""
    settings: dict[str, dict[str, str]] = field(default_factory=dict)
    """The known settings of each unit."""
    unit_oddities: dict[str, list[Oddity]] = field(default_factory=dict)
    """Settings in which few units differ from most others, by the unit."""

    @property
    def comparable(self) -> bool:
        """``True`` if it was measured like the class that it is compared with."""
        return not any(each.name in _MEASUREMENT for each in self.oddities)


def groups_of(units: Mapping[str, NodeLine]) -> list[Group]:
    """Group units by their hardware, the largest class first; each knows how it differs."""
    memory = _memory(units.values())
    devices = _devices(units.values())
    found: dict[tuple[str | None, ...], Group] = {}
    for unit, line in units.items():
        properties = properties_of(line) | {
            MEMORY: memory.get(_memory_bytes(line)),
            DEVICES: devices.get((line.host, _processor(line))) if line.device else None,
        }
        key = tuple(value for name, value in properties.items() if name not in SETTINGS)
        group = found.setdefault(key, Group(properties, memory_bytes=_memory_bytes(line)))
        group.units.append(unit)
        group.settings[unit] = {
            name: value for name, value in properties.items() if name in SETTINGS and value
        }
    for each in found.values():
        _find_settings(each)
    groups = sorted(found.values(), key=lambda each: (-len(each.units), min(each.units)))
    kin = _Kin(groups)
    for number, each in enumerate(groups):
        _find_sister(each, number, groups, kin)
    _name(groups)
    return groups


def _find_settings(group: Group) -> None:
    """Find the usual settings of a group, and the units that differ from nearly all others."""
    for name in SETTINGS:
        counts = Counter(of[name] for of in group.settings.values() if name in of)
        if not counts:
            continue
        usual, number = counts.most_common(1)[0]
        group.properties = {**group.properties, name: usual}
        rare = {
            value
            for value, few in counts.items()
            if value != usual and (few <= _FEW * number or few == 1 < number)
        }
        if not rare or number < _MOST * sum(counts.values()):
            continue
        for unit, of in group.settings.items():
            if of.get(name) in rare:
                oddity = Oddity(name=name, own=of[name], others=usual, nodes=number)
                group.unit_oddities.setdefault(unit, []).append(oddity)


def properties_of(line: NodeLine) -> dict[str, str | None]:
    """All properties except those that take the lines of all units: memory and devices."""
    values = [(each.name, each.read(line)) for each in PROPERTIES]
    return {name: None if value is None else str(value) for name, value in values}


def _memory_bytes(line: NodeLine) -> int | None:
    return line.memory_bytes if line.device is None else line.device.memory_bytes


def _devices(lines: Iterable[NodeLine]) -> dict[tuple[str, str | None], str]:
    """For each node and model how many devices of that model it has: ``4 x NVIDIA H100``."""
    counts = Counter((each.host, _processor(each)) for each in lines if each.device is not None)
    return {(host, model): f"{number} x {model}" for (host, model), number in counts.items()}


def _memory(lines: Iterable[NodeLine]) -> dict[int | None, str]:
    """A word for each size of memory: sizes that hardly differ have the same."""
    sizes = sorted({size for each in lines if (size := _memory_bytes(each))})
    words: dict[int | None, str] = {}
    together: list[int] = []
    for size in [*sizes, None]:
        if together and (size is None or size > _SAME_MEMORY * together[-1]):
            words |= dict.fromkeys(together, format_bytes(round(median(together))))
            together = []
        if size is not None:
            together.append(size)
    return words


class _Kin:
    """The largest groups by their processor, so that nothing is compared with all groups."""

    def __init__(self, groups: Sequence[Group]) -> None:
        """``groups``: the largest first. Small ones only count if all are small."""
        large = [place for place, each in enumerate(groups) if len(each.units) >= FEWEST]
        self._places: dict[str | None, list[int]] = {}
        self._all = (large or list(range(len(groups))))[:_MOST_SISTERS]
        for place in large or range(len(groups)):
            of = self._places.setdefault(groups[place].properties[_PROCESSOR], [])
            if len(of) < _MOST_SISTERS:
                of.append(place)

    def of(self, group: Group) -> Iterable[int]:
        """The groups that may be its kin, the largest ones."""
        processor = group.properties[_PROCESSOR]
        if processor is None:
            return self._all
        return [*self._places.get(processor, ()), *self._places.get(None, ())]


def _find_sister(group: Group, number: int, groups: Sequence[Group], known: _Kin) -> None:
    """Find the group to compare this one with, and its differences from most other nodes."""
    if len(group.units) >= FEWEST:
        group.judged_by = number
    kin = [
        place
        for place in known.of(group)
        if len(groups[place].units) > len(group.units) and _are_kin(group, groups[place])
    ]
    if not kin:
        return
    sister = min(kin, key=lambda at: (_distance(group, groups[at]), -len(groups[at].units)))
    others = groups[sister]
    if len(group.units) <= _FEW * len(others.units) or len(group.units) == 1:
        group.oddities = [
            Oddity(name=name, own=own, others=theirs, nodes=len(others.units))
            for name, own in group.properties.items()
            if name not in SETTINGS
            and own is not None
            and (theirs := others.properties[name]) is not None
            and own != theirs
            and not (name == MEMORY and _modules_differ(group, others))
        ]
    if group.judged_by is None and len(others.units) >= FEWEST:
        group.judged_by = sister
    if _lacks_memory(group, others):
        group.has_less_memory_than = sister


def _lacks_memory(group: Group, others: Group) -> bool:
    """Whether a few nodes differ from the others in having less memory, and in nothing else."""
    names = {each.name for each in group.oddities}
    if not names or not names <= {MODULES, MEMORY}:
        return False
    own, theirs = number_of(group.properties[MODULES]), number_of(others.properties[MODULES])
    if own is not None and theirs is not None:
        return own < theirs
    if group.memory_bytes is None or others.memory_bytes is None:
        return False
    return _SAME_MEMORY * group.memory_bytes < others.memory_bytes


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
                if key not in _NAMED
                and key not in SETTINGS
                and each.properties[key] != same[0].properties[key]
            ]
            each.name = ", ".join([name, *differences])


def noun_of(properties: Properties) -> str:
    """What the units of a class are: ``node`` or ``device``."""
    return "device" if properties.get(DEVICES) else "node"


def hardware_name(properties: Properties) -> str:
    """``2x EPYC 9654, 24 x 32 GiB DDR5-4800``."""
    processor = properties.get("processor") or "unknown processor"
    packages = properties.get("packages")
    modules = properties.get(MODULES) or properties.get(MEMORY)
    plain = _SPACES.sub(" ", _DECORATION.sub("", processor))
    first = f"{packages}x {plain.strip()}" if packages else plain.strip()
    return ", ".join(each for each in (first, modules) if each)
