"""``numa``: the matrices as tables and as heat maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamgage.results.numa.blocks import Block, blocks, columns, foot
from streamgage.results.numa.document import MatrixCell, NumaMatrix
from streamgage.results.numa.words import by_place
from streamgage.show.report.drawing import axis
from streamgage.show.report.parts import Cell, Column, Drawing, Figure, Part, Table


def tables(matrix: NumaMatrix) -> Iterator[Part]:
    """Bandwidth of each kernel, then latency."""
    shown = blocks(matrix)
    for block, cells in zip(shown, _matrices(matrix), strict=True):
        yield _table(matrix, block, cells, foot(matrix) if block is shown[-1] else "")


def _matrices(matrix: NumaMatrix) -> list[Sequence[MatrixCell]]:
    found: list[Sequence[MatrixCell]] = [each.cells for each in matrix.kernels]
    return [*found, matrix.latency] if matrix.latency else found


def _table(matrix: NumaMatrix, block: Block, cells: Sequence[MatrixCell], below: str = "") -> Table:
    places = by_place(cells)
    heads = [Column("CPUs of node"), *(Column(f"memory of {head}") for head in columns(matrix))]
    rows = []
    for row, texts in zip(matrix.cpu_nodes, block.rows, strict=True):
        found = [places.get((row.node, column.node)) for column in matrix.memory_nodes]
        figures = [
            Cell(text, None if cell is None else cell.median, strong=column.node == row.node)
            for text, cell, column in zip(texts, found, matrix.memory_nodes, strict=True)
        ]
        rows.append([Cell(str(row.node), row.node), *figures])
    return Table(f"{block.title}: {block.what}", heads, rows, below)


def figures(matrix: NumaMatrix) -> Iterator[Figure]:
    """A heat map a kernel, and one of the latency."""
    for block, cells in zip(blocks(matrix), _matrices(matrix), strict=True):
        latency = cells is matrix.latency
        yield Figure(
            title=f"{block.title}, {'ns a load' if latency else 'GB/s'}",
            about=f"{block.title}, a row for the CPUs of each node, a column for the memory of"
            " each; darker is more.",
            drawings=[_drawing(matrix, block, cells)],
            table=_table(matrix, block, cells),
        )


def _drawing(matrix: NumaMatrix, block: Block, cells: Sequence[MatrixCell]) -> Drawing:
    places = by_place(cells)
    rows = [str(each.node) for each in matrix.cpu_nodes]
    heads = columns(matrix)
    found = [
        [places.get((row.node, column.node)) for column in matrix.memory_nodes]
        for row in matrix.cpu_nodes
    ]
    trace = {
        "type": "heatmap",
        "x": heads,
        "y": rows,
        "z": [[None if each is None else each.median for each in row] for row in found],
        "text": block.rows,
        "texttemplate": "%{text}",
        "hovertemplate": "CPUs of node %{y}, memory of %{x}: %{text}<extra></extra>",
        "colorscale": "heat",
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    layout = {
        "xaxis": axis("memory of node", type="category", showgrid=False),
        "yaxis": axis("CPUs of node", type="category", autorange="reversed", showgrid=False),
    }
    return Drawing("", [trace], layout)
