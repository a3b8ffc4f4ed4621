"""Bars of one line: a level over time, and reads next to writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from streamgage.show.symbols import UNICODE, Symbols
from streamgage.tools.traffic.document import Rates, SeenInterval


@dataclass(frozen=True)
class Marks:
    """What bars are drawn with."""

    levels: str
    """From nothing to full."""
    read: str
    written: str
    lost: str = "?"


def marks_for(symbols: Symbols) -> Marks:
    """Block elements, or letters where the output cannot show them."""
    return Marks("▁▂▃▄▅▆▇█", "█", "▒") if symbols is UNICODE else Marks("_.:-=+*#", "#", "=")


def course(intervals: Sequence[SeenInterval], width: int, marks: Marks) -> tuple[str, float]:
    """The total over time in at most ``width`` columns, and the rate that a full one stands for.

    A column is the average, weighted by time, of the intervals that it stands for.
    """
    columns = [_average(part) for part in _parts(intervals, width)]
    full = max((each for each in columns if each is not None), default=0.0)
    return "".join(_level(each, full, marks) for each in columns), full


def bar(rates: Rates, full: float, width: int, marks: Marks) -> tuple[str, str]:
    """Bars of reads and of writes, together ``width`` characters where they are ``full`` GB/s."""
    if rates.total_gbps is None or full <= 0:
        return "", ""
    whole = _characters(rates.total_gbps, full, width)
    if rates.read_gbps is None:
        return marks.read * whole, ""
    read = min(whole, _characters(rates.read_gbps, full, width))
    return marks.read * read, marks.written * (whole - read)


def _characters(rate: float, full: float, width: int) -> int:
    return min(width, round(width * rate / full))


def _parts(intervals: Sequence[SeenInterval], width: int) -> list[Sequence[SeenInterval]]:
    number = min(width, len(intervals))
    ends = [round(index * len(intervals) / number) for index in range(number + 1)] if number else []
    return [intervals[first:last] for first, last in pairwise(ends)]


def _average(part: Sequence[SeenInterval]) -> float | None:
    known = [
        (each.seconds, each.whole.total_gbps) for each in part if each.whole.total_gbps is not None
    ]
    seconds = sum(each for each, _ in known)
    return sum(time * rate for time, rate in known) / seconds if seconds else None


def _level(rate: float | None, full: float, marks: Marks) -> str:
    if rate is None:
        return marks.lost
    top = len(marks.levels) - 1
    return marks.levels[round(top * rate / full)] if full else marks.levels[0]
