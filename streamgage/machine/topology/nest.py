"""The machine as nested boxes, in which equal boxes may be drawn once.

The text of a terminal and the page of a report draw the same boxes, each in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from streamgage.analysis.machine.tree import Box, machine_tree
from streamgage.cpu_list import format_cpu_list, list_cpus, name_cpus
from streamgage.machine.topology.labels import box_label, cache_label, kind_label
from streamgage.records import CoreKind, Machine
from streamgage.units import GIB

_FOLDED_BY_STEP: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({"core"}),
    frozenset({"core", "cache"}),
    frozenset({"core", "cache", "node"}),
    frozenset({"core", "cache", "node", "die", "package"}),
)
"""Kinds of boxes of which equal ones are drawn once; each step saves more room."""
_SINGLE_CPUS = 4
"""Up to this many CPUs are named one by one; more are shown as ranges."""


def _groups(
    children: Sequence[Box], folded: frozenset[str], allowed: frozenset[int]
) -> list[list[Box]]:
    """Group equal neighbours, which are drawn once."""
    found: list[list[Box]] = []
    for child in children:
        same = found and _shape(child, allowed) == _shape(found[-1][0], allowed)
        if same and child.kind in folded:
            found[-1].append(child)
        else:
            found.append([child])
    return found


def _shape(box: Box, allowed: frozenset[int]) -> tuple[object, ...]:
    """The properties that boxes drawn as one share; nodes may differ by reserved pages."""
    size = round(box.bytes / GIB) if box.kind == "node" and box.bytes is not None else box.bytes
    barred = tuple(cpu in allowed for cpu in box.cpus)
    inside = tuple(_shape(child, allowed) for child in box.children)
    return (box.kind, box.level, size, box.cached, box.core_kind, box.caches, barred, inside)


def _alike(others: Sequence[Box]) -> str:
    """The line for boxes not drawn: ``+ 3 more like it: NUMA nodes 1-3, CPUs 8-31``."""
    cpus = format_cpu_list(cpu for box in others for cpu in box.cpus)
    return f"+ {len(others)} more like it: {_names(others)}{name_cpus(cpus)}"


def _names(boxes: Sequence[Box]) -> str:
    """The kind and numbers of the boxes; empty for caches, whose numbers nobody needs."""
    if boxes[0].kind == "cache":
        return ""
    what = {"node": "NUMA node"}.get(boxes[0].kind, boxes[0].kind)
    numbers = format_cpu_list(box.number for box in boxes if box.number is not None)
    return f"{what}{'' if len(boxes) == 1 else 's'} {numbers}, "


def _cores_title(group: Sequence[Box]) -> str:
    """A title such as ``cores 0-7``."""
    return f"cores {format_cpu_list(box.number for box in group if box.number is not None)}"


def _cpus_of_cores(group: Sequence[Box], allowed: frozenset[int]) -> str:
    """The CPUs of equal cores: first CPUs, then second ones, each as a range if possible."""
    ranks = list(zip(*(box.cpus for box in group), strict=True))
    if len(ranks) > 1 and not all(_is_run(rank) for rank in ranks):
        cpus = [cpu for box in group for cpu in box.cpus]
        return f"{_ranges(cpus, allowed)}, {len(ranks)} a core"
    return " ".join(_ranges(rank, allowed) for rank in ranks)


def _is_wrapper(box: Box) -> bool:
    """Return whether the box holds only one other box, so that one frame is enough for both."""
    return len(box.children) == 1 and box.children[0].kind != "core"


def _kind_titles(box: Box, kinds: Sequence[CoreKind]) -> list[str]:
    """Return the kind of a core, on a hybrid processor; otherwise nothing."""
    return [] if box.core_kind is None else [kind_label(kinds, box.core_kind)]


def _cpu_text(cpus: Sequence[int], allowed: frozenset[int]) -> str:
    """CPUs such as ``0 48`` or ``0-7``; those that the process may not use are in parentheses."""
    if len(cpus) > _SINGLE_CPUS:
        return _ranges(cpus, allowed)
    return " ".join(str(cpu) if cpu in allowed else f"({cpu})" for cpu in cpus)


def _ranges(cpus: Sequence[int], allowed: frozenset[int]) -> str:
    usable = [cpu for cpu in cpus if cpu in allowed]
    barred = [cpu for cpu in cpus if cpu not in allowed]
    parts = [format_cpu_list(usable)] if usable else []
    return " ".join([*parts, f"({format_cpu_list(barred)})"] if barred else parts)


def _is_run(cpus: Sequence[int]) -> bool:
    return list(cpus) == list(range(cpus[0], cpus[0] + len(cpus)))


MOST_BOXES = 100
"""The most boxes on a page; beyond it equal boxes are drawn once."""
_CORES_WITH_CACHES = 16


@dataclass(frozen=True)
class Nest:
    """A box of the drawing. ``folded``: equal neighbours that are not drawn again."""

    kind: str
    titles: tuple[str, ...]
    inside: tuple[Nest, ...] = ()
    caches: tuple[str, ...] = ()
    """The caches of a core, if there are few cores."""
    cpus: str = ""
    """The CPUs; those that the process may not use are in parentheses."""
    folded: str = ""

    @property
    def boxes(self) -> int:
        """The number of drawn boxes, including this one."""
        return 1 + sum(each.boxes for each in self.inside)


@dataclass(frozen=True)
class _DrawingRules:
    allowed: frozenset[int]
    kinds: Sequence[CoreKind]
    folded: frozenset[str]
    with_caches: bool


def nest(machine: Machine) -> Nest | None:
    """The box of the whole machine; ``None`` if the records do not say what is in it."""
    drawn = None
    for drawn in nests(machine):
        if not drawn.inside:
            return None
        if drawn.boxes <= MOST_BOXES:
            break
    return drawn


def nests(machine: Machine) -> Iterator[Nest]:
    """Yield the machine with more and more folded: first nothing, then cores, then their boxes."""
    tree = machine_tree(machine)
    allowed = frozenset(list_cpus(machine.allowed_cpus))
    with_caches = machine.cores <= _CORES_WITH_CACHES
    for folded in _FOLDED_BY_STEP:
        how = _DrawingRules(allowed, machine.core_kinds, folded, with_caches)
        yield Nest("machine", (), _contents(tree, how))


def _contents(box: Box, how: _DrawingRules) -> tuple[Nest, ...]:
    found = _groups(box.children, how.folded, how.allowed)
    return tuple(_group(group, how) for group in found)


def _group(group: Sequence[Box], how: _DrawingRules) -> Nest:
    """Make one box of a group of equal boxes."""
    first = group[0]
    if first.kind == "core":
        return _cores(group, how)
    box, labels = first, [box_label(first)]
    while _is_wrapper(box):
        box = box.children[0]
        labels.append(box_label(box))
    return Nest(
        first.kind,
        tuple(labels),
        _contents(box, how),
        cpus=_breakable(_cpu_text(box.cpus, how.allowed)),
        folded=_breakable(_alike(group[1:])) if len(group) > 1 else "",
    )


def _cores(group: Sequence[Box], how: _DrawingRules) -> Nest:
    first = group[0]
    single = len(group) == 1
    title = box_label(first) if single else _cores_title(group)
    cpus = _cpu_text(first.cpus, how.allowed) if single else _cpus_of_cores(group, how.allowed)
    return Nest(
        "core",
        (title, *_kind_titles(first, how.kinds)),
        caches=tuple(map(cache_label, first.caches)) if how.with_caches else (),
        cpus=_breakable(cpus),
    )


def _breakable(text: str) -> str:
    """Allow line breaks after the commas of a list."""
    return re.sub(r",(?=\S)", ", ", text)
