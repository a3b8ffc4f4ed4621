"""What was seen of the memory traffic: the document that ``streamgage traffic --json`` writes.

Rates are in GB/s (10^9 bytes per second), averaged over each interval, of all that the machine
moved: nothing is subtracted. An unknown value is ``None`` (null in JSON), never 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.plan import Mix
from streamgage.records.quantities import (
    Amount,
    Count,
    Duration,
    Number,
    Rate,
    RateFrom0,
    Time,
)
from streamgage.results.document import Document

VerdictAnswer = Literal[
    "bound", "partly", "not-bound", "cannot-tell", "unbalanced", "balanced", "too-little"
]

Bytes = Annotated[float, msgspec.Meta(ge=0, le=1e21)]


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Rates in GB/s; reads and writes are ``None`` if the source does not distinguish them."""

    read_gbps: RateFrom0 | None
    written_gbps: RateFrom0 | None
    total_gbps: RateFrom0 | None
    local_gbps: RateFrom0 | None = None
    """Part of the total that memory next to the asking CPUs gave and took; ``None`` if the source
    does not say."""

    @property
    def read_share(self) -> float | None:
        """Reads as a share of reads and writes; ``None`` if unknown, or if nothing was moved."""
        if self.read_gbps is None or self.written_gbps is None:
            return None
        return _share(self.read_gbps, self.read_gbps + self.written_gbps)

    @property
    def local_share(self) -> float | None:
        """The local part as a share of the total; ``None`` if unknown, or if nothing was moved."""
        if self.local_gbps is None or self.total_gbps is None:
            return None
        return _share(self.local_gbps, self.total_gbps)


def _share(part: float, whole: float) -> float | None:
    return min(1.0, part / whole) if whole > 0 else None


class SeenInterval(msgspec.Struct, frozen=True, kw_only=True):
    """One interval; ``domains`` are in the order of the document's ``domains``."""

    start: Duration
    """Seconds since the first reading."""
    seconds: Duration
    whole: Rates
    domains: list[Rates]
    reasons: list[str | None]
    """For each domain, why its rates are ``None``."""


class Volume(msgspec.Struct, frozen=True, kw_only=True):
    """The traffic of one memory domain, or of all, in the time that it could be counted."""

    name: str
    """``package 0``, ``node 1``, ``the machine``, or ``together``."""
    bytes_read: Bytes | None
    bytes_written: Bytes | None
    bytes_total: Bytes | None
    """Bytes of the counted intervals: less than all bytes if ``lost_seconds`` is above 0."""
    bytes_local: Bytes | None = None
    """The part of these bytes that crossed the bus of memory local to the CPUs that asked."""
    average: Rates
    """Average over the counted intervals; the total only over those with every domain counted."""
    peak_gbps: RateFrom0 | None
    """The rate of the busiest interval."""
    share: Amount | None
    """Share of the bytes of all domains, in the intervals in which all of them were counted."""
    lost_seconds: Duration
    """Seconds of the intervals that could not be counted."""
    reason: str | None
    """Why these could not be counted."""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest hardware rate of an earlier run of ``measure`` on this machine."""

    gbps: RateFrom0
    kernel: str
    store: str
    evidence: Literal["measured", "inferred", "excluded", "exact"]
    """``exact``: the kernel reads what it overwrites, or stores nothing, so its nominal bytes are
    those that crossed the memory bus."""
    threads: Count
    time: Time
    """When that run started, ISO 8601, UTC."""
    file: str
    limit: Literal["cores", "memory", "quota"] | None
    """What limited that run."""


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the source's figures are believed."""

    state: Literal["calibrated", "not-calibrated", "rejected", "impossible", "replayed", "own"]
    """``calibrated``: it saw the traffic of known kernels in an earlier run of ``measure`` on this
    machine; ``rejected``: it did not; ``impossible``: it shows more than the theoretical peak;
    ``own``: the program counts its bytes itself."""
    text: str

    @property
    def refused(self) -> bool:
        """``True`` if the source is known to be wrong."""
        return self.state in ("rejected", "impossible")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question, with its figures in the text."""

    question: Literal["bandwidth", "numa"]
    answer: VerdictAnswer
    text: str


CurveState = Literal["free", "slowed", "bound", "beyond", "unknown"]
"""The state of an interval on the curve of latency. ``free``: about the latency without a load.
``slowed``: 1.5 times that or more. ``bound``: 80 % of the highest bandwidth or more. ``beyond``:
above the curve. ``unknown``: not counted."""


class CurvePlace(msgspec.Struct, frozen=True, kw_only=True):
    """The place of one interval on the curve: a range if the mix of reads and writes is unknown."""

    start: Duration
    seconds: Duration
    state: CurveState
    gbps: RateFrom0 | None = None
    mix: Mix | None = None
    """The curve that it was put on; ``None``: on all of them."""
    share_low: Amount | None = None
    """Share of the highest bandwidth of the curve; ``None``: the load did not fill the memory."""
    share_high: Amount | None = None
    latency_low: Amount | None = None
    """Seconds that a load takes there; ``None`` above the curve."""
    latency_high: Amount | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Intervals of one state that follow each other."""

    state: CurveState
    start: Duration
    seconds: Duration
    gbps: RateFrom0 | None
    """Average bandwidth."""
    latency_low: Amount | None
    latency_high: Amount | None


