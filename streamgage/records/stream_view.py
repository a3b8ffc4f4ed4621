"""What STREAM itself would print, as measured next to the other figures of a run."""

from __future__ import annotations

import msgspec

from streamgage.records.base import Record
from streamgage.records.quantities import ByteCount, Count, Members, Seconds, Share


class StreamPasses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The passes of one of STREAM's kernels, without the first, in the order measured."""

    kernel: str
    bytes: ByteCount
    """The bytes of a pass as STREAM counts them."""
    seconds: list[Seconds]
    """The seconds of each whole pass, also where a thread lost its CPU."""
    switches: list[Count]
    """The involuntary context switches of all threads in each pass."""


class PagePairs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Passes of triad in pairs that differ only in the pages of the arrays.

    The threads are bound, and seconds are of the time in which all of them had their CPUs.
    """

    own_seconds: list[Seconds]
    """With the pages of this run."""
    system_seconds: list[Seconds]
    """With the system's default pages."""


class StreamView(Record, frozen=True, kw_only=True, tag="stream-view"):
    """What STREAM itself would print: it has the system's default pages and no bound threads.

    STREAM prints the best of ten passes, the first left out.
    """

    threads: Members
    array_bytes: ByteCount
    huge_share: Share | None
    """The share of an array in huge pages; null if the kernel does not report it."""
    kernels: list[StreamPasses]
    pairs: PagePairs | None
    """Null if memory had no room for the arrays of both."""
