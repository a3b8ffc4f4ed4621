"""A part of a scaling or of a series over sizes that another benchmark printed."""

from __future__ import annotations

import msgspec

from streamgage.records.quantities import ByteCount, Members
from streamgage.results.measure.document import KernelResult, PeakResult
from streamgage.results.measure.facts import AnyFact


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """The tables for one number of workers and one size of the arrays."""

    n: Members | None
    """The number of workers; ``None`` if the output does not state it."""
    array_bytes: ByteCount | None
    peak: PeakResult | None = None
    kernels: list[KernelResult]
    findings: list[AnyFact]
    """The findings, most important first."""
