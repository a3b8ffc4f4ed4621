"""The times that STREAM prints next to the rates, and operations: each declared once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from streamgage.results.measure.document import KernelResult
from streamgage.show.page import DASH, Cell, Column, Datum, Table, Unit
from streamgage.units import format_figure, format_milliseconds

MILLISECONDS = Unit(
    "ms", format_milliseconds, lambda half, _: format_milliseconds(half), factor=1e3
)
GFLOPS = Unit(
    "GFlop/s", format_figure, lambda half, _: f"{half:.2f}" if half < 9.995 else format_figure(half)
)


@dataclass(frozen=True)
class Quantity:
    """A field of ``KernelResult`` with its unit, for tables, and by its name for data."""

    field: str
    title: str
    unit: Unit
    may_go: int
    """When a narrow terminal may leave it out, as for a column."""
    about: str = ""

    def value(self, result: KernelResult) -> float | None:
        """The value in the result."""
        found: float | None = getattr(result, self.field)
        return found

    def cell(self, result: KernelResult) -> Cell:
        """The figure, or a dash."""
        value = self.value(result)
        return Cell(DASH) if value is None else Cell("", value, unit=self.unit)


QUANTITIES = (
    Quantity("best_seconds", "best ms", MILLISECONDS, 3),
    Quantity("mean_seconds", "mean ms", MILLISECONDS, 1),
    Quantity("worst_seconds", "worst ms", MILLISECONDS, 2),
    Quantity("deviation_seconds", "sd ms", MILLISECONDS, 5, "standard deviation of the sample"),
    Quantity("gflops", "GFlop/s", GFLOPS, 4, "at the median"),
)


def data() -> Sequence[Datum[KernelResult]]:
    """A column of data for each."""
    return [Datum(each.field, each.value) for each in QUANTITIES]


def times_table(
    results: Sequence[KernelResult], name: Callable[[KernelResult], str]
) -> Table[KernelResult]:
    """A row for each variant that has a sample."""
    rows = [each for each in results if each.mean_seconds is not None]
    head: Column[KernelResult] = Column("kernel, stores", lambda each: Cell(name(each)), left=True)
    return Table(
        columns=[
            head,
            *(
                Column(each.title, each.cell, may_go=each.may_go, about=each.about)
                for each in QUANTITIES
            ),
        ]
        if rows
        else [],
        rows=rows,
        title="Times of one pass over the arrays",
        legend=True,
    )