class CurveLine(msgspec.Struct, frozen=True, kw_only=True):
    """The curve of one mix of reads and writes, up to its highest bandwidth."""

    mix: Mix
    gbps: list[RateFrom0]
    seconds: list[Amount]
    """The latency of a load at these bandwidths."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a bandwidth has no latency."""
        if len(self.gbps) != len(self.seconds):
            raise ValueError("Expected a latency for each bandwidth")


class OnCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The intervals on the machine's curve of latency over bandwidth."""

    file: str
    """The result of ``latency`` that the curve is of."""
    lines: list[CurveLine]
    """A line for each measured mix."""
    apart: bool
    """``True`` if reads and writes were counted apart."""
    places: list[CurvePlace]
    """A place for each interval."""
    phases: list[Phase]
    missing: list[str]
    """Sentences about unknown facts, and what they mean."""
    doubts: list[str]
    """Why the curve may not hold for these intervals: a sentence each."""
    text: str
    """The conclusion."""


class TrafficResult(Document, frozen=True, kw_only=True, tag="traffic"):
    """Everything that was seen, and what it means."""

    source: str
    source_trust: Trust
    by_asker: bool
    """``True`` if domains are the packages that asked for the bytes, from any memory (resctrl).
    Otherwise they are the domains whose memory moved the bytes."""
    replayed: bool
    """Whether the figures are those of a recording or a made-up machine, not of this machine."""
    command: list[str] | None
    """The program that ran during the watch."""
    exit_status: Number | None
    """The exit status of that program, as a shell shows it."""
    seconds: Duration
    running_share: Amount
    """Smallest share of the time in which the events counted; below 1 they were multiplexed."""
    whole: Volume
    domains: list[Volume]
    ceiling: Ceiling | None
    ceiling_reason: str | None
    """Why there is no ceiling."""
    peak_gbps: Rate | None
    """Theoretical peak of the memory."""
    peak_detail: str | None
    """The source of the peak."""
    verdicts: list[Verdict]
    intervals: list[SeenInterval]
    curve: OnCurve | None = None
    """The places on a curve of ``latency``, if one was named."""
    failure: str | None
    """Why counting ended early."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if an interval lacks a domain or a place on the curve."""
        for each in self.intervals:
            if {len(each.domains), len(each.reasons)} != {len(self.domains)}:
                raise ValueError("Expected rates and a reason for each domain in every interval")
        if self.curve is not None:
            starts = [each.start for each in self.curve.places]
            if starts != [each.start for each in self.intervals]:
                raise ValueError("Expected a place on the curve for every interval")
