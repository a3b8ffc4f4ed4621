"""The working sets over which a curve is measured, and the limits that a user gives for them."""

from __future__ import annotations

import math

from streamgage.errors import UsageError
from streamgage.units import count, format_bytes

LINE_BYTES = 64
PAIR_GRAIN = 2 * LINE_BYTES
ARRAYS_GRAIN = 12 * PAIR_GRAIN
"""This size can be divided among 1, 2, 3 or 4 arrays without a remainder, each of whole pairs
of lines."""


def working_sets(
    low: int,
    high: int,
    steps_an_octave: int,
    sharers: int = 1,
    *,
    grain: int = ARRAYS_GRAIN,
    dense_to: int | None = None,
) -> list[int]:
    """Sizes from ``low`` to ``high`` bytes in ascending order, in equal steps of their logarithm.

    Above ``dense_to`` they double: only memory is left there, and the largest sizes take the
    longest. Each size is a multiple of what ``sharers`` threads can share in whole grains. If no
    such multiple lies between the limits, the list only has ``low``.
    """
    grain *= sharers
    octaves = math.log2(high / low) if high > low else 0.0
    steps = max(0, math.floor(octaves * steps_an_octave + 1e-9))
    sizes = [low * 2 ** (step / steps_an_octave) for step in range(steps + 1)]
    if dense_to is not None:
        sizes = _doubling_above(dense_to, sizes)
    if sizes[-1] < 0.999 * high:
        sizes.append(high)
    most = int(high // grain)
    return sorted({min(most, max(1, round(size / grain))) * grain for size in sizes} - {0}) or [low]


def _doubling_above(size: int, sizes: list[float]) -> list[float]:
    """The sizes, with at most one per doubling above ``size``."""
    kept: list[float] = []
    for each in sizes:
        if not kept or each <= size or each >= 1.999 * kept[-1]:
            kept.append(each)
    return kept


def check_bounds(low: int | None, high: int | None, lowest: int) -> None:
    """Check that there is a working set from ``low`` to ``high`` bytes.

    ``None`` stands for no limit. ``lowest``: the default of ``low``. Raises ``UsageError`` if there
    is none.
    """
    for option, size in (("--from", low), ("--to", high)):
        if size is not None and size < LINE_BYTES:
            raise UsageError(
                f"{option} {count(size, 'byte')} is less than a cache line of {LINE_BYTES} bytes:"
                " ask for some lines at least, such as 8KiB."
            )
    if high is None:
        return
    if low is not None and high < low:
        raise UsageError(
            f"--from {format_bytes(low)} is more than --to {format_bytes(high)}: swap them."
        )
    if low is None and high < lowest:
        raise UsageError(
            f"--to {format_bytes(high)} is less than {format_bytes(lowest)}, the smallest size:"
            " give --from, too, or a larger --to."
        )
