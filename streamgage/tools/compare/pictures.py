"""Medians of parts that are drawn again, for the bootstrap of a ratio.

All draws are counted at once: an integer holds a number of every draw, each in a lane of its own
bits, so that one addition adds to all of them. It is as quick as numpy, whose import alone would
take as long as all else that a comparison does.
"""

from __future__ import annotations

import math
import random
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from streamgage.analysis.statistics.evidence import Observed

SEED = 1993
DRAWS = 1000


class _Lanes:
    """How an integer holds the numbers: the first draw's in its lowest bits."""

    def __init__(self, code: str) -> None:
        """Lanes of the type that ``struct`` calls ``code``."""
        self._bytes = struct.Struct(f"<{DRAWS}{code}")
        self.highest = 8 * self._bytes.size // DRAWS - 1
        """The highest bit of a lane."""
        self.ones = self.packed([1] * DRAWS)

    def packed(self, numbers: Sequence[int]) -> int:
        """The lanes with these numbers."""
        return int.from_bytes(self._bytes.pack(*numbers), "little")

    def unpacked(self, lanes: int) -> Sequence[int]:
        """The number in each lane."""
        return self._bytes.unpack(lanes.to_bytes(self._bytes.size, "little"))

    def halved(self, lanes: int) -> int:
        """Half of each number, rounded down."""
        return (lanes >> 1) & ~(self.ones << self.highest)


_NARROW, _WIDE = _Lanes("H"), _Lanes("I")
"""Narrow ones are twice as quick, and enough for some thousands of samples."""


@lru_cache(maxsize=1024)
def logarithms(evidence: Observed, salt: str) -> Sequence[float]:
    """Logarithms of the medians of what is drawn: whole parts, as many as there are.

    One a draw. All values are ordered once; a draw gives each the weight with which its part was
    drawn, and its median is where half of the weight is reached.
    """
    parts = evidence.parts
    most = len(parts) * max(map(len, parts))
    lanes = _NARROW if most < 1 << _NARROW.highest else _WIDE
    drawn = _drawn(len(parts), salt, lanes)
    # A median of parts lies nowhere beyond the medians of the single ones.
    least = min(part[(len(part) - 1) // 2] for part in parts)
    greatest = max(part[len(part) // 2] for part in parts)
    before = [bisect_left(part, least) for part in parts]
    behind = [bisect_right(part, greatest) for part in parts]
    middle = sorted(
        (value, number)
        for number, part in enumerate(parts)
        for value in part[before[number] : behind[number]]
    )
    total = sum(len(part) * times for part, times in zip(parts, drawn, strict=True))
    weight = sum(number * times for number, times in zip(before, drawn, strict=True))
    steps = [drawn[number] for _, number in middle]
    lower = _reached(weight, steps, lanes.halved(total + lanes.ones), lanes)
    upper = _reached(weight, steps, lanes.halved(total) + lanes.ones, lanes)
    places = list(zip(lower, upper, strict=True))
    found = {  # there are far fewer of them than draws
        each: math.log((middle[each[0]][0] + middle[each[1]][0]) / 2) for each in set(places)
    }
    return [found[each] for each in places]


def _reached(weight: int, steps: Sequence[int], wanted: int, lanes: _Lanes) -> Sequence[int]:
    """After how many ``steps`` more each draw, which has ``weight``, has what is ``wanted``.

    The step that reaches it is not counted. Where the highest bit of a lane is set, what was added
    to it beforehand is still there, for no more was taken from it.
    """
    ones, highest = lanes.ones, lanes.highest
    missing = (ones << highest) + wanted - ones - weight
    counted = 0
    for step in steps:
        missing -= step
        below = (missing >> highest) & ones
        if not below:
            break
        counted += below
    return lanes.unpacked(counted)


@lru_cache(maxsize=64)
def _drawn(parts: int, salt: str, lanes: _Lanes) -> Sequence[int]:
    """How often each part was drawn: for each part its lanes."""
    source = random.Random(f"{SEED}:{salt}")
    drawn = source.choices(range(parts), k=parts * DRAWS)
    draws = [drawn[first : first + parts] for first in range(0, len(drawn), parts)]
    return [lanes.packed([draw.count(part) for draw in draws]) for part in range(parts)]
