"""Transfers between the host and its GPUs as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) and count each byte once; latencies are seconds.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records import BenchmarkOutput
from streamgage.records.quantities import Positive, Some, refuse_unknown
from streamgage.results.document import Document

RATE_UNIT = "GB/s"
LinkUnit = Literal["GB/s", "s"]
PlaceName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
"""The name of a place, such as ``CPU 0`` or ``GPU 3``."""
TestName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class LinkCell(msgspec.Struct, frozen=True, kw_only=True):
    """One figure, for transfers between two places."""

    row: PlaceName
    column: PlaceName
    value: Positive


class LinkTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test. Its description says what it copies."""

    test: TestName
    description: str
    """The benchmark's own words: ``memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)``."""
    unit: LinkUnit
    rows: Annotated[list[PlaceName], Some]
    columns: Annotated[list[PlaceName], Some]
    cells: Annotated[list[LinkCell], Some]
    """The figures. Pairs of places without one (``N/A``) are left out."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a cell names a row or column that is not listed."""
        for each in self.cells:
            refuse_unknown("row", each.row, self.rows)
            refuse_unknown("column", each.column, self.columns)


class Links(Document, frozen=True, kw_only=True, tag="links"):
    """The result of ``streamgage links``."""

    devices: list[str]
    """The GPUs that the output names, in its order."""
    tests: Annotated[list[LinkTest], Some]
    waived: list[str]
    """The tests without a figure, each with the benchmark's reason."""
    reported: BenchmarkOutput
