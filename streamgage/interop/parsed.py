"""What is read from the output of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgage.interop.charts import AnyChart
from streamgage.interop.tables import Table


@dataclass(frozen=True)
class ParsedOutput:
    """The tables and charts of an output, at least one, and notes on what was left out."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = field(default=())
    charts: tuple[AnyChart, ...] = field(default=())
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Why the output of a label could not be read, by the label."""
