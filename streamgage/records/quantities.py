"""What the fields of records and documents may hold: each number has a type with its range.

The ranges are those of all machines that there are, with room above them. So no arithmetic on
values that were read from a file overflows, divides by zero, or makes a list that fills the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Annotated, Any

from msgspec import Meta

MOST_SECONDS = 1e9
_MOST_RATIO = 1e12
_MOST_BYTES = 1 << 60
_MOST_EXACT = 1 << 53
"""What a double holds exactly, and so what every reader of JSON reads as it is written."""
_MOST_MEMBERS = 1 << 17
_MOST_KINDS = 64
"""The most CPUs, threads, nodes or rounds of a machine or of a run, and the most kinds of them."""


def checked_by(check: Callable[[Any], None]) -> Meta:
    """A condition that JSON Schema cannot express: ``check`` raises ``ValueError``.

    ``streamgage.records.foreign`` applies it, where it applies the ranges.
    """
    return Meta(extra={"check": check})


def refuse_unknown(field: str, value: object, known: Collection[object]) -> None:
    """Raise ``ValueError`` if ``value`` is none of ``known``: for ``consistent``."""
    if value not in known:
        raise ValueError(f"Expected `{field}` to be in the same result, got `{value}`")


def _check_list(text: str) -> None:
    _count(text)


def _check_lists(texts: list[str]) -> None:
    if sum(map(_count, texts)) > _MOST_MEMBERS:
        raise ValueError(f"Expected at most {_MOST_MEMBERS} numbers in all")


def _count(text: str) -> int:
    """How many numbers it has, by the ends of its ranges: what it stands for is not made."""
    total = 0
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        total += high - low + 1
        if high < low:
            raise ValueError(f"Expected ranges that ascend, got `{part}`")
        if high >= _MOST_MEMBERS:
            raise ValueError(f"Expected numbers < {_MOST_MEMBERS}, got `{part}`")
    if total > _MOST_MEMBERS:
        raise ValueError(f"Expected at most {_MOST_MEMBERS} numbers")
    return total


def _check_time(text: str) -> None:
    try:
        datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("Expected a time in ISO 8601") from error


def _check_name(text: str) -> None:
    path = PurePosixPath(text)
    if path.is_absolute() or not path.parts or ".." in path.parts:
        raise ValueError("Expected the name of a file within a folder")


Seconds = Annotated[float, Meta(gt=0, le=MOST_SECONDS)]
"""How long something took that is divided by."""
Duration = Annotated[float, Meta(ge=0, le=MOST_SECONDS)]
"""How long something took, or was to take, in seconds; 0: no time."""
CpuSeconds = Annotated[float, Meta(ge=-MOST_SECONDS, le=MOST_SECONDS)]
"""A difference of two readings that are coarse, so that it may be slightly below zero."""
Rate = Annotated[float, Meta(gt=0, le=_MOST_RATIO)]
"""GB/s, 10^9 bytes per second."""
RateFrom0 = Annotated[float, Meta(ge=0, le=_MOST_RATIO)]
"""A bound or a difference of rates, which may be 0."""
Amount = Annotated[float, Meta(ge=0, le=_MOST_RATIO)]
"""A ratio of figures, or a figure of any unit that is at least 0."""
Positive = Annotated[float, Meta(gt=0, le=_MOST_RATIO)]
"""A rate or a latency."""
Difference = Annotated[float, Meta(ge=-_MOST_RATIO, le=_MOST_RATIO)]
"""A relative difference."""
Share = Annotated[float, Meta(ge=0, le=1)]
Computed = Annotated[float, Meta(ge=-1e300, le=1e300)]
"""What a kernel computes: nothing is calculated from it."""
Hertz = Annotated[float, Meta(gt=0, le=1e12)]
ByteCount = Annotated[int, Meta(ge=0, le=_MOST_BYTES)]
Size = Annotated[int, Meta(ge=1, le=_MOST_BYTES)]
"""Bytes of a working set."""
ByteAmount = Annotated[float, Meta(ge=-1e21, le=1e21)]
"""Bytes that are calculated: without what the idle machine moves it may be below 0."""
Count = Annotated[int, Meta(ge=0, le=_MOST_EXACT)]
CountFrom1 = Annotated[int, Meta(ge=1, le=_MOST_EXACT)]
Number = Annotated[int, Meta(ge=-_MOST_EXACT, le=_MOST_EXACT)]
"""Any whole number, such as a status."""
Members = Annotated[int, Meta(ge=1, le=_MOST_MEMBERS)]
"""How many of what is there: threads, ranks, rounds."""
MembersFrom0 = Annotated[int, Meta(ge=0, le=_MOST_MEMBERS)]
Position = Annotated[int, Meta(ge=0, lt=_MOST_MEMBERS)]
"""The number of a CPU, a core, a node, a package, a rank."""
Positions = Annotated[list[Position], Meta(max_length=_MOST_MEMBERS)]
Seat = Annotated[int, Meta(ge=-1, lt=_MOST_MEMBERS)]
"""A thread's ``Position``; -1: the system did not report it."""
Seats = Annotated[list[Seat], Meta(max_length=_MOST_MEMBERS)]
NumberList = Annotated[
    str,
    Meta(pattern=r"^$|^[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\Z"),
    checked_by(_check_list),
]
"""CPUs or NUMA nodes by the numbers of the system: ``0-3,8``; empty: none."""
NumberLists = Annotated[list[NumberList], checked_by(_check_lists)]
"""Lists of which none shares a number with another."""
FileName = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f\x7f]+\Z", max_length=4096), checked_by(_check_name)
]
"""Path of a file in a result, relative to the result."""
Some = Meta(min_length=1)
"""A list that is not empty."""
Few = Meta(max_length=_MOST_KINDS)
"""A list of the few kinds of a thing that a machine has many of."""
Time = Annotated[str, checked_by(_check_time)]
"""ISO 8601."""
