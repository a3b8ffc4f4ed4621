"""The result of ``streamgage ladder`` as one document, which ``--format json`` prints.

Rates are GB/s (10^9 bytes per second) by STREAM's nominal counting, sizes are bytes. Unknown values
are ``None``.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from streamgage.analysis.hierarchy import LevelInUse, Mode
from streamgage.analysis.statistics.estimate import PositiveEstimate
from streamgage.records import BenchmarkOutput, Device
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
from streamgage.results.member import Member

ProgramName = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]


class LadderPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The bandwidth of one working set."""

    bytes: Size
    """The size of all arrays that the kernel uses; with ``throughput``, of those of one thread."""
    array_bytes: Size | None = None
    """The size of each array, if another benchmark states it."""
    gbps: PositiveEstimate
    """The bandwidth of all threads together."""
    rounds: Members
    samples: Count


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A level of the memory hierarchy, as the curve shows it."""

    level: str
    """``L1``, ``L2``, ``L3`` or ``memory``; ``L2-L3`` if the curve does not separate them; of a
    device ``cache`` or ``memory``."""
    low_bytes: Size
    high_bytes: Size
    """The largest working set whose point belongs to the plateau; ``low_bytes`` is the smallest."""
    gbps: PositiveEstimate
    """The median of these points, with the extremes of their figures."""
    points: Members
    bytes_per_cycle: Amount | None
    """The bytes per cycle of one core; ``None`` if its clock is unknown."""
    effective_bytes: Size | None
    """The working set at which bandwidth has fallen half of the way (geometrically) to the next
    plateau; ``None`` for memory."""
    claimed_bytes: Size | None
    """The reported size of the caches in use, on the scale of the working sets; ``None`` for
    memory."""


class LadderCurve(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel with one kind of stores in one mode, over the working sets."""

    mode: Mode
    kernel: str
    store: str
    """The kind of stores. For another benchmark it is the name of its test or its stores, or empty
    if it states neither."""
    own: bool = False
    """Whether it is the user's own kernel. On a device each of its passes is a launch."""
    threads: Members | None
    """The number of threads; ``None`` if another benchmark does not state it, and of a device."""
    flops_per_byte: Amount | None = None
    """The floating-point operations per nominal byte; ``None`` if unknown, as in results of earlier
    versions."""
    core_hertz: Hertz | None
    """The clock of the first core right after the kernels, as the median over the runs of the mode;
    ``None`` if it is unknown."""
    points: Annotated[list[LadderPoint], Some]
    steps: list[Step]


class ProgramPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The user's figures for a program, for the roofline."""

    name: ProgramName
    flops: Amount
    """The number of floating-point operations."""
    bytes: Positive
    """The bytes that crossed the memory bus."""
    seconds: Positive


class LadderRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Runs are listed in the order in which they ran."""

    round: Members
    """The number of the round, from 1. Each round measures every point once, in random order."""
    mode: Mode
    kernel: str
    bytes: Size
    failure: str | None
    """Why its figures are left out of the points; ``None`` if they are included."""
    records: str | None
    """The file with its records; ``None`` if they were not kept."""


class SameMode(msgspec.Struct, frozen=True, kw_only=True):
    """A mode that was not measured, because with one thread it is the same as another mode."""

    mode: Mode
    same_as: Mode


class Ladder(Document, frozen=True, kw_only=True, tag="ladder"):
    """The result of ``streamgage ladder``. Points that could not be measured are left out."""

    device: Device | None = None
    """What was measured in place of the machine's processor, as its driver describes it."""
    threads: Members | None
    """The number of threads in the modes that use several; ``None`` if it is unknown, and of a
    device."""
    cpus: NumberList | None
    """The CPUs of the threads in their order; ``None`` if they were not bound."""
    rounds: Members
    """The requested number of rounds."""
    seed: Number | None
    """The seed for the order of the points in the rounds; ``None`` for another benchmark's
    output."""
    levels: list[LevelInUse]
    curves: list[LadderCurve]
    runs: list[LadderRun]
    left_out: list[SameMode]
    programs: list[ProgramPoint] = msgspec.field(default_factory=list)
    """The user's programs, which the roofline shows."""
    reported: BenchmarkOutput | None = None
    """What another benchmark reports about itself, if the figures come from its output."""
    last_level_cache_bytes: Size | None = None
    """The total size of the last-level caches in use, if the user states it for another
    benchmark."""
    members: list[Member] = msgspec.field(default_factory=list)
    """The other benchmark's tables for each size of the arrays, each judged as it would be by
    itself."""
