"""The dip from its definition, slowly: bisection over the width of a tube round the steps.

A unimodal distribution within ``d`` of the steps exists when, for some data point as the mode, a
convex curve fits the tube to its left, a concave one to its right, and the first ends no higher
than the second begins. A convex curve fits when no line from the tube's upper edge through its
lower edge leaves the tube further on.
"""

from __future__ import annotations

from collections.abc import Sequence


def brute_dip(sample: Sequence[float]) -> float:
    """Hartigan's dip to about 1e-9; cubic in the number of unlike values."""
    x = sorted(set(sample))
    n = len(sample)
    right = [sum(value <= at for value in sample) / n for at in x]
    left = [0.0, *right[:-1]]
    low, high = 0.0, 0.5
    while high - low > 1e-10:
        middle = (low + high) / 2
        if _fits(x, left, right, middle):
            high = middle
        else:
            low = middle
    return high


def _fits(x: list[float], left: list[float], right: list[float], d: float) -> bool:
    ends = _least_ends(x, left, right, d)
    mirrored = _least_ends(
        [-at for at in reversed(x)],
        [1 - f for f in reversed(right)],
        [1 - f for f in reversed(left)],
        d,
    )
    starts = [None if end is None else 1 - end for end in reversed(mirrored)]
    return any(
        end is not None and start is not None and end <= start
        for end, start in zip(ends, starts, strict=True)
    )


def _least_ends(
    x: list[float], left: list[float], right: list[float], d: float
) -> list[float | None]:
    """The least height at which a convex rising curve can reach each point from the left."""
    ends: list[float | None] = []
    lines: list[tuple[float, float, float]] = []
    fits = True
    for k, at in enumerate(x):
        least = max([0.0, left[k] - d, *(h + s * (at - x0) for x0, h, s in lines)])
        if least > left[k] + d + 1e-15:
            fits = False
        ends.append(least if fits else None)
        lower = right[k] - d
        if lower > left[k] + d:  # no curve passes an atom this large, unless the mode is there
            fits = False
        slopes = [(lower - (left[i] + d)) / (at - x[i]) for i in range(k)]
        lines.append((at, lower, max([0.0, *slopes])))
    return ends
