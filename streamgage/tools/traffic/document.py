"""What was seen of the memory traffic: the document that ``streamgage traffic --json`` writes.

``schema/traffic.schema.json`` is generated from these types. Rates are GB/s (10^9 bytes a second),
averaged over each interval, of all that the machine moved: nothing is subtracted. What is not known
is null, never 0.
"""

from __future__ import annotations

from typing import Literal

import msgspec

VerdictAnswer = Literal[
    "bound", "partly", "not-bound", "cannot-tell", "unbalanced", "balanced", "too-little"
]


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """GB/s; reads and writes are null where the source does not tell them apart."""

    read_gbps: float | None
    written_gbps: float | None
    total_gbps: float | None


class SeenInterval(msgspec.Struct, frozen=True, kw_only=True):
    """One interval; ``domains`` are in the order of the document's."""

    start: float
    """Seconds since the first reading."""
    seconds: float
    whole: Rates
    domains: list[Rates]
    reasons: list[str | None]
    """By domain, why its rates are null."""


class Volume(msgspec.Struct, frozen=True, kw_only=True):
    """What one memory domain moved, or all together, in the time that it could be counted."""

    name: str
    """``package 0``, ``node 1``, ``the machine``, or ``together``."""
    bytes_read: float | None
    bytes_written: float | None
    bytes_total: float | None
    """Of the intervals that were counted: less than all where ``lost_seconds`` is above 0."""
    average: Rates
    """Over the intervals that were counted; of all together, those in which all domains were."""
    peak_gbps: float | None
    """Of the busiest interval."""
    share: float | None
    """Of the bytes of all domains, in the intervals in which all of them were counted."""
    lost_seconds: float
    """Seconds of the intervals that could not be counted."""
    reason: str | None
    """Why they could not."""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest hardware rate of an earlier run of ``measure`` on this machine."""

    gbps: float
    kernel: str
    store: str
    evidence: Literal["measured", "inferred", "excluded", "exact"]
    """``exact``: the kernel reads what it overwrites, or stores nothing, so that its nominal bytes
    are those that crossed the memory bus."""
    threads: int
    time: str
    """When that run started, ISO 8601, UTC."""
    file: str
    limit: Literal["cores", "memory", "quota"] | None
    """What limited that run."""


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the source's figures are believed."""

    state: Literal["calibrated", "not-calibrated", "rejected", "impossible", "replayed"]
    """``calibrated``: it saw the traffic of known kernels in an earlier run of ``measure`` on this
    machine; ``rejected``: it did not; ``impossible``: it shows more than the theoretical peak."""
    text: str

    @property
    def refused(self) -> bool:
        """It is known to be wrong."""
        return self.state in ("rejected", "impossible")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question, with its figures in the text."""

    question: Literal["bandwidth", "numa"]
    answer: VerdictAnswer
    text: str


class TrafficResult(msgspec.Struct, frozen=True, kw_only=True):
    """All that was seen, and what it means."""

    source: str
    trust: Trust
    by_asker: bool
    """Domains are the packages that asked for the bytes, whichever memory gave them (resctrl);
    else those whose memory did."""
    replayed: bool
    """The figures are a recording's or a made-up machine's, not this machine's."""
    command: list[str] | None
    """The program that ran meanwhile."""
    exit_status: int | None
    """That program's, as a shell has it."""
    seconds: float
    running_share: float
    """Least share of the time that the events really counted; below 1 they were multiplexed."""
    whole: Volume
    domains: list[Volume]
    ceiling: Ceiling | None
    ceiling_reason: str | None
    """Why there is none."""
    peak_gbps: float | None
    """Theoretical peak of the memory."""
    peak_detail: str | None
    """How that is known."""
    verdicts: list[Verdict]
    intervals: list[SeenInterval]
    failure: str | None
    """Why the watch ended early."""
