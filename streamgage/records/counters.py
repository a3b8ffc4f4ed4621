"""Which sources of memory traffic there are: what ``streamgage-engine --counters`` prints."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from streamgage.records.base import Record
from streamgage.records.course import DomainTraffic, refuse_bytes_of_no_time
from streamgage.records.quantities import Amount, ByteAmount, Duration, Number, Position


class SourceCounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter as the kernel is asked for it, and what one count of it means."""

    pmu: str
    event: str
    """The event's alias in the PMU's ``events`` folder, or its terms if it has none there."""
    terms: str
    cpu: Position
    type: Number
    config: Annotated[list[str], msgspec.Meta(min_length=4, max_length=4)]
    """Config, config1, config2 and config3, in hexadecimal."""
    direction: Literal["read", "write", "both", "local"]
    """``both``: reads and writes in one count, which cannot be distinguished; ``local``: the part
    of it that memory next to the asking CPUs gave and took."""
    bytes_per_count: ByteAmount
    package: Position | None
    node: Position | None


class TrafficSource(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One possible source."""

    source: str
    state: Literal["available", "rejected", "absent"]
    """``available``: it opens and reads; whether it is right shows a calibration."""
    reason: str | None
    """Why it is not available."""
    remedy: str | None
    """What would change that; null where nothing is known."""
    notes: list[str]
    machine: str | None
    """The row of the table of memory controllers; null for a source that has none."""
    total_only: bool
    counters: list[SourceCounter]


class Counters(Record, frozen=True, kw_only=True, tag="counters"):
    """The sources of memory traffic that were looked for, the preferred one first."""

    root: str | None
    """Folder whose files were taken in place of this system's: nothing in it was opened."""
    replayed: bool
    """Counters were played back from a recording."""
    hypervisor: str | None
    perf_event_paranoid: Number | None
    source: str | None
    """The first that is available."""
    sources: list[TrafficSource]


class Interval(Record, frozen=True, kw_only=True, tag="interval"):
    """What crossed the memory bus in one interval of ``streamgage-engine --traffic``.

    Nothing is subtracted: it is all that the machine moved.
    """

    start: Duration
    """Seconds since the first reading."""
    seconds: Duration
    """0 where no later reading was possible: then no domain has bytes."""
    source: str
    replayed: bool = False
    domains: list[DomainTraffic]
    running_share: Amount
    """Share of the time that the events really counted; below 1 they were multiplexed."""

    def consistent(self) -> None:
        """Raise ``ValueError`` for bytes that moved in no time."""
        refuse_bytes_of_no_time(self.seconds, self.domains)
