"""Reads the rates that a program prints, for machines without counters.

A pattern finds them. It is a regular expression whose group ``rate`` (or its only group) is bytes
per second, with a unit or without: ``12.3 GB/s``. Or it has the groups ``bytes`` or ``lines``
(cache lines, as PAPI counts them) and ``seconds``. ``json`` stands for lines of JSON with such
names, ``likwid`` for the tables of likwid-perfctr, ``papi`` for what PAPI prints at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from streamgage.analysis.user_pattern import UserPattern
from streamgage.errors import UsageError
from streamgage.programs.traffic.own_papi import LINE_BYTES, may_be_of_papi, regions_of
from streamgage.records import DomainTraffic, Interval
from streamgage.units import shortened

_NAMED = ("json", "likwid", "papi")
SOURCE = "the program's own count"
_RATE, _BYTES, _LINES, _SECONDS = "rate", "bytes", "lines", "seconds"
_NUMBER = re.compile(
    r"\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)\s*(?:([kKMGT]?)(i?)(?:B(?:ytes?)?)/s)?\s*",
    re.ASCII,
)
_POWERS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
_MOST = 1e18
_LONGEST_LINE = 10_000
LIKWID = re.compile(
    r"\|\s*(?P<metric>(?:Memory|DRAM) bandwidth \[(?P<unit>[MG]Bytes/s)\]|Runtime \(RDTSC\) \[s\])"
    r"(?P<whole> STAT)?\s*\|(?P<cells>.*)\|\s*",
    re.ASCII,
)
"""A row of likwid-perfctr's tables, with a column per thread or (STAT) sum, min, max and mean."""


@dataclass(frozen=True)
class Line:
    """A line of output, and the time at which it came; ``None`` if unknown, as in a file."""

    text: str
    at: float | None = None
    """Seconds since the program started."""


@dataclass(frozen=True)
class OwnRate:
    """The rate that one line reports."""

    bytes_per_second: float
    seconds: float | None = None
    at: float | None = None


class Pattern:
    """A pattern that finds rates in lines."""

    def __init__(self, given: str, option: str = "--bytes-per-second-from") -> None:
        """Compile the pattern of ``option``. Raises ``UsageError`` if it is not valid."""
        self.given = given
        self._regex = None if given in _NAMED else _compiled(given, option)

    def rates(self, lines: Sequence[Line]) -> list[OwnRate]:
        """Return the rates in the order of the lines.

        Raises ``UsageError`` if PAPI counted events other than memory traffic.
        """
        if self.given == "papi":
            found = regions_of("\n".join(e.text for e in lines if may_be_of_papi(e.text)))
            return [OwnRate(e.bytes / e.seconds, e.seconds) for e in found]
        if self.given == "likwid":
            return list(_of_likwid(lines))
        read = _of_json if self._regex is None else self._of_match
        known = (read(each) for each in lines if len(each.text) <= _LONGEST_LINE)
        return [each for each in known if each is not None]

    def may_matter(self, text: str) -> bool:
        """Return whether a line may hold a rate and must be kept for ``rates``.

        Nothing more is kept where ``rates`` takes too long, and says so in the end.
        """
        if self.given == "likwid":
            return LIKWID.match(text) is not None
        if self.given == "papi":
            return may_be_of_papi(text)
        try:
            return bool(self.rates([Line(text)]))
        except UsageError:
            return True

    def _of_match(self, line: Line) -> OwnRate | None:
        assert self._regex is not None
        for match in self._regex.matches(line.text, most=1):
            named = match.groupdict()
            return _rate_of(named if named else {_RATE: match[1]}, line.at)
        return None


def _compiled(given: str, option: str) -> UserPattern:
    shown = shortened(given)
    example = "'bandwidth: ([0-9.]+ GB/s)', or json, likwid or papi"
    regex = UserPattern(option, given, example)
    names = regex.names
    known = {_RATE} <= names or ({_SECONDS} <= names and bool(names & {_BYTES, _LINES}))
    if not (known or (not names and regex.groups == 1)):
        raise UsageError(
            f"{option} {shown!r} does not say which part is the rate: put it in"
            " parentheses, or name groups (?P<bytes>...) and (?P<seconds>...)."
        )
    return regex


def _of_json(line: Line) -> OwnRate | None:
    try:
        found = msgspec.json.decode(line.text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    if not isinstance(found, dict):
        return None
    texts = {
        name: str(found[key])
        for name, key in (
            (_RATE, "bytes_per_second"),
            (_BYTES, "bytes"),
            (_LINES, "lines"),
            (_SECONDS, "seconds"),
        )
        if isinstance(found.get(key), int | float) and not isinstance(found[key], bool)
    }
    return _rate_of(texts, line.at)


def _rate_of(named: Mapping[str, str | None], at: float | None) -> OwnRate | None:
    seconds, rate = _number(named.get(_SECONDS)), _number(named.get(_RATE))
    if rate is not None:
        return OwnRate(rate, seconds or None, at)
    moved = _number(named.get(_BYTES))
    lines = _number(named.get(_LINES))
    if moved is None and lines is not None:
        moved = lines * LINE_BYTES
    if moved is None or not seconds or moved / seconds > _MOST:
        return None
    return OwnRate(moved / seconds, seconds, at)


def _number(text: str | None) -> float | None:
    match = None if text is None else _NUMBER.fullmatch(text)
    if match is None:
        return None
    value = float(match[1]) * (1024 if match[3] else 1000) ** _POWERS[match[2] or ""]
    return value if value <= _MOST else None


def _of_likwid(lines: Sequence[Line]) -> Iterator[OwnRate]:
    """Yield a rate for each table of metrics, such as that of a region: the sum of its threads."""
    seconds: float | None = None
    threads: float | None = None
    for line in lines:
        match = LIKWID.match(line.text)
        if match is None:
            continue
        cells = [_number(cell) for cell in match["cells"].split("|")]
        numbers = [cell for cell in cells if cell is not None]
        if not numbers:
            continue
        if match["unit"] is None:  # a runtime, which stands before the bandwidth
            if match["whole"] is None:
                if threads is not None:
                    yield OwnRate(threads, seconds, line.at)
                    threads = None
                seconds = max(numbers)
            continue
        power = 1e6 if match["unit"].startswith("M") else 1e9
        if match["whole"] is not None:
            yield OwnRate(numbers[0] * power, seconds, line.at)
            threads = None
        else:
            threads = sum(numbers) * power
    if threads is not None:
        yield OwnRate(threads, seconds, lines[-1].at if lines else None)


def intervals_of(rates: Sequence[OwnRate]) -> tuple[list[Interval], bool]:
    """Make intervals of rates, and return whether their lengths are known.

    A rate applies to the seconds that it names, otherwise to the time since the previous rate or
    the start. If neither is known, each rate counts as one second.
    """
    found: list[Interval] = []
    known = True
    end = 0.0
    for each in rates:
        seconds = each.seconds
        if seconds is None and each.at is not None:
            seconds = each.at - end
        if seconds is None or seconds <= 0:
            known, seconds = False, 1.0
        start = end if each.at is None else max(end, each.at - seconds)
        end = start + seconds
        found.append(_interval(start, seconds, each.bytes_per_second * seconds))
    return found, known


def _interval(start: float, seconds: float, moved: float) -> Interval:
    whole = DomainTraffic(bytes_read=None, bytes_written=None, bytes_total=moved)
    return Interval(start=start, seconds=seconds, source=SOURCE, domains=[whole], running_share=1.0)
