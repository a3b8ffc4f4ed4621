"""Tables of the traffic that counters saw on the memory bus, as pcm-memory and others print them.

The figures are those of all programs together. They are traffic and no benchmark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from streamgage.interop import numbers
from streamgage.interop.charts import LinkTable

ABOUT_STORES = (
    "{tool} counts what all programs move, reads of stores among it, and no single kernel. Next to"
    " a STREAM table it shows whether stores read: triad then moves 3 bytes read for each written,"
    " and 2 otherwise."
)
_SLACK = 0.02
"""Figures for the same traffic agree if they differ by at most this share."""


@dataclass(frozen=True)
class Traffic:
    """The traffic of one memory in GB/s; ``None`` for what was not counted."""

    read: float | None = None
    written: float | None = None
    printed: float | None = None
    """The sum that the output itself prints."""

    @property
    def together(self) -> float | None:
        """What was read and written together."""
        if self.read is None or self.written is None:
            return self.printed
        return self.read + self.written


def total_of(parts: Mapping[str, Traffic]) -> Traffic:
    """The traffic of all memories together."""
    return Traffic(
        _sum([each.read for each in parts.values()]),
        _sum([each.written for each in parts.values()]),
        _sum([each.printed for each in parts.values()]),
    )


def _sum(values: list[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return sum(known) if known and len(known) == len(values) else None


def traffic_table(
    test: str,
    description: str,
    rows: Mapping[str, Traffic],
    where: str,
    row_axis: str = "memory of",
) -> tuple[LinkTable | None, str]:
    """Make the table of each row's traffic, and say what contradicts itself in it.

    ``where``: the place of the figures, for messages. The table is ``None`` if it has no figure, or
    one that no memory has.
    """
    cells = tuple((each.read, each.written, each.together) for each in rows.values())
    known = [value for row in cells for value in row if value is not None]
    if not known or max(known) <= 0:
        return None, f"{where} has no traffic above 0"
    if not all(math.isfinite(each) and 0 <= each <= numbers.MOST_GBPS for each in known):
        return None, f"{where} has a rate that no memory has"
    table = LinkTable(
        test=test,
        description=description,
        rows=tuple(rows),
        columns=("read", "written", "together"),
        cells=tuple(
            tuple(None if each is None or each <= 0 else each for each in row) for row in cells
        ),
        unit="GB/s",
        row_axis=row_axis,
        column_axis="GB/s",
    )
    return table, next(filter(None, (_contradiction(each, where) for each in rows.values())), "")


def _contradiction(each: Traffic, where: str) -> str:
    """A sentence's part if read and written are not what was printed for both; else empty."""
    both, printed = each.together, each.printed
    if both is None or printed is None or abs(both - printed) <= _SLACK * max(printed, 1e-3):
        return ""
    return f"{where} has {both:.4g} GB/s read and written, and {printed:.4g} in all"
