"""Medians of resampled parts, for the bootstrap of a ratio.

All draws are counted at once. One integer holds a number for every draw, each in its own group of
bits (a lane), so one addition adds to all of them. This is as fast as numpy, whose import alone
would take as long as the rest of a comparison.
"""

from __future__ import annotations

import math
import random
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from streamgage.analysis.statistics.evidence import Observations

SEED = 1993
DRAWS = 1000


class _Lanes:
    """How an integer holds one number per draw: the first draw's is in its lowest bits."""

    def __init__(self, code: str) -> None:
        """Make lanes of the integer type with the ``struct`` code ``code``."""
        self._bytes = struct.Struct(f"<{DRAWS}{code}")
        self.highest = 8 * self._bytes.size // DRAWS - 1
        """The highest bit of a lane."""
        self.ones = self.packed([1] * DRAWS)

    def packed(self, numbers: Sequence[int]) -> int:
        """Pack ``numbers`` into one integer, a lane for each."""
        return int.from_bytes(self._bytes.pack(*numbers), "little")

    def unpacked(self, lanes: int) -> Sequence[int]:
        """The number in each lane."""
        return self._bytes.unpack(lanes.to_bytes(self._bytes.size, "little"))

    def halved(self, lanes: int) -> int:
        """Half of each number, rounded down."""
        return (lanes >> 1) & ~(self.ones << self.highest)


_NARROW, _WIDE = _Lanes("H"), _Lanes("I")
"""Narrow lanes are twice as fast, and enough for some thousands of samples."""


@lru_cache(maxsize=1024)
def logarithms(evidence: Observations, salt: str) -> Sequence[float]:
    """The logarithm of the median of each draw. A draw takes as many whole parts as there are.

    All values are sorted once. In a draw, the weight of a value is the number of times that its
    part was drawn. The median of the draw is where half of the weight is reached.
    """
    parts = evidence.parts
    most = len(parts) * max(map(len, parts))
    lanes = _NARROW if most < 1 << _NARROW.highest else _WIDE
    drawn = _drawn(len(parts), salt, lanes)
    # The median of several parts lies between the smallest and the largest of their medians.
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
    """How many more ``steps`` each draw, which has ``weight``, needs for what is ``wanted``.

    The step that reaches it is not counted. The highest bit of a lane is set until its draw has
    what is ``wanted``.
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
    """How often each draw has each part: one integer of lanes per part."""
    source = random.Random(f"{SEED}:{salt}")
    drawn = source.choices(range(parts), k=parts * DRAWS)
    draws = [drawn[first : first + parts] for first in range(0, len(drawn), parts)]
    return [lanes.packed([draw.count(part) for draw in draws]) for part in range(parts)]
