"""The sources of memory traffic on a machine, as ``streamgage-engine --counters`` prints them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import Record
from streamgage.records.course import DomainTraffic, refuse_bytes_of_no_time
from streamgage.records.quantities import Amount, ByteAmount, Duration, Number, Position


class SourceCounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hardware counter: how it is requested from the kernel, and the bytes that a count means."""

    pmu: str
    event: str
    """The event's alias in the PMU's ``events`` folder, or its terms if it has no alias there."""
    terms: str
    cpu: Position
    type: Number
    config: Annotated[list[str], msgspec.Meta(min_length=4, max_length=4)]
    """The values config, config1, config2 and config3 of the event, in hexadecimal."""
    direction: Literal["read", "write", "both", "local"]
    """What it counts. ``both``: reads and writes together, which cannot be separated. ``local``:
    the part of ``both`` that concerns memory next to the requesting CPUs."""
    bytes_per_count: ByteAmount
    package: Position | None
    node: Position | None


class TrafficSource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A possible source of traffic figures, such as a group of hardware counters."""

    source: str
    state: Literal["available", "rejected", "absent"]
    """``available``: it can be opened and read. Only a calibration shows whether it is right."""
    reason: str | None
    """Why the source is not available; null if it is."""
    remedy: str | None
    """What would make it available; null if nothing is known."""
    notes: list[str]
    machine: str | None
    """The source's row in the table of memory controllers; null if it has none."""
    total_only: bool
    counters: list[SourceCounter]


class Counters(Record, frozen=True, kw_only=True, tag="counters"):
    """All sources of memory traffic that were looked for, the preferred one first."""

    root: str | None
    """The folder whose files replaced those of this system; then no counter was opened."""
    replayed: bool
    """``True`` if the counters were played back from a recording."""
    hypervisor: str | None
    perf_event_paranoid: Number | None
    source: str | None
    """The name of the first available source; null if there is none."""
    sources: list[TrafficSource]


class Interval(Record, frozen=True, kw_only=True, tag="interval"):
    """The bytes that crossed the memory bus in one interval of ``streamgage-engine --traffic``.

    Nothing is subtracted: they are all bytes that the machine moved.
    """

    start: Duration
    """The start of the interval, in seconds since the first reading."""
    seconds: Duration
    """The length of the interval; 0 if no later reading was possible, and then no domain has
    bytes."""
    source: str
    replayed: bool = False
    domains: list[DomainTraffic]
    running_share: Amount
    """The share of the time in which the events really counted; below 1 they were multiplexed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` if bytes moved in an interval without length."""
        refuse_bytes_of_no_time(self.seconds, self.domains)
