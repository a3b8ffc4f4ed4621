"""Reads the bytes that PAPI's high-level interface counted, which it prints or writes at the end.

Format after its source (github.com/icl-utk-edu/papi: src/high-level/papi_hl.c): one document of
JSON, of several lines, behind ``PAPI-HL Output:`` where ``PAPI_REPORT`` is set, and in the files
``papi_hl_output/rank_*.json``. It has the counts of each region of each thread, as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from streamgage.errors import UsageError

LINE_BYTES = 64
ASK = "PAPI_EVENTS=PAPI_L3_TCM PAPI_REPORT=1"
_SECONDS = "real_time_nsec"
_MOST_DOCUMENTS = 1000


@dataclass(frozen=True)
class _Events:
    """PAPI's events that count the same traffic."""

    name: re.Pattern[str]
    bytes_each: int
    of_all: bool
    """``True`` if each thread's count is that of the whole socket."""


_KNOWN = (
    _Events(re.compile(r".*UNC_M_CAS_COUNT[:.].*"), LINE_BYTES, of_all=True),
    _Events(re.compile(r".*PM_MBA[0-9]+_(?:READ|WRITE)_BYTES.*"), 1, of_all=True),
    _Events(re.compile(r"PAPI_L3_TCM"), LINE_BYTES, of_all=False),
    _Events(re.compile(r"PAPI_L3_DCM"), LINE_BYTES, of_all=False),
    _Events(re.compile(r"PAPI_L3_(?:LDM|STM)"), LINE_BYTES, of_all=False),
    _Events(re.compile(r"(?:perf::)?LLC-(?:LOAD|STORE)-MISSES", re.I), LINE_BYTES, of_all=False),
    _Events(re.compile(r"(?:perf::)?CACHE-MISSES", re.I), LINE_BYTES, of_all=False),
)
"""The known events: memory controllers first, then misses of the last cache. The first events that
a document has are used."""


@dataclass(frozen=True)
class Region:
    """The traffic of one region, summed over its threads."""

    bytes: float
    seconds: float


def may_be_of_papi(text: str) -> bool:
    """Return whether a line may be a part of such a document."""
    return text.lstrip()[:1] in ('"', "{", "}")


def regions_of(text: str) -> list[Region]:
    """Return every outermost region of every document in ``text``, in the order of the program.

    Raises ``UsageError`` if there are regions, but without counts of memory traffic.
    """
    found: list[Region] = []
    counted: list[str] = []
    for document in _documents(text):
        regions = list(_outer(document))
        names = {name for _, _, region in regions for name in region}
        events = next((e for e in _KNOWN if any(e.name.fullmatch(name) for name in names)), None)
        if events is None:
            counted += sorted(names - {"name", "parent_region_id", "cycles", _SECONDS})
            continue
        found += _regions(regions, events)
    if counted and not found:
        raise UsageError(
            f"PAPI counted {', '.join(dict.fromkeys(counted[:4]))}, which is not memory traffic:"
            f" run the program with {ASK}, or with events of the memory controllers."
        )
    return found


_Outer = tuple[str, int, Mapping[str, Any]]
"""The name of a region, the number of earlier ones of that name in the thread, and the counts."""


def _documents(text: str) -> Iterator[Mapping[str, Any]]:
    decoder = json.JSONDecoder()
    place, tried = text.find("{"), 0
    while place >= 0 and tried < _MOST_DOCUMENTS:
        tried += 1
        try:
            found, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("\n{", place)
            place = place + 1 if place >= 0 else -1
            continue
        if isinstance(found, dict) and isinstance(found.get("threads"), dict):
            yield found
        place = text.find("{", place)


def _outer(document: Mapping[str, Any]) -> Iterator[_Outer]:
    """Yield the regions that are not inside others, whose traffic would include theirs."""
    for thread in document["threads"].values():
        regions = thread.get("regions") if isinstance(thread, dict) else None
        seen: dict[str, int] = {}
        for region in regions.values() if isinstance(regions, dict) else ():
            if not isinstance(region, dict) or region.get("parent_region_id", "-1") != "-1":
                continue
            name = str(region.get("name", ""))
            yield name, seen.get(name, 0), region
            seen[name] = seen.get(name, 0) + 1


def _regions(regions: list[_Outer], events: _Events) -> Iterator[Region]:
    """Merge a region of all threads into one, which lasts as long as the slowest of them."""
    together: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for name, number, region in regions:
        counts = [_count(region[each]) for each in region if events.name.fullmatch(each)]
        seconds = _count(region.get(_SECONDS))
        known = [each for each in counts if each is not None]
        if known and seconds:
            crossed = sum(known) * events.bytes_each
            together.setdefault((name, number), []).append((crossed, seconds * 1e-9))
    for threads in together.values():
        moved = [each for each, _ in threads]
        yield Region(max(moved) if events.of_all else sum(moved), max(s for _, s in threads))


def _count(value: object) -> float | None:
    """The value of a count, which is text; if the region was also read in between, the total."""
    if isinstance(value, dict):
        value = value.get("region_value")
    if isinstance(value, str) and re.fullmatch("[0-9]{1,19}", value, re.ASCII):
        return float(value)
    return None
