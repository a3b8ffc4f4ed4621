"""Equal parts of a machine, drawn once, and how CPUs are named."""

from __future__ import annotations

from collections.abc import Sequence

from streamgage.analysis.machine.tree import Box
from streamgage.cpu_list import format_cpu_list
from streamgage.records import CoreKind
from streamgage.tools.topology.labels import kind_label
from streamgage.units import GIB

FOLDED_BY_STEP: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({"core"}),
    frozenset({"core", "cache"}),
    frozenset({"core", "cache", "node"}),
    frozenset({"core", "cache", "node", "die", "package"}),
)
"""Kinds of boxes of which those that are the same are drawn once, by how much room there is."""
_SINGLE_CPUS = 4
"""As many are named one by one; more are ranges."""


def groups(
    children: Sequence[Box], folded: frozenset[str], allowed: frozenset[int]
) -> list[list[Box]]:
    """Equal neighbours, drawn once."""
    found: list[list[Box]] = []
    for child in children:
        same = found and _shape(child, allowed) == _shape(found[-1][0], allowed)
        if same and child.kind in folded:
            found[-1].append(child)
        else:
            found.append([child])
    return found


def _shape(box: Box, allowed: frozenset[int]) -> tuple[object, ...]:
    """What boxes that are drawn as one have in common; nodes may differ by reserved pages."""
    size = round(box.bytes / GIB) if box.kind == "node" and box.bytes is not None else box.bytes
    barred = tuple(cpu in allowed for cpu in box.cpus)
    inside = tuple(_shape(child, allowed) for child in box.children)
    return (box.kind, box.level, size, box.core_kind, box.caches, barred, inside)


def alike(others: Sequence[Box]) -> str:
    """``+ 3 alike: NUMA nodes 1-3, CPUs 8-31``: what stands for those that are not drawn."""
    cpus = format_cpu_list(cpu for box in others for cpu in box.cpus)
    return f"+ {len(others)} alike: {_names(others)}CPUs {cpus}"


def _names(boxes: Sequence[Box]) -> str:
    """Of caches nothing: their numbers say nobody anything."""
    if boxes[0].kind == "cache":
        return ""
    what = {"node": "NUMA node"}.get(boxes[0].kind, boxes[0].kind)
    numbers = format_cpu_list(box.number for box in boxes if box.number is not None)
    return f"{what}{'' if len(boxes) == 1 else 's'} {numbers}, "


def cores_title(group: Sequence[Box]) -> str:
    """``cores 0-7``."""
    return f"cores {format_cpu_list(box.number for box in group if box.number is not None)}"


def cpus_of_cores(group: Sequence[Box], allowed: frozenset[int]) -> str:
    """The CPUs of equal cores, by rank where those of a rank are a run."""
    ranks = list(zip(*(box.cpus for box in group), strict=True))
    if len(ranks) > 1 and not all(_is_run(rank) for rank in ranks):
        cpus = [cpu for box in group for cpu in box.cpus]
        return f"{_ranges(cpus, allowed)}, {len(ranks)} a core"
    return " ".join(_ranges(rank, allowed) for rank in ranks)


def is_wrapper(box: Box) -> bool:
    """Whether all of it is one other part, so that one frame does for both."""
    return len(box.children) == 1 and box.children[0].kind != "core"


def kind_titles(box: Box, kinds: Sequence[CoreKind]) -> list[str]:
    """The kind of a core, on a hybrid processor."""
    return [] if box.core_kind is None else [kind_label(kinds, box.core_kind)]


def cpu_text(cpus: Sequence[int], allowed: frozenset[int]) -> str:
    """``0 48``, ``0 (48)``, ``0-7``: those that the process may not use in parentheses."""
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
