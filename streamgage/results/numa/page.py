"""The page of a matrix: a table and a heat map for each kernel, and for the latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from streamgage.cpu_list import format_cpu_list, name_cpus
from streamgage.results.numa.document import (
    CpuNode,
    MemoryNode,
    Numa,
    NumaCell,
    by_place,
)
from streamgage.results.numa.judge import cell_name
from streamgage.results.numa.words import left_out
from streamgage.results.reported import source_words
from streamgage.results.rounds import failures, settings_of
from streamgage.show.page import (
    DASH,
    NANOSECONDS,
    RATE,
    Cell,
    Column,
    Data,
    Datum,
    Heat,
    Page,
    Table,
    Unit,
)
from streamgage.units import count, format_share, listed, some_of

_LEAST_SHARE = 0.001
"""The finest precision that is shown."""
_OVER = "memory of node"
_MEMORY_ONLY = "*"
_MOST_NAMED = 4
_MOST_IN_A_ROW = 3


@dataclass(frozen=True)
class _Figures:
    """The figures of one kernel; or the latencies, if ``kernel`` is ``None``."""

    kernel: str | None
    cells: Sequence[NumaCell]

    @property
    def unit(self) -> Unit:
        return NANOSECONDS if self.kernel is None else RATE

    def scaled(self, value: float | None) -> float | None:
        """The value in the unit of the data."""
        return None if value is None else self.unit.factor * value


def page(numa: Numa) -> Page:
    """The page of a result of ``streamgage numa``."""
    shown = _shown(numa)
    tables = [_table(numa, each) for each in shown]
    threads = [
        (f"Threads of node {each.node}", name_cpus(format_cpu_list(each.cpus)))
        for each in numa.cpu_nodes
        if each.cpus
    ]
    return Page(
        title="NUMA nodes",
        machine=numa.machine,
        lines=[_series(numa)],
        tables=tables,
        nothing="No cell was measured.",
        note=_note(numa),
        remarks=[*left_out(numa), *missing(numa)],
        settings=settings_of(_order(numa), numa.runs, *threads),
        picture=_picture(numa),
        caption=f"{_caption(numa)}. {_note(numa)} Outlined: a node's own memory. Darker: the"
        " greater figure.",
        plots=[_heat(each, table) for each, table in zip(shown, tables, strict=True)],
        across=min(_MOST_IN_A_ROW, len(tables)),
        data=_data(numa, shown),
    )


def missing(numa: Numa) -> list[str]:
    """Say why runs failed, and which cells were not reached."""
    sentences = failures(
        numa.rounds,
        numa.runs,
        lambda each: cell_name(each.cpu_node, each.memory_node),
        "cell",
    )
    if numa.reported is not None:
        return sentences
    started = {(each.cpu_node, each.memory_node) for each in numa.runs}
    untouched = [
        cell_name(row.node, column.node)
        for row in numa.cpu_nodes
        for column in numa.memory_nodes
        if (row.node, column.node) not in started
    ]
    if untouched:
        names = some_of(untouched, _MOST_NAMED, "cell")
        sentences.append(f"{names}: Nothing was measured before the end.")
    return sentences


def _shown(numa: Numa) -> list[_Figures]:
    """The bandwidth of each kernel, then the latency."""
    kernels = [_Figures(each.kernel, each.cells) for each in numa.kernels]
    return [*kernels, _Figures(None, numa.latency)] if numa.latency else kernels


def _series(numa: Numa) -> str:
    """Name the threads of each row and the order of the cells, or the benchmark that printed it."""
    if numa.reported is not None:
        return " · ".join(source_words(numa.reported))
    rounds = count(numa.rounds, "round") if numa.rounds > 1 else "cells"
    order = f"{rounds} in mixed order (seed {numa.seed})"
    return " · ".join([*map(_row, numa.cpu_nodes), order])


def _order(numa: Numa) -> str:
    if numa.reported is not None:
        return ", ".join(source_words(numa.reported))
    return f"{count(numa.rounds, 'round')}, cells in mixed order (seed {numa.seed})"


def _caption(numa: Numa) -> str:
    """Name what measured the matrix."""
    if numa.reported is not None:
        return source_words(numa.reported)[0]
    return f"streamgage numa (seed {numa.seed})"


def _row(row: CpuNode) -> str:
    """Describe a row: ``node 0: 4 threads on CPUs 0-3``."""
    on = name_cpus(format_cpu_list(row.cpus))
    return f"node {row.node}: {count(len(row.cpus), 'thread')} on {on}"


def _note(numa: Numa) -> str:
    """Explain the figures."""
    words = "A thread on each core of the row's node, memory bound to the column's."
    if numa.reported is not None:
        words = "As printed: the CPUs of the row's node, the memory of the column's."
    elif _single(numa):
        words = "A thread on each core of the node."
    if any(each.memory_only for each in numa.memory_nodes):
        words += f" {_MEMORY_ONLY} only memory, no CPUs."
    return words


def _single(numa: Numa) -> bool:
    return len(numa.cpu_nodes) == len(numa.memory_nodes) == 1


def _picture(numa: Numa) -> str:
    if _single(numa):
        return "Bandwidth and latency of the only NUMA node"
    return "Bandwidth and latency: CPUs of each NUMA node, memory of each"


def _table(numa: Numa, figures: _Figures) -> Table[CpuNode]:
    return Table(
        title=figures.kernel or "latency",
        about=_about(numa, figures),
        columns=[
            Column("CPUs of node", lambda row: Cell(str(row.node), row.node)),
            *(_column(each, figures) for each in numa.memory_nodes),
        ],
        rows=numa.cpu_nodes,
        gap=3,
        split="columns",
        even=True,
        over=_OVER,
    )


def _column(column: MemoryNode, figures: _Figures) -> Column[CpuNode]:
    """The column for the memory of one node, marked if the node has no CPUs."""
    places = by_place(figures.cells)
    title = f"{column.node}{_MEMORY_ONLY if column.memory_only else ''}"

    def cell(row: CpuNode) -> Cell:
        found = places.get((row.node, column.node))
        own = row.node == column.node
        if found is None:
            return Cell(DASH, strong=own)
        return Cell("", found.median, unit=figures.unit, strong=own)

    return Column(title, cell, long_title=f"{_OVER} {title}")


def _about(numa: Numa, figures: _Figures) -> str:
    """Describe the figures, such as ``GB/s of nominal bytes``, and how sure they are."""
    if numa.reported is not None:
        return "ns per load, idle" if figures.kernel is None else "GB/s"
    if figures.kernel is None:
        return f"ns per load, idle{_certainty(numa, figures.cells, 'walks')}"
    certainty = _certainty(numa, figures.cells, "samples")
    return f"GB/s of nominal bytes{_stores(figures.cells)}{certainty}"


def _stores(cells: Sequence[NumaCell]) -> str:
    """Name the stores of the figures, if the kernel has several kinds."""
    found = dict.fromkeys(each.store for each in cells if each.store is not None)
    kinds = ["ordinary" if each == "regular" else each for each in found]
    if len(kinds) > 1:
        return f", {listed(kinds)} stores where they gave more"
    return f", {kinds[0]} stores" if kinds and kinds[0] != "ordinary" else ""


def _certainty(numa: Numa, cells: Sequence[NumaCell], of_one: str) -> str:
    half = _widest_half_interval(cells)
    numbers = sorted({each.n for each in cells})
    n = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    several = "rounds" if numa.rounds > 1 else of_one
    sure = "" if half is None else f", each within {format_share(max(half, _LEAST_SHARE))}"
    return f", median of {n} {several}{sure}"


def _widest_half_interval(cells: Sequence[NumaCell]) -> float | None:
    """The greatest half of an interval as a share of its median.

    ``None`` if a cell has no interval.
    """
    shares = []
    for each in cells:
        if each.low is None or each.high is None or each.median <= 0:
            return None
        shares.append(max(each.median - each.low, each.high - each.median) / each.median)
    return max(shares, default=None)


def _heat(figures: _Figures, table: Table[CpuNode]) -> Heat:
    name = table.title
    return Heat(
        title=f"{name}, {'ns per load' if figures.kernel is None else 'GB/s'}",
        panel=f"{figures.kernel or 'idle latency'}, {figures.unit.name}",
        about=f"{name}, a row for the CPUs of each node, a column for the memory of each; darker"
        " is more.",
        table=table,
    )


_Row = tuple[_Figures, NumaCell]


def _threads(numa: Numa, row: _Row, threads: Mapping[int, int]) -> int | None:
    if numa.reported is not None:
        return None
    return threads[row[1].cpu_node] if row[0].kernel else 1


def _data(numa: Numa, figures: Sequence[_Figures]) -> Data[_Row]:
    threads = {each.node: len(each.cpus) for each in numa.cpu_nodes}
    alone = {each.node: each.memory_only for each in numa.memory_nodes}
    return Data(
        columns=[
            Datum("figure", lambda each: "bandwidth" if each[0].kernel else "latency"),
            Datum("kernel", lambda each: each[0].kernel),
            Datum("store", lambda each: each[1].store),
            Datum("cpu_node", lambda each: each[1].cpu_node),
            Datum("memory_node", lambda each: each[1].memory_node),
            Datum("memory_only", lambda each: alone[each[1].memory_node]),
            Datum("threads", lambda each: _threads(numa, each, threads)),
            Datum("unit", lambda each: each[0].unit.name),
            Datum("median", lambda each: each[0].scaled(each[1].median)),
            Datum("low", lambda each: each[0].scaled(each[1].low)),
            Datum("high", lambda each: each[0].scaled(each[1].high)),
            Datum("n", lambda each: each[1].n),
            Datum("over_local", lambda each: each[1].over_local),
        ],
        rows=[(each, cell) for each in figures for cell in each.cells],
    )
