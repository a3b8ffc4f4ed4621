"""What another benchmark printed, as records: the saved output of a run that was not ours."""

from __future__ import annotations

from typing import Literal

from streamgage.records.base import ElementType, Record, Tool


class Reported(Record, frozen=True, kw_only=True, tag="reported"):
    """The output of another benchmark: what it says of itself. What it does not say is null."""

    tool: Tool
    version: str | None = None
    language: str | None = None
    """``C`` or ``Fortran`` where the output shows which of the programs printed it."""
    threads: int | None = None
    cores: int | None = None
    processor: str | None = None
    array_bytes: int | None = None
    """Bytes of each array."""
    element_type: ElementType | None = None
    tables: int = 1
    """Runs whose tables the file holds, one after the other."""
    validated: bool | None = None
    """Whether the benchmark's own check passed, in all tables; null where none is printed."""


class ReportedRate(Record, frozen=True, kw_only=True, tag="rate"):
    """One line of a table: the rate of one kernel, as ``Variant`` with that id names it."""

    variant: int
    table: int
    """Number of the table in the file, from 0."""
    gbps: float
    """GB/s (10^9 bytes a second), as printed: mostly the best of the repetitions."""
    convention: Literal["nominal", "hardware"] = "nominal"
    """Whether the bytes are those of STREAM's counting, or already hold the lines that stores
    read."""
    seconds: float | None = None
    """Of the best repetition, where it is printed; ``mean_seconds`` and ``worst_seconds`` as
    well."""
    mean_seconds: float | None = None
    worst_seconds: float | None = None
