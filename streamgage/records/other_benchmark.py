"""What another benchmark printed, as records: the saved output of a run that was not ours."""

from __future__ import annotations

from typing import Literal

import msgspec

from streamgage.records.base import ElementType, Record, Tool
from streamgage.records.quantities import ByteCount, Count, Members, Rate, Seconds

UNKNOWN_STORES = "unknown"
"""What a variant has as its kind of stores where the output does not say it."""


class Reported(Record, frozen=True, kw_only=True, tag="reported"):
    """The output of another benchmark: what it says of itself. What it does not say is null."""

    tool: Tool
    version: str | None = None
    language: str | None = None
    """``C`` or ``Fortran`` where the output shows which of the programs printed it."""
    threads: Members | None = None
    cores: Members | None = None
    processor: str | None = None
    array_bytes: ByteCount | None = None
    """Bytes of each array; where arrays differ, of the smallest."""
    largest_array_bytes: ByteCount | None = None
    """Bytes of the largest array, where arrays differ."""
    element_type: ElementType | None = None
    tables: Members = 1
    """Runs whose tables the file holds, one after the other."""
    validated: bool | None = None
    """``True`` if the benchmark's own check passed, in all tables; null if none is printed."""
    line: Count | None = None
    """Line of the file in which the first table begins."""
    heading: str | None = None
    """The heading above the table, if there is one."""
    cut_off: str | None = None
    """What is missing because the output breaks off, and the reason that it gives."""
    corrections: list[str] = msgspec.field(default_factory=list)
    """Sentences about contradictions in the output, and what its other figures prove."""
    clock_seconds: Seconds | None = None
    """The granularity of the clock, as the benchmark found it."""
    repetitions: Count | None = None
    """How often each kernel was run."""
    warnings: list[str] = msgspec.field(default_factory=list)
    """What the benchmark itself warns of."""
    idle_latencies_ns: list[list[Rate]] = msgspec.field(default_factory=list)
    """Nanoseconds from each node, a row, to the memory of each node."""


class ReportedRate(Record, frozen=True, kw_only=True, tag="rate"):
    """One line of a table: the rate of one kernel, as ``Variant`` with that id names it."""

    variant: Count
    table: Count
    """Number of the table in the file, from 0."""
    gbps: Rate
    """GB/s (10^9 bytes per second), as printed: mostly the best of the repetitions."""
    convention: Literal["nominal", "hardware"] = "nominal"
    """Whether the bytes are those of STREAM's counting, or already hold the lines that stores
    read.
    """
    seconds: Seconds | None = None
    """Seconds of the best repetition, if printed; ``mean_seconds`` and ``worst_seconds``
    likewise."""
    mean_seconds: Seconds | None = None
    worst_seconds: Seconds | None = None
