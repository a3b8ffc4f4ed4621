"""The machine as boxes in boxes for a page: what each holds, and what is alike folded into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streamgage.analysis.machine.tree import Box, machine_tree
from streamgage.cpu_list import list_cpus
from streamgage.records import CoreKind, Machine
from streamgage.tools.topology.folding import (
    FOLDED_BY_STEP,
    alike,
    cores_title,
    cpu_text,
    cpus_of_cores,
    groups,
    is_wrapper,
    kind_titles,
)
from streamgage.tools.topology.labels import box_label, cache_label

MOST_BOXES = 100
"""Boxes beyond which what is alike is drawn once."""
_CORES_WITH_CACHES = 16


@dataclass(frozen=True)
class Nest:
    """One box: its titles, and what is in it. ``folded``: what stands beside it, and is alike."""

    kind: str
    titles: tuple[str, ...]
    inside: tuple[Nest, ...] = ()
    caches: tuple[str, ...] = ()
    """Of a core."""
    cpus: str = ""
    """Of a core; those that the process may not use in parentheses."""
    folded: str = ""

    @property
    def boxes(self) -> int:
        """How many are drawn, itself among them."""
        return 1 + sum(each.boxes for each in self.inside)


@dataclass(frozen=True)
class _How:
    allowed: frozenset[int]
    kinds: Sequence[CoreKind]
    folded: frozenset[str]
    with_caches: bool


def nest(machine: Machine) -> Nest | None:
    """The box of the whole machine; null where the records do not tell what is in it."""
    tree = machine_tree(machine)
    if not tree.children:
        return None
    allowed = frozenset(list_cpus(machine.allowed_cpus))
    with_caches = machine.cores <= _CORES_WITH_CACHES
    drawn = Nest("machine", ())
    for folded in FOLDED_BY_STEP:
        how = _How(allowed, machine.core_kinds, folded, with_caches)
        drawn = Nest("machine", (), _contents(tree, how))
        if drawn.boxes <= MOST_BOXES:
            break
    return drawn


def _contents(box: Box, how: _How) -> tuple[Nest, ...]:
    found = groups(box.children, how.folded, how.allowed)
    return tuple(_group(group, how) for group in found)


def _group(group: Sequence[Box], how: _How) -> Nest:
    first = group[0]
    if first.kind == "core":
        title = box_label(first) if len(group) == 1 else cores_title(group)
        cpus = (
            cpu_text(first.cpus, how.allowed)
            if len(group) == 1
            else cpus_of_cores(group, how.allowed)
        )
        caches = tuple(map(cache_label, first.caches)) if how.with_caches else ()
        titles = (title, *kind_titles(first, how.kinds))
        return Nest("core", titles, caches=caches, cpus=cpus.replace(",", ", "))
    box, labels = first, [box_label(first)]
    while is_wrapper(box):
        box = box.children[0]
        labels.append(box_label(box))
    folded = alike(group[1:]).replace(",", ", ").replace(",  ", ", ") if len(group) > 1 else ""
    return Nest(first.kind, tuple(labels), _contents(box, how), folded=folded)
