"""Draws bars in one line: a level over time, and reads next to writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from streamgage.results.traffic.document import Rates, SeenInterval
from streamgage.show.symbols import Symbols


@dataclass(frozen=True)
class Marks:
    """The characters of bars."""

    levels: str
    """Characters of rising height, from empty to full."""
    read: str
    written: str
    lost: str = "?"


def marks_for(symbols: Symbols) -> Marks:
    """The marks: block elements, or letters if the output cannot show them."""
    return Marks(symbols.levels, symbols.read, symbols.written)


def course(
    seen: Sequence[tuple[float, Rates]], width: int, marks: Marks, full: float | None = None
) -> tuple[str, float]:
    """Draw the total over time in at most ``width`` columns; also return the rate of a full one.

    ``seen`` has the seconds and rates of each interval. A column shows the average of its
    intervals, weighted by time. ``full`` is the rate of a full column; default: that of the
    highest one.
    """
    columns = [_average(part) for part in _parts(seen, width)]
    if full is None:
        full = max((each for each in columns if each is not None), default=0.0)
    return "".join(_level(each, full, marks) for each in columns), full


def of_whole(intervals: Sequence[SeenInterval]) -> list[tuple[float, Rates]]:
    """The seconds of each interval and the rates of all domains together, for ``course``."""
    return [(each.seconds, each.whole) for each in intervals]


def split_bar(share: float, width: int, marks: Marks) -> tuple[str, str]:
    """Two bars that together have ``width`` characters, the first with this share."""
    first = min(width, max(0, round(width * share)))
    return marks.read * first, marks.written * (width - first)


def bar(rates: Rates, full: float, width: int, marks: Marks) -> tuple[str, str]:
    """Bars of reads and of writes, together ``width`` characters long at ``full`` GB/s."""
    if rates.total_gbps is None or full <= 0:
        return "", ""
    whole = _characters(rates.total_gbps, full, width)
    if rates.read_gbps is None:
        return marks.read * whole, ""
    read = min(whole, _characters(rates.read_gbps, full, width))
    return marks.read * read, marks.written * (whole - read)


def _characters(rate: float, full: float, width: int) -> int:
    return min(width, round(width * rate / full))


def _parts(seen: Sequence[tuple[float, Rates]], width: int) -> list[Sequence[tuple[float, Rates]]]:
    number = min(width, len(seen))
    ends = [round(index * len(seen) / number) for index in range(number + 1)] if number else []
    return [seen[first:last] for first, last in pairwise(ends)]


def _average(part: Sequence[tuple[float, Rates]]) -> float | None:
    known = [(each, rates.total_gbps) for each, rates in part if rates.total_gbps is not None]
    seconds = sum(each for each, _ in known)
    return sum(time * rate for time, rate in known) / seconds if seconds else None


def _level(rate: float | None, full: float, marks: Marks) -> str:
    if rate is None:
        return marks.lost
    top = len(marks.levels) - 1
    return marks.levels[min(top, round(top * rate / full))] if full else marks.levels[0]
