"""The tables of caches, packages, NUMA nodes, their distances, and kinds of cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from streamgage.analysis.machine.places import kinds, nodes, packages
from streamgage.analysis.machine.tree import PrivateCache
from streamgage.cpu_list import count_cpus
from streamgage.records import Cache, Machine
from streamgage.tools.topology.labels import cache_label, format_memory, kind_label
from streamgage.units import format_bytes

_GAP = 2
_INDENT = 1
_BEFORE_LISTS = 44
"""What the columns before the lists of CPUs take at most."""


@dataclass(frozen=True)
class _Column:
    title: str
    left: bool = False
    """Words and lists stand at the left, numbers at the right."""
    several: bool = False
    """Several lists stand in one cell, and must not be broken."""


def tables(console: Console, machine: Machine) -> None:
    """Print the tables; those that would say nothing new are left out."""
    _caches(console, machine)
    if machine.packages > 1:
        _packages(console, machine)
    if len(machine.numa_nodes) > 1:
        _nodes(console, machine)
        _distances(console, machine)
    _kinds(console, machine)


def _caches(console: Console, machine: Machine) -> None:
    if not machine.caches:
        console.print(Padding("Nobody tells of caches here.", (0, 0, 0, _INDENT)))
        console.print()
        return
    columns = [
        _Column("cache", left=True),
        _Column("size"),
        _Column("number"),
        _Column("line"),
        _Column("CPUs each"),
        _Column("shared by the CPUs", left=True, several=True),
    ]
    room = max(12, console.width - _BEFORE_LISTS)
    rows = [_cache_row(cache, room) for cache in machine.caches]
    _print(console, columns, rows)


def _cache_row(cache: Cache, room: int) -> list[str]:
    counts = sorted({count_cpus(cpus) for cpus in cache.cpus})
    each = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    label = cache_label(PrivateCache(cache.level, cache.kind, 0))
    return [
        label,
        format_bytes(cache.bytes) if cache.bytes else "?",
        str(cache.instances),
        f"{cache.line_bytes} B" if cache.line_bytes else "?",
        each,
        _shortened(cache.cpus, room),
    ]


def _shortened(lists: Sequence[str], room: int) -> str:
    """As many of the lists as there is room for, one at least, and dots for those left out."""
    shown: list[str] = []
    for number, text in enumerate(lists):
        more = "" if number + 1 == len(lists) else "  ..."
        if shown and len("  ".join([*shown, text]) + more) > room:
            return "  ".join([*shown, "..."])
        shown.append(text)
    return "  ".join(shown)


def _packages(console: Console, machine: Machine) -> None:
    found = packages(machine)
    columns = [_Column("package"), _Column("NUMA nodes", left=True), _Column("cores")]
    columns.append(_Column("CPUs", left=True))
    rows = [[str(each.number), each.nodes, str(each.cores), each.cpus] for each in found]
    if any(each.dies > 1 for each in found):
        columns.insert(1, _Column("dies"))
        for row, each in zip(rows, found, strict=True):
            row.insert(1, str(each.dies))
    _print(console, columns, rows)


def _nodes(console: Console, machine: Machine) -> None:
    found = nodes(machine)
    columns = [_Column("NUMA node"), _Column("memory"), _Column("free"), _Column("cores")]
    columns.append(_Column("CPUs", left=True))
    rows = [
        [
            str(each.node.node),
            _size(each.node.bytes),
            _size(each.node.free_bytes),
            str(each.cores),
            each.node.cpus or "none: memory alone",
        ]
        for each in found
    ]
    if all(each.node.free_bytes is None for each in found):
        columns.pop(2)
        rows = [[*row[:2], *row[3:]] for row in rows]
    if not all(each.may_use for each in found):
        columns.append(_Column("usable", left=True))
        for row, each in zip(rows, found, strict=True):
            row.append("yes" if each.may_use else "no")
    _print(console, columns, rows)


def _size(size: int | None) -> str:
    return "?" if size is None else format_memory(size)


def _distances(console: Console, machine: Machine) -> None:
    """The matrix, in as many parts as the width makes necessary."""
    table = machine.numa_distances
    if table is None:
        return
    figures = [str(figure) for row in table.rows for figure in row]
    widest = max(len(text) for text in [*figures, *map(str, table.nodes)])
    lead = len("from")
    room = max(1, (console.width - _INDENT - lead) // (widest + _GAP))
    for first in range(0, len(table.nodes), room):
        part = slice(first, first + room)
        head = "".join(f"{node:>{widest + _GAP}}" for node in table.nodes[part])
        console.print(f"{' ' * _INDENT}{'from':<{lead}}{head}", style="bold")
        for node, row in zip(table.nodes, table.rows, strict=True):
            cells = "".join(f"{figure:>{widest + _GAP}}" for figure in row[part])
            console.print(f"{' ' * _INDENT}{node:>{lead}}{cells}")
        console.print()
    note = "Distances between NUMA nodes as the firmware states them: 10 is a node's own memory."
    console.print(Padding(note, (0, 0, 0, _INDENT)), style="dim")
    console.print()


def _kinds(console: Console, machine: Machine) -> None:
    columns = [_Column("kind of cores", left=True), _Column("cores"), _Column("CPUs", left=True)]
    names = {
        id(kind): kind_label(machine.core_kinds, n) for n, kind in enumerate(machine.core_kinds)
    }
    rows = [[names[id(each.kind)], str(each.cores), each.kind.cpus] for each in kinds(machine)]
    if rows:
        _print(console, columns, rows)


def _print(console: Console, columns: Sequence[_Column], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column.title, justify="left" if column.left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(_cell, row, columns))
    console.print(Padding(table, (0, 0, 0, _INDENT)))
    console.print()


def _cell(text: str, column: _Column) -> Text:
    """A list of CPUs may be broken after a comma."""
    return Text(text.replace(",", ", ") if column.left and not column.several else text)
