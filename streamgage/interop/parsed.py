"""The result of parsing a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from streamgage.interop.charts import AnyChart
from streamgage.interop.tables import Table


@dataclass(frozen=True)
class Parsed:
    """Tables and charts, one at least, and sentences about what was left out of them."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = field(default=())
    charts: tuple[AnyChart, ...] = field(default=())
