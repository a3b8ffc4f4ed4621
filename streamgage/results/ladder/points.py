"""What is measured: a kernel on a working set in a mode; and which working sets there are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamgage.results.ladder.document import Mode

LINE_BYTES = 64
_GRAIN = 12 * 2 * LINE_BYTES
"""Shared by 1, 2, 3 or 4 arrays without a rest, each of whole pairs of lines."""


@dataclass(frozen=True)
class Rung:
    """One point; ``bytes`` is of all arrays together, with ``throughput`` of one thread."""

    mode: Mode
    kernel: str
    bytes: int

    @property
    def name(self) -> str:
        """Such as ``sequential, triad, 32768 bytes``: what its runs are called."""
        return f"{self.mode}, {self.kernel}, {self.bytes} bytes"


def working_sets(low: int, high: int, steps_an_octave: int, sharers: int = 1) -> list[int]:
    """Sizes from ``low`` to ``high`` bytes, ascending, in equal steps of their logarithm.

    Each is a multiple of what ``sharers`` threads can share in whole pairs of lines; where the
    bounds leave no such multiple, ``low`` alone.
    """
    grain = _GRAIN * sharers
    octaves = math.log2(high / low) if high > low else 0.0
    steps = max(0, math.floor(octaves * steps_an_octave + 1e-9))
    sizes = [low * 2 ** (step / steps_an_octave) for step in range(steps + 1)]
    if sizes[-1] < 0.999 * high:
        sizes.append(high)
    most = int(high // grain)
    return sorted({min(most, max(1, round(size / grain))) * grain for size in sizes} - {0}) or [low]
