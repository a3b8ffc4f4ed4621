"""Types for the numbers in records and documents, each with its allowed range.

The ranges cover all existing machines, with room above them. They keep arithmetic on values from a
file from overflowing, from dividing by zero, and from making lists that fill the memory.
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
"""The greatest integer up to which doubles, and so all readers of JSON, are exact."""
_MOST_MEMBERS = 1 << 17
_MOST_KINDS = 64
"""The most kinds of a thing that is listed; ``_MOST_MEMBERS`` limits the number of CPUs, threads,
nodes and rounds."""


def checked_by(check: Callable[[Any], None]) -> Meta:
    """A condition that JSON Schema cannot express.

    ``check`` raises ``ValueError`` if it does not hold. ``streamgage.records.foreign`` applies it
    together with the ranges.
    """
    return Meta(extra={"check": check})


def refuse_unknown(field: str, value: object, known: Collection[object]) -> None:
    """Raise ``ValueError`` if ``value`` is not in ``known``. For use in ``consistent``."""
    if value not in known:
        raise ValueError(f"Expected `{field}` to be in the same result, got `{value}`")


def _check_list(text: str) -> None:
    _count(text)


def _check_lists(texts: list[str]) -> None:
    if sum(map(_count, texts)) > _MOST_MEMBERS:
        raise ValueError(f"Expected at most {_MOST_MEMBERS} numbers in all")


def _count(text: str) -> int:
    """How many numbers the list has, computed from its ranges without expanding them."""
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
"""A time in seconds that is used as a divisor, so it is above 0."""
Duration = Annotated[float, Meta(ge=0, le=MOST_SECONDS)]
"""A time in seconds, which may be 0."""
CpuSeconds = Annotated[float, Meta(ge=-MOST_SECONDS, le=MOST_SECONDS)]
"""A difference of two coarse readings in CPU-seconds, so it may be slightly below zero."""
Rate = Annotated[float, Meta(gt=0, le=_MOST_RATIO)]
"""A rate in GB/s, 10^9 bytes per second."""
RateFrom0 = Annotated[float, Meta(ge=0, le=_MOST_RATIO)]
"""A bound or a difference of rates in GB/s, which may be 0."""
Amount = Annotated[float, Meta(ge=0, le=_MOST_RATIO)]
"""A ratio, or a figure in any unit, that is at least 0."""
Positive = Annotated[float, Meta(gt=0, le=_MOST_RATIO)]
"""A rate or a latency in any unit, above 0."""
Difference = Annotated[float, Meta(ge=-_MOST_RATIO, le=_MOST_RATIO)]
"""A relative difference."""
Share = Annotated[float, Meta(ge=0, le=1)]
Computed = Annotated[float, Meta(ge=-1e300, le=1e300)]
"""A value that a kernel computed; no arithmetic is done with it."""
Hertz = Annotated[float, Meta(gt=0, le=1e12)]
ByteCount = Annotated[int, Meta(ge=0, le=_MOST_BYTES)]
Size = Annotated[int, Meta(ge=1, le=_MOST_BYTES)]
"""The bytes of a working set, at least 1."""
ByteAmount = Annotated[float, Meta(ge=-1e21, le=1e21)]
"""Computed bytes. They may be below 0 after the idle machine's traffic is subtracted."""
Count = Annotated[int, Meta(ge=0, le=_MOST_EXACT)]
CountFrom1 = Annotated[int, Meta(ge=1, le=_MOST_EXACT)]
Number = Annotated[int, Meta(ge=-_MOST_EXACT, le=_MOST_EXACT)]
"""Any whole number, such as an exit status."""
Members = Annotated[int, Meta(ge=1, le=_MOST_MEMBERS)]
"""The number of threads, ranks, rounds and the like, at least 1."""
MembersFrom0 = Annotated[int, Meta(ge=0, le=_MOST_MEMBERS)]
Position = Annotated[int, Meta(ge=0, lt=_MOST_MEMBERS)]
"""The number of a CPU, core, node, package or rank, from 0."""
Positions = Annotated[list[Position], Meta(max_length=_MOST_MEMBERS)]
Seat = Annotated[int, Meta(ge=-1, lt=_MOST_MEMBERS)]
"""Like ``Position``, for a thread; -1 if the system did not report it."""
Seats = Annotated[list[Seat], Meta(max_length=_MOST_MEMBERS)]
NumberList = Annotated[
    str,
    Meta(pattern=r"^$|^[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\Z"),
    checked_by(_check_list),
]
"""The system's numbers of CPUs or NUMA nodes, such as ``0-3,8``; an empty text lists none."""
NumberLists = Annotated[list[NumberList], checked_by(_check_lists)]
"""Several number lists, which have no number in common."""
FileName = Annotated[
    str, Meta(pattern=r"\A[^\x00-\x1f\x7f]+\Z", max_length=4096), checked_by(_check_name)
]
"""The path of a file in a result, relative to the result's folder."""
LEFT_OUT = Meta(extra={"left_out": True})
"""For a field of a record that is not written where it has its default.

It applies only to some runs."""
Some = Meta(min_length=1)
"""A list that is not empty."""
Few = Meta(max_length=_MOST_KINDS)
"""A list with few entries, such as the kinds of a thing that a machine has many of."""
Time = Annotated[str, checked_by(_check_time)]
"""A time in ISO 8601."""
