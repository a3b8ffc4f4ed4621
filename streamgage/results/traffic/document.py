"""Memory traffic as one document, which ``streamgage traffic --json`` writes.

Rates are in GB/s (10^9 bytes per second), averaged over each interval, for everything that the
machine moved: nothing is subtracted. An unknown value is ``None`` (null in JSON), never 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.analysis.grade import Grade
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
    """The part of the total that concerns memory next to the requesting CPUs; ``None`` if the
    source does not count it."""

    @property
    def read_share(self) -> float | None:
        """The share of reads in reads and writes.

        ``None`` if it is unknown, or if nothing was moved.
        """
        if self.read_gbps is None or self.written_gbps is None:
            return None
        return _share(self.read_gbps, self.read_gbps + self.written_gbps)

    @property
    def local_share(self) -> float | None:
        """The share of the local part in the total.

        ``None`` if it is unknown, or if nothing was moved.
        """
        if self.local_gbps is None or self.total_gbps is None:
            return None
        return _share(self.local_gbps, self.total_gbps)


def _share(part: float, whole: float) -> float | None:
    return min(1.0, part / whole) if whole > 0 else None


class SeenInterval(msgspec.Struct, frozen=True, kw_only=True):
    """One interval. Its ``domains`` are in the order of the document's ``domains``."""

    start: Duration
    """The start of the interval, in seconds since the first reading."""
    seconds: Duration
    whole: Rates
    domains: list[Rates]
    reasons: list[str | None]
    """For each domain, why its rates are ``None``."""


class Volume(msgspec.Struct, frozen=True, kw_only=True):
    """The traffic of one memory domain, or of all, in the time that could be counted."""

    name: str
    """The name of the domain: ``package 0``, ``node 1``, ``the machine``, ``the program``
    for its own count, or ``together``."""
    bytes_read: Bytes | None
    bytes_written: Bytes | None
    bytes_total: Bytes | None
    """The bytes of the counted intervals; fewer than all bytes if ``lost_seconds`` is above 0."""
    bytes_local: Bytes | None = None
    """The part of these bytes that concerns memory next to the requesting CPUs."""
    average: Rates
    """The average over the counted intervals. The total only covers those in which every domain was
    counted."""
    peak_gbps: RateFrom0 | None
    """The rate of the busiest interval."""
    share: Amount | None
    """The share of the bytes of all domains, in the intervals in which all of them were counted."""
    lost_seconds: Duration
    """The seconds of the intervals that could not be counted."""
    reason: str | None
    """Why these intervals could not be counted; ``None`` if there are none."""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """The highest hardware rate of an earlier run of ``measure`` on this machine."""

    gbps: RateFrom0
    kernel: str
    store: str
    evidence: Literal["measured", "inferred", "excluded", "exact"]
    """How the rate is known. ``exact``: the kernel reads what it overwrites, or stores nothing, so
    its nominal bytes are those that crossed the memory bus."""
    threads: Count
    time: Time
    """When that run started: ISO 8601, UTC."""
    file: str
    limit: Literal["cores", "memory", "quota"] | None
    """What limited that run."""


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the source's figures are believed, with the reason."""

    state: Literal["calibrated", "not-calibrated", "rejected", "impossible", "replayed", "own"]
    """``calibrated``: it saw the traffic of known kernels in an earlier run of ``measure`` on this
    machine. ``rejected``: it did not. ``impossible``: it shows more than the theoretical peak.
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
``slowed``: at least 1.5 times that. ``bound``: at least 80 % of the highest bandwidth. ``beyond``:
above the curve. ``unknown``: not counted."""


class CurvePlace(msgspec.Struct, frozen=True, kw_only=True):
    """The place of one interval on the curve: a range if the mix of reads and writes is unknown."""

    start: Duration
    seconds: Duration
    state: CurveState
    gbps: RateFrom0 | None = None
    mix: Mix | None = None
    """The mix whose curve it is placed on; ``None`` means the curves of all mixes."""
    share_low: Amount | None = None
    """The share of the curve's highest bandwidth; ``None`` if its load did not fill the memory."""
    share_high: Amount | None = None
    latency_low: Amount | None = None
    """The latency of memory at this place, in seconds; ``None`` above the curve."""
    latency_high: Amount | None = None


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive intervals with the same state."""

    state: CurveState
    start: Duration
    seconds: Duration
    gbps: RateFrom0 | None
    """The average bandwidth."""
    latency_low: Amount | None
    latency_high: Amount | None


class CurveLine(msgspec.Struct, frozen=True, kw_only=True):
    """The curve of one mix of reads and writes, up to its highest bandwidth."""

    mix: Mix
    gbps: list[RateFrom0]
    seconds: list[Amount]
    """The latency of a load at each of these bandwidths, in seconds."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if a bandwidth has no latency."""
        if len(self.gbps) != len(self.seconds):
            raise ValueError("Expected a latency for each bandwidth")


class OnCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The intervals, placed on the machine's curve of latency over bandwidth."""

    file: str
    """The result of ``latency`` that has the curve."""
    lines: list[CurveLine]
    """A line for each measured mix."""
    apart: bool
    """``True`` if reads and writes were counted separately."""
    places: list[CurvePlace]
    """The place of each interval."""
    phases: list[Phase]
    missing: list[str]
    """Sentences about unknown facts, and what they mean."""
    doubts: list[str]
    """Sentences that say why the curve may not apply to these intervals."""
    text: str
    """The conclusion, in a sentence."""
    grade: Grade = "sound"
    """How firm it is."""


class TrafficResult(Document, frozen=True, kw_only=True, tag="traffic"):
    """The traffic that was seen, and what it means."""

    source: str
    source_trust: Trust
    by_asker: bool
    """``True`` if domains are the packages that asked for the bytes, from any memory (resctrl).
    Otherwise they are the domains whose memory moved the bytes."""
    replayed: bool
    """``True`` if the figures are those of a recording or of an emulated machine."""
    command: list[str] | None
    """The program that ran during the measurement; ``None`` if there was none."""
    exit_status: Number | None
    """The exit status of that program, as a shell shows it."""
    seconds: Duration
    running_share: Amount
    """The smallest share of the time in which the events counted; below 1 they were multiplexed."""
    whole: Volume
    domains: list[Volume]
    ceiling: Ceiling | None
    ceiling_reason: str | None
    """Why there is no ceiling; ``None`` if there is one."""
    peak_gbps: Rate | None
    """The theoretical peak of the memory."""
    peak_detail: str | None
    """The source of the peak."""
    verdicts: list[Verdict]
    intervals: list[SeenInterval]
    curve: OnCurve | None = None
    """The intervals on a latency curve; ``None`` if the user named no result of ``latency``."""
    failure: str | None
    """Why counting ended early; ``None`` if it did not."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if an interval lacks a domain or a place on the curve."""
        for each in self.intervals:
            if {len(each.domains), len(each.reasons)} != {len(self.domains)}:
                raise ValueError("Expected rates and a reason for each domain in every interval")
        if self.curve is not None:
            starts = [each.start for each in self.curve.places]
            if starts != [each.start for each in self.intervals]:
                raise ValueError("Expected a place on the curve for every interval")
