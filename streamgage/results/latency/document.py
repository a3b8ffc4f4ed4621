"""The answer of ``streamgage latency`` as one document: what ``--format json`` prints.

Latencies are seconds of a load that depends on the one before, rates GB/s (10^9 bytes a second)
that crossed the memory bus, sizes bytes. What is not known is ``None``.
"""

from __future__ import annotations

import msgspec

from streamgage.analysis.statistics.estimate import Estimate
from streamgage.plan import Mix
from streamgage.results.document import Document

MIX_NAMES = {"reads": "reads alone", "2:1": "2 reads a write", "1:1": "1 read a write"}
"""What the mixes of reads and writes are called, in their order."""


class IdlePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One working set, with nothing else at work."""

    bytes: int
    seconds: Estimate
    rounds: int


class IdleStep(msgspec.Struct, frozen=True, kw_only=True):
    """A level of the memory hierarchy, as the curve shows it."""

    level: str
    """``L1``, ``L2``, ``L3`` or ``memory``; ``L2-L3`` where the curve does not tell them apart."""
    low_bytes: int
    high_bytes: int
    seconds: Estimate
    """The median of the points of the plateau, and the extremes of their figures."""
    effective_bytes: int | None
    """Where latency has risen half of the way (geometrically) to the next plateau; ``None`` for
    memory."""
    claimed_bytes: int | None


class LoadedPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Memory at one pace of the loading threads."""

    share: float
    """Of the highest rate, as it was asked of them; 0: no load."""
    gbps: Estimate
    """What crossed the bus by them; the one walking thread adds a line a load."""
    seconds: Estimate
    rounds: int
    """That count."""
    windows: int
    """Parts of the rounds, each of which gives a rate and a latency."""
    windows_left_out: int
    """Those in which threads stood still, because something else had their CPUs."""


class LoadCurve(msgspec.Struct, frozen=True, kw_only=True):
    """One mix of reads and writes, from no load to as much as goes."""

    mix: Mix
    kernel: str
    generators: int
    """Threads that loaded the memory."""
    points: list[LoadedPoint]
    """By ``share``."""
    unloaded_seconds: float | None
    best_gbps: float
    best_share: float
    onset_gbps: float | None
    """The rate at which latency is twice the unloaded one, between two points by interpolation;
    ``None`` where it never is."""
    decline_gbps: float | None
    """The rate with all that the threads can do, where that is less than the best beyond the
    noise; else ``None``."""


class Latency(Document, frozen=True, kw_only=True, tag="latency"):
    """The whole answer."""

    cpu: int | None
    """Of the thread that walked."""
    cpus: str | None
    """Of the threads that loaded the memory; ``None`` without any."""
    rounds: int
    """That were measured to their end."""
    seed: int | None
    """Of the order within the rounds."""
    taken: float | None
    """Share of the CPUs' time that other programs and the hypervisor took; ``None`` where it is
    not known."""
    idle: list[IdlePoint]
    steps: list[IdleStep]
    loaded: list[LoadCurve]
    left_out: list[Mix]
    """Mixes that were not measured, because one CPU cannot walk and load the memory at once."""
