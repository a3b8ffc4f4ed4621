"""``--format csv``: a line a figure, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from streamgage.results.numa.document import MatrixCell, NumaMatrix

COLUMNS = (
    *("figure", "kernel", "store", "cpu_node", "memory_node", "memory_only", "threads"),
    *("unit", "median", "low", "high", "n", "over_local"),
)


def render(matrix: NumaMatrix) -> str:
    """A header line and a line for each figure, six digits; what is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for kernel in matrix.kernels:
        for cell in kernel.cells:
            what = ["bandwidth", kernel.kernel, cell.store or ""]
            writer.writerow([*what, *_place(matrix, cell), "GB/s", *_figures(cell, 1.0)])
    for cell in matrix.latency:
        place = _place(matrix, cell, threads=1)
        writer.writerow(["latency", "", "", *place, "ns", *_figures(cell, 1e9)])
    return text.getvalue()


def _place(matrix: NumaMatrix, cell: MatrixCell, threads: int | None = None) -> list[str]:
    row = next(each for each in matrix.cpu_nodes if each.node == cell.cpu_node)
    column = next(each for each in matrix.memory_nodes if each.node == cell.memory_node)
    alone = str(column.memory_only).lower()
    return [str(row.node), str(column.node), alone, str(threads or len(row.cpus))]


def _figures(cell: MatrixCell, scale: float) -> list[str]:
    bounded = [
        "" if value is None else f"{value * scale:.6g}"
        for value in (cell.median, cell.low, cell.high)
    ]
    ratio = "" if cell.over_local is None else f"{cell.over_local:.6g}"
    return [*bounded, str(cell.n), ratio]
