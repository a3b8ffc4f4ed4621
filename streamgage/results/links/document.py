"""Transfers between the host and its devices as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) and count each byte once, unless the description of another
benchmark's test says otherwise; latencies are seconds.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.analysis.statistics.intervals import BoundedBy
from streamgage.records import BenchmarkOutput, Device, LinkPath
from streamgage.records.quantities import (
    ByteCount,
    Members,
    Number,
    Positive,
    Some,
    refuse_unknown,
)
from streamgage.results.document import Document

RATE_UNIT = "GB/s"
LinkUnit = Literal["GB/s", "s"]
PlaceName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""The name of a place, such as ``CPU 0`` or ``GPU 3``. Where streamgage measured, ``pinned`` and
``pageable`` are kinds of the host's memory, and ``opencl:0`` is a device."""
TestName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
AxisName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class LinkCell(msgspec.Struct, frozen=True, kw_only=True):
    """One figure, for transfers between two places."""

    row: PlaceName
    column: PlaceName
    value: Positive
    """The median; of another benchmark the figure that it prints."""
    low: Positive | None = None
    """``low`` and ``high`` bound the median: with one round over its samples, with more over the
    rounds. ``None`` for another benchmark."""
    high: Positive | None = None
    bounded_by: BoundedBy = "interval"
    """What the bounds are: an ``interval`` of 95 % confidence, or the ``range`` of fewer than 6
    samples or rounds."""
    n: Members = 1
    """Samples with one round, else rounds."""
    path: LinkPath | None = None
    """How copies between two devices go; ``None`` for others, and for another benchmark."""


class LinkTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test. Its description says what it copies."""

    test: TestName
    description: str
    """Such as ``from the host's memory to the device``; of another benchmark its own words:
    ``memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)``."""
    unit: LinkUnit
    row_axis: AxisName
    """What the rows are, such as ``from memory``."""
    column_axis: AxisName
    """What the columns are, such as ``to device``."""
    rows: Annotated[list[PlaceName], Some]
    columns: Annotated[list[PlaceName], Some]
    cells: Annotated[list[LinkCell], Some]
    """The figures. Pairs of places without one (``N/A``) are left out."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a cell names a row or column that is not listed."""
        for each in self.cells:
            refuse_unknown("row", each.row, self.rows)
            refuse_unknown("column", each.column, self.columns)


class LinkRun(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the engine, in the order in which they ran."""

    round: Members
    """Number of the round, from 1. Each round measures every device and every pair of
    devices once, in random order."""
    device: PlaceName
    """The device, or both devices: ``cuda:0 and cuda:1``."""
    failure: str | None
    """Why its figures are in no cell; ``None`` if they are."""
    records: str | None
    """File of its records; ``None`` if they were not kept."""


class Links(Document, frozen=True, kw_only=True, tag="links"):
    """The result of ``streamgage links``. What could not be measured is left out."""

    devices: list[str]
    """The devices in their order: their ids, or of another benchmark the GPUs that it names."""
    described: list[Device] = msgspec.field(default_factory=list)
    """The devices as its drivers describe them; empty for another benchmark."""
    tests: list[LinkTest]
    waived: list[str]
    """The tests without a figure, each with the benchmark's reason."""
    copy_bytes: ByteCount | None = None
    """The size of each copy; ``None`` if that is not known."""
    rounds: Members = 1
    """The requested number of rounds."""
    seed: Number | None = None
    """Seed for the order of the devices in the rounds; ``None`` of another benchmark."""
    runs: list[LinkRun] = msgspec.field(default_factory=list)
    reported: BenchmarkOutput | None = None
    """What another benchmark says of itself, where the figures are from its output."""
