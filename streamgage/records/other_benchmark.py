"""The output of another benchmark, as records."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from streamgage.records.base import ElementType, Record
from streamgage.records.quantities import Amount, ByteCount, Count, Members, Rate, Seconds

Tool = Annotated[str, Meta(min_length=1, max_length=64)]
"""The name of a benchmark, or of a program that counts the traffic of others."""
Printed = Literal["best", "whole-run", "traffic"]
"""What the rates of an output are: the best of the repetitions; the rate over a whole run, which is
compared with a median; or the traffic of other programs, which is no bandwidth."""
UNKNOWN_STORES = "unknown"
"""The kind of stores of a variant, if the output does not say it."""


class FailedCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a benchmark's own check that did not pass."""

    what: str
    """The result that deviated, as the benchmark names it: ``a[]`` or ``sum``."""
    kernels: list[str]
    """The kernels that computed it."""
    error: Amount | None = None
    """The relative error."""
    limit: Amount | None = None
    """The relative error up to which the benchmark lets it pass."""
    rounding: Amount | None = None
    """The relative error that rounding alone may make; ``None`` if that is not known."""

    @property
    def is_rounding(self) -> bool:
        """``True`` if rounding alone explains it."""
        return self.error is not None and self.rounding is not None and self.error <= self.rounding


class BenchmarkOutput(Record, frozen=True, kw_only=True, tag="reported"):
    """What the output of another benchmark says about itself; null is what it does not say."""

    tool: Tool
    prints: Printed = "best"
    """What its rates are."""
    version: str | None = None
    language: str | None = None
    """``C`` or ``Fortran``, if the output shows which version of the program printed it."""
    threads: Members | None = None
    cores: Members | None = None
    processor: str | None = None
    on_gpu: bool = False
    """``True`` if the output says that it ran on a GPU."""
    array_bytes: ByteCount | None = None
    """The bytes of each array; if the arrays differ, of the smallest."""
    largest_array_bytes: ByteCount | None = None
    """The bytes of the largest array, if the arrays differ."""
    element_type: ElementType | None = None
    tables: Members = 1
    """The number of tables in the file, one per run."""
    validated: bool | None = None
    """``True`` if the benchmark's own check passed in all tables; null if it printed none."""
    failures: list[FailedCheck] = msgspec.field(default_factory=list)
    """The parts of its check that did not pass, if it names them; the others passed."""
    line: Count | None = None
    """The line of the file in which the first table begins."""
    heading: str | None = None
    """The heading above the table; null if there is none."""
    cut_off: str | None = None
    """What is missing because the output breaks off, with the reason that it gives."""
    corrections: list[str] = msgspec.field(default_factory=list)
    """Sentences on contradictions in the output, and on what its other figures prove."""
    clock_seconds: Seconds | None = None
    """The granularity of the clock, as the benchmark measured it."""
    printed_seconds: Seconds | None = None
    """One unit of the last digit of its times, which are known to half of that."""
    repetitions: Count | None = None
    """How often each kernel was run."""
    warnings: list[str] = msgspec.field(default_factory=list)
    """Warnings that the benchmark itself printed."""
    methods: dict[str, Rate] = msgspec.field(default_factory=dict)
    """GB/s of each way in which the run did the same work, by its name, if there are several."""
    idle_latencies_ns: list[list[Rate]] = msgspec.field(default_factory=list)
    """Idle latencies in nanoseconds, with a row for each node that accesses and a column for each
    node that is accessed."""


class ReportedRate(Record, frozen=True, kw_only=True, tag="rate"):
    """One line of a table: the rate of the kernel that the ``Variant`` with that id names."""

    variant: Count
    table: Count
    """The number of the table in the file, from 0."""
    gbps: Rate
    """The rate as printed, in GB/s (10^9 bytes per second); usually the best of the repetitions."""
    convention: Literal["nominal", "hardware"] = "nominal"
    """How bytes are counted: ``nominal`` as in STREAM; ``hardware`` also counts the lines that
    stores read first."""
    seconds: Seconds | None = None
    """The seconds of the best repetition, if printed; ``mean_seconds`` and ``worst_seconds``
    likewise."""
    mean_seconds: Seconds | None = None
    worst_seconds: Seconds | None = None
