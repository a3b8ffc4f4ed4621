"""The numbers of workers: those that a user lists, or a set that shows the shape of a curve."""

from __future__ import annotations

import re
from collections.abc import Iterable

from streamgage.errors import UsageError
from streamgage.units import shortened

MOST_WORKERS = 1 << 16
MOST_POINTS = 1024
_FEW = 16
"""Up to this many workers, every number is measured."""
_PART = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?", re.ASCII)
_HOW = "write numbers and ranges such as 1-8, 1,2,4,8 or 8-64:8"


def counts_of(numbers: str | int | Iterable[int]) -> list[int]:
    """Read numbers of workers from ``1-4,8,16-64:16`` or a list; return them in ascending order.

    ``N`` alone stands for ``1-N``, while a list with one number stands for that number. Raises
    ``UsageError``, which names the part, for anything else.
    """
    parts: list[str | int]
    if isinstance(numbers, str):
        parts = [part.strip() for part in numbers.split(",")]
        alone = len(parts) == 1 and numbers.strip().isdigit()
    elif isinstance(numbers, Iterable):
        parts, alone = list(numbers), False
    else:
        parts, alone = [numbers], True
    shown = shortened(numbers if isinstance(numbers, str) else ",".join(map(str, parts)))
    counts: set[int] = set()
    for part in parts or [""]:
        counts.update(_numbers(part, shown))
        if len(counts) > MOST_POINTS:
            raise UsageError(
                f"{shown!r} stands for more than {MOST_POINTS} points: name fewer, such as 1-64:8."
            )
    return spread_counts(counts.pop()) if alone else sorted(counts)


def _bounds(part: str | int, text: str) -> tuple[int, int, int]:
    """The first number of a part, the last one, and the step."""
    if isinstance(part, str):
        match = _PART.fullmatch(part)
        if match is not None:
            return int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
    elif part >= 0 and not isinstance(part, bool):
        return int(part), int(part), 1
    named = str(part)
    what = f"{named!r}, which is neither a number nor a range" if named else "an empty part"
    raise UsageError(f"The numbers of workers {text!r} have {what}: {_HOW}.")


def _numbers(part: str | int, text: str) -> range:
    first, last, step = _bounds(part, text)
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
    """Choose numbers from 1 to ``most``.

    If there are many, they are the small ones, steps of a third, and the landmarks. ``landmarks``:
    the numbers at which a part of the machine is full, such as a NUMA node.
    """
    if most <= _FEW:
        return list(range(1, most + 1))
    counts = {1, 2, 3, 4, most, *(each for each in landmarks if each <= most)}
    step = 4
    while step < most:
        counts.update(each for each in (step, step * 3 // 2) if each <= most)
        step *= 2
    return sorted(counts)
