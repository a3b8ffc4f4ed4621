"""Numbers of workers: those that a user lists, or a set that shows the shape of a curve."""

from __future__ import annotations

import re

from streamgage.errors import UsageError
from streamgage.units import shortened

MOST_WORKERS = 1 << 16
MOST_POINTS = 1024
_FEW = 16
"""Up to so many all of them are measured."""
_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?", re.ASCII)
_HOW = "write numbers and ranges such as 1-8, 1,2,4,8 or 8-64:8"


def parse_counts(text: str) -> list[int]:
    """Numbers of ``1-4,8,16-64:16``, ascending, each once; ``N`` alone stands for ``1-N``.

    Raises ``UsageError``, naming the part, for anything else.
    """
    shown = shortened(text)
    parts = [part.strip() for part in text.split(",")]
    counts: set[int] = set()
    for part in parts:
        counts.update(_numbers(part, shown))
        if len(counts) > MOST_POINTS:
            raise UsageError(
                f"{shown!r} stands for more than {MOST_POINTS} points: name fewer, such as 1-64:8."
            )
    if len(parts) == 1 and parts[0].isdigit():
        return spread_counts(counts.pop())
    return sorted(counts)


def _numbers(part: str, shown: str) -> range:
    match = _PART.fullmatch(part)
    if match is None:
        what = "an empty part" if not part else f"{part!r}, which is no number and no range"
        raise UsageError(f"The numbers of workers {shown!r} have {what}: {_HOW}.")
    first = int(match[1])
    last = int(match[2] or first)
    step = int(match[3] or 1)
    if first == 0:
        raise UsageError(f"{part} begins with 0 workers, which measure nothing: {_HOW}.")
    if last < first:
        raise UsageError(f"{part} is an empty range: write it as {last}-{first}.")
    if step == 0:
        raise UsageError(f"{part} has a step of 0: {_HOW}.")
    if last > MOST_WORKERS:
        raise UsageError(f"{part} asks for more than {MOST_WORKERS} workers: {_HOW}.")
    numbers = range(first, last + 1, step)
    if len(numbers) > MOST_POINTS:
        raise UsageError(
            f"{part} stands for more than {MOST_POINTS} points: give a step, as in 1-64:8."
        )
    return numbers


def spread_counts(most: int, landmarks: tuple[int, ...] = ()) -> list[int]:
    """1 to ``most``: all of a few, else the small ones, steps of a third, and the landmarks.

    ``landmarks``: where something on the machine fills up, such as a NUMA node.
    """
    if most <= _FEW:
        return list(range(1, most + 1))
    counts = {1, 2, 3, 4, most, *(each for each in landmarks if each <= most)}
    step = 4
    while step < most:
        counts.update(each for each in (step, step * 3 // 2) if each <= most)
        step *= 2
    return sorted(counts)
