"""Places the dots of a strip plot: dots with similar values stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

_WIDEST = 0.24
_STEP = 0.07
_BINS = 24


def swarm(values: Sequence[float]) -> list[float]:
    """The sideways offsets of dots from their column's middle, in the order of ``values``."""
    if not values:
        return []
    least, height = min(values), (max(values) - min(values)) / _BINS
    crowds: dict[int, list[int]] = {}
    for number, value in sorted(enumerate(values), key=lambda each: each[1]):
        key = 0 if height == 0 else min(_BINS - 1, int((value - least) / height))
        crowds.setdefault(key, []).append(number)
    places = [0.0] * len(values)
    for crowd in crowds.values():
        step = min(_STEP, 2 * _WIDEST / max(1, len(crowd) - 1))
        for rank, number in enumerate(crowd):
            places[number] = (rank - (len(crowd) - 1) / 2) * step
    return places
