"""The machine as boxes in boxes: what each holds, with equal ones drawn once.

The text of a terminal and the page of a report draw the same boxes, each in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
"""Boxes beyond which a page draws equal ones once."""
_CORES_WITH_CACHES = 16


@dataclass(frozen=True)
class Nest:
    """One box: its titles, and what is in it. ``folded``: its neighbours that are the same."""

    kind: str
    titles: tuple[str, ...]
    inside: tuple[Nest, ...] = ()
    caches: tuple[str, ...] = ()
    """Of a core, where there are few."""
    cpus: str = ""
    """Those that the process may not use in parentheses."""
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
    """The box of the whole machine; ``None`` where the records do not say what is in it."""
    drawn = None
    for drawn in nests(machine):
        if not drawn.inside:
            return None
        if drawn.boxes <= MOST_BOXES:
            break
    return drawn


def nests(machine: Machine) -> Iterator[Nest]:
    """The same with more and more folded: first nothing, then cores, then what holds them."""
    tree = machine_tree(machine)
    allowed = frozenset(list_cpus(machine.allowed_cpus))
    with_caches = machine.cores <= _CORES_WITH_CACHES
    for folded in FOLDED_BY_STEP:
        how = _How(allowed, machine.core_kinds, folded, with_caches)
        yield Nest("machine", (), _contents(tree, how))


def _contents(box: Box, how: _How) -> tuple[Nest, ...]:
    found = groups(box.children, how.folded, how.allowed)
    return tuple(_group(group, how) for group in found)


def _group(group: Sequence[Box], how: _How) -> Nest:
    """A box, or several equal ones as one."""
    first = group[0]
    if first.kind == "core":
        return _cores(group, how)
    box, labels = first, [box_label(first)]
    while is_wrapper(box):
        box = box.children[0]
        labels.append(box_label(box))
    return Nest(
        first.kind,
        tuple(labels),
        _contents(box, how),
        cpus=_breakable(cpu_text(box.cpus, how.allowed)),
        folded=_breakable(alike(group[1:])) if len(group) > 1 else "",
    )


def _cores(group: Sequence[Box], how: _How) -> Nest:
    first = group[0]
    single = len(group) == 1
    title = box_label(first) if single else cores_title(group)
    cpus = cpu_text(first.cpus, how.allowed) if single else cpus_of_cores(group, how.allowed)
    return Nest(
        "core",
        (title, *kind_titles(first, how.kinds)),
        caches=tuple(map(cache_label, first.caches)) if how.with_caches else (),
        cpus=_breakable(cpus),
    )


def _breakable(text: str) -> str:
    """Lists may be broken after a comma."""
    return re.sub(r",(?=\S)", ", ", text)
