"""Draws the machine, with the CPUs of an expression in brackets: ``streamgage pin --show``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from streamgage.cpu_list import count_cpus, format_cpu_list, list_cpus
from streamgage.records import Expansion, HardwareThread
from streamgage.show.terminal import Terminal

_FEW_CORES = 32
"""The most cores of a machine on which every core is drawn."""
_GAP = "   "
_BOLD_GREEN = "\x1b[1;32m"
_PLAIN = "\x1b[0m"


@dataclass(frozen=True)
class _Piece:
    """A piece of text, and whether it is coloured if there is colour."""

    text: str
    chosen: bool = False


_Cell = tuple[_Piece, ...]


def render(expansion: Expansion, terminal: Terminal) -> str:
    """The expression with its CPUs in thread order, and one line or more per NUMA domain."""
    cpus = ",".join(map(str, expansion.cpus))
    lines = [f" {expansion.expression} {terminal.symbols.arrow} {cpus}"]
    times = Counter(expansion.cpus)
    every = len({thread.core for thread in expansion.allowed}) <= _FEW_CORES
    groups = [
        (label, _cells(threads, times, terminal.symbols.dash, every))
        for label, threads in _groups(expansion.allowed)
    ]
    label_width = max(len(label) for label, _ in groups)
    cell_width = max(_length(cell) for _, cells in groups for cell in cells)
    for label, cells in groups:
        lines += _rows(label.ljust(label_width), cells, cell_width, terminal)
    lines += _notes(expansion, times)
    return "\n".join(lines) + "\n"


def _groups(threads: list[HardwareThread]) -> Iterator[tuple[str, list[HardwareThread]]]:
    """Yield the packages, or their NUMA domains if any package has several."""
    places = {(thread.package, thread.node) for thread in threads}
    several = len(places) > len({package for package, _ in places})
    key = _place if several else _package
    for _, members in groupby(sorted(threads, key=key), key=key):
        group = list(members)
        package, node = group[0].package, group[0].node
        name = " no package" if package is None else f" package {package}"
        yield name + (f" node {'?' if node is None else node}" if several else ""), group


def _package(thread: HardwareThread) -> tuple[bool, int]:
    """The sort key of a CPU's package; unknown packages come last."""
    return (thread.package is None, thread.package or 0)


def _place(thread: HardwareThread) -> tuple[bool, int, bool, int]:
    """The sort key of a CPU's package and node."""
    return (*_package(thread), thread.node is None, thread.node or 0)


def _cells(
    threads: list[HardwareThread], times: Counter[int], dash: str, every: bool
) -> list[_Cell]:
    """One cell per core. Without ``every``, neighbouring cores that are not chosen share a cell."""
    cores = [list(members) for _, members in groupby(threads, key=lambda each: each.core)]
    if every:
        return [_core(core, times) for core in cores]
    cells: list[_Cell] = []
    for chosen, run in groupby(cores, key=lambda core: any(each.cpu in times for each in core)):
        members = list(run)
        if chosen or len(members) <= 2:
            cells += [_core(core, times) for core in members]
        else:
            first, last = members[0][0].core, members[-1][0].core
            cells.append((_Piece(f"core {first}{dash}{last} not chosen"),))
    return cells


def _core(threads: list[HardwareThread], times: Counter[int]) -> _Cell:
    """The cell of a core, such as ``core 0 [0 8]``; chosen neighbours share brackets."""
    pieces = [_Piece(f"core {threads[0].core} ")]
    for chosen, run in groupby(threads, key=lambda each: each.cpu in times):
        text = " ".join(_cpu(each.cpu, times[each.cpu]) for each in run)
        pieces.append(_Piece(f"[{text}]" if chosen else f" {text} ", chosen))
    return tuple(pieces)


def _cpu(cpu: int, times: int) -> str:
    return f"{cpu}x{times}" if times > 1 else str(cpu)


def _length(cell: _Cell) -> int:
    return sum(len(piece.text) for piece in cell)


def _rows(label: str, cells: list[_Cell], width: int, terminal: Terminal) -> Iterator[str]:
    """Lines with as many cells as fit, each ``width`` wide, with ``label`` before the first one."""
    a_line = max(1, (terminal.width - len(label)) // (width + len(_GAP)))
    for first in range(0, len(cells), a_line):
        lead = label if first == 0 else " " * len(label)
        drawn = (_drawn(cell, width, terminal) for cell in cells[first : first + a_line])
        yield (lead + _GAP + _GAP.join(drawn)).rstrip()


def _drawn(cell: _Cell, width: int, terminal: Terminal) -> str:
    marked = (
        f"{_BOLD_GREEN}{piece.text}{_PLAIN}" if piece.chosen and terminal.colour else piece.text
        for piece in cell
    )
    return "".join(marked) + " " * (width - _length(cell))


def _notes(expansion: Expansion, times: Counter[int]) -> Iterable[str]:
    allowed = {thread.cpu for thread in expansion.allowed}
    if any(count > 1 for count in times.values()):
        yield " x2 and more: the number of threads that share that CPU."
    if count_cpus(expansion.online_cpus) > len(allowed):
        others = set(list_cpus(expansion.online_cpus)) - allowed
        what = "it: CPU" if len(others) == 1 else "them: CPUs"
        yield f" Not drawn, because this process may not use {what} {format_cpu_list(others)}."
    if not expansion.this_system:
        yield " HWLOC_* variables replace this machine's topology by this one."
