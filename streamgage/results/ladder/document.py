"""What ``streamgage ladder`` measures, as one document: what ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting, sizes bytes. What is not known
is ``None``.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from streamgage.analysis.hierarchy import LevelInUse, Mode
from streamgage.analysis.statistics.estimate import PositiveEstimate
from streamgage.records import BenchmarkOutput
from streamgage.records.quantities import (
    Amount,
    Count,
    Hertz,
    Members,
    Number,
    NumberList,
    Positive,
    Size,
    Some,
)
from streamgage.results.document import Document

ProgramName = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class LadderPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One working set."""

    bytes: Size
    """Size of all arrays that the kernel uses; with ``throughput``, those of one thread."""
    array_bytes: Size | None = None
    """Size of each array, where another benchmark says it."""
    gbps: PositiveEstimate
    """Bandwidth of all threads together."""
    rounds: Members
    samples: Count


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A level of the memory hierarchy, as the curve shows it."""

    level: str
    """``L1``, ``L2``, ``L3`` or ``memory``; ``L2-L3`` where the curve does not separate them."""
    low_bytes: Size
    high_bytes: Size
    """The smallest and the largest working set whose points make the plateau."""
    gbps: PositiveEstimate
    """The median of these points, and the extremes of their figures."""
    points: Members
    bytes_per_cycle: Amount | None
    """Bytes per cycle of one core; ``None`` if its clock is unknown."""
    effective_bytes: Size | None
    """The working set at which bandwidth has fallen half of the way (geometrically) to the next
    plateau; ``None`` for memory."""
    claimed_bytes: Size | None
    """The size that the caches in use report, on the same scale; ``None`` for memory."""


class LadderCurve(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one kind of stores in one mode, over the working sets."""

    mode: Mode
    kernel: str
    store: str
    """The kind of stores; for another benchmark the name of its test or its stores, or empty if it
    does not say."""
    threads: Members | None
    """``None`` if another benchmark does not say it."""
    flops_per_byte: Amount | None = None
    """Floating-point operations for each nominal byte; ``None`` if it is not known, as in results
    of earlier versions."""
    core_hertz: Hertz | None
    """The clock of the first core right after the kernels, median over the runs of the mode;
    ``None`` if it is not known."""
    points: Annotated[list[LadderPoint], Some]
    steps: list[Step]


class ProgramPoint(msgspec.Struct, frozen=True, kw_only=True):
    """What the user reports about a program, for the roofline."""

    name: ProgramName
    flops: Amount
    """Floating-point operations."""
    bytes: Positive
    """Bytes that crossed the memory bus."""
    seconds: Positive


class LadderRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run, in the order in which they ran."""

    round: Members
    """Number of the round, from 1. Each round measures every point once, in random order."""
    mode: Mode
    kernel: str
    bytes: Size
    failure: str | None
    """Why its figures are in no point; ``None`` if they are."""
    records: str | None
    """File of its records; ``None`` if they were not kept."""


class SameMode(msgspec.Struct, frozen=True, kw_only=True):
    """A mode that was not measured, because with one thread it is the same as another."""

    mode: Mode
    same_as: Mode


class Ladder(Document, frozen=True, kw_only=True, tag="ladder"):
    """The result of ``streamgage ladder``. Points that could not be measured are left out."""

    threads: Members | None
    """Number of threads in the modes that use several; ``None`` if it is not said."""
    cpus: NumberList | None
    """The CPUs of the threads in their order; ``None`` if they were not bound."""
    rounds: Members
    """The requested number of rounds."""
    seed: Number | None
    """Seed for the order of the points in the rounds; ``None`` of another benchmark."""
    levels: list[LevelInUse]
    curves: list[LadderCurve]
    runs: list[LadderRun]
    left_out: list[SameMode]
    programs: list[ProgramPoint] = msgspec.field(default_factory=list)
    """The user's programs, which the roofline shows."""
    reported: BenchmarkOutput | None = None
    """What another benchmark says of itself, where the figures are from its output."""
    last_level_cache_bytes: Size | None = None
    """All last-level caches in use together, where the user says it of another benchmark."""
