"""Hartigan's dip: the distance of a sample from every distribution with one mode.

J. A. Hartigan and P. M. Hartigan, The Dip Test of Unimodality, Annals of Statistics 13 (1985); the
algorithm is that of P. M. Hartigan, AS 217, Applied Statistics 34 (1985), with the convex minorant
and the concave majorant found once for all intervals. Its significance comes from samples of the
uniform distribution, which is the least favourable unimodal one (Hartigan and Hartigan 1985). So
the probability is an upper bound for a sample with one mode.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

SEED = 1985
REPETITIONS = 50_000
PROBABILITIES = (0.5, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001)
"""The probabilities of the columns: that the dip of a uniform sample is at least the value."""
SCALED_DIPS: dict[int, tuple[float, ...]] = {
    8: (0.3136, 0.4001, 0.4340, 0.4675, 0.4868, 0.5043, 0.5476),
    10: (0.3094, 0.4132, 0.4431, 0.4768, 0.5035, 0.5267, 0.5694),
    12: (0.3153, 0.4155, 0.4491, 0.4882, 0.5157, 0.5414, 0.5882),
    15: (0.3240, 0.4276, 0.4608, 0.5012, 0.5299, 0.5532, 0.6024),
    20: (0.3281, 0.4349, 0.4711, 0.5114, 0.5390, 0.5673, 0.6222),
    25: (0.3334, 0.4409, 0.4770, 0.5210, 0.5491, 0.5756, 0.6320),
    30: (0.3367, 0.4455, 0.4835, 0.5269, 0.5564, 0.5826, 0.6410),
    40: (0.3418, 0.4530, 0.4916, 0.5357, 0.5675, 0.5935, 0.6548),
    50: (0.3459, 0.4579, 0.4955, 0.5414, 0.5727, 0.6054, 0.6716),
    70: (0.3509, 0.4659, 0.5052, 0.5508, 0.5825, 0.6136, 0.6720),
    100: (0.3548, 0.4719, 0.5127, 0.5612, 0.5945, 0.6233, 0.6875),
    150: (0.3594, 0.4779, 0.5174, 0.5639, 0.5959, 0.6278, 0.6984),
    200: (0.3612, 0.4805, 0.5203, 0.5683, 0.6025, 0.6382, 0.7037),
    300: (0.3650, 0.4856, 0.5267, 0.5724, 0.6072, 0.6384, 0.7052),
}
"""The values of sqrt(n) * dip for samples of size n. Each row is ``simulate(n)``, computed once."""


def dip(ordered: Sequence[float]) -> float:
    """The dip of an ascending sample of n values, from 1/(2n) up to 1/4.

    It is the greatest distance between the empirical distribution and the nearest unimodal
    distribution. It does not change with shift or scale. A sample of equal values has the least
    dip; that of an empty sample is 0.
    """
    n = len(ordered)
    if n == 0:
        return 0.0
    least = 1.0  # in units of 1/(2n) from here on
    if n < 4 or ordered[0] == ordered[-1]:
        return least / (2 * n)
    below = _minorant(ordered)
    above = _majorant(ordered)
    low, high, widest = 0, n - 1, least
    while True:
        convex = _walk(high, low, below)[::-1]
        concave = _walk(low, high, above)
        gap, new_low, new_high = _greatest_gap(ordered, convex, concave)
        if gap < widest:
            break
        left = _excess(ordered, [i for i in convex if i <= new_low], convex=True)
        right = _excess(ordered, [i for i in concave if i >= new_high], convex=False)
        widest = max(widest, left, right)
        if (new_low, new_high) == (low, high):
            break
        low, high = new_low, new_high
    return widest / (2 * n)


def _minorant(x: Sequence[float]) -> list[int]:
    """For each j, the vertex before j on the greatest convex minorant of the points 0..j."""
    before = [0] * len(x)
    for j in range(1, len(x)):
        k = j - 1
        while k > 0 and (x[j] - x[k]) * (k - before[k]) >= (x[k] - x[before[k]]) * (j - k):
            k = before[k]
        before[j] = k
    return before


def _majorant(x: Sequence[float]) -> list[int]:
    """For each k, the vertex after k on the least concave majorant of the points k..n-1."""
    last = len(x) - 1
    after = [last] * len(x)
    for k in range(last - 1, -1, -1):
        j = k + 1
        while j < last and (x[k] - x[j]) * (j - after[j]) >= (x[j] - x[after[j]]) * (k - j):
            j = after[j]
        after[k] = j
    return after


def _walk(start: int, stop: int, step: list[int]) -> list[int]:
    vertices = [start]
    while vertices[-1] != stop:
        following = step[vertices[-1]]
        vertices.append(max(following, stop) if stop < start else min(following, stop))
    return vertices


def _greatest_gap(
    x: Sequence[float], convex: list[int], concave: list[int]
) -> tuple[float, int, int]:
    """The greatest distance of the majorant above the minorant, and the modal interval at it.

    The distance is linear between vertices, so only the vertices of both curves are searched.
    """
    if len(convex) == 2 and len(concave) == 2:
        return 1.0, convex[0], concave[-1]
    greatest, low, high = 0.0, convex[0], concave[-1]
    for vertex in convex[1:]:
        at = _segment(concave, vertex)
        left, right = concave[at], concave[at + 1]
        gap = _on_line(x, left, right, x[vertex]) - vertex + 1
        if gap >= greatest:
            greatest, low, high = gap, vertex, right
    for vertex in concave[:-1]:
        at = _segment(convex, vertex)
        left, right = convex[at], convex[at + 1]
        gap = vertex - _on_line(x, left, right, x[vertex]) + 1
        if gap >= greatest:
            greatest, low, high = gap, left, vertex
    return greatest, low, high


def _segment(vertices: list[int], index: int) -> int:
    """The position of the segment of ascending ``vertices`` that holds ``index``."""
    return min(max(bisect_left(vertices, index) - 1, 0), len(vertices) - 2)


def _on_line(x: Sequence[float], left: int, right: int, at: float) -> float:
    """The height at ``at`` of the line through the points (x[left], left) and (x[right], right)."""
    width = x[right] - x[left]
    return left + (at - x[left]) * (right - left) / width if width > 0 else float(left)


def _excess(x: Sequence[float], vertices: list[int], *, convex: bool) -> float:
    """The greatest distance of the empirical steps from one curve, between its vertices."""
    greatest = 1.0
    for left, right in pairwise(vertices):
        if right - left < 2 or x[left] == x[right]:
            continue
        slope = (right - left) / (x[right] - x[left])
        for i in range(left, right + 1):
            height = (x[i] - x[left]) * slope
            distance = i - left + 1 - height if convex else height - (i - left - 1)
            greatest = max(greatest, distance)
    return greatest


def simulate(n: int, repetitions: int = REPETITIONS, seed: int = SEED) -> tuple[float, ...]:
    """Compute the row of ``SCALED_DIPS`` for samples of size ``n`` by the Monte Carlo method."""
    source = random.Random(f"{seed}:{n}")
    dips = sorted(dip(sorted(source.random() for _ in range(n))) for _ in range(repetitions))
    return tuple(
        math.sqrt(n) * dips[math.ceil((1 - chance) * repetitions) - 1] for chance in PROBABILITIES
    )


def dip_probability(ordered: Sequence[float]) -> float:
    """The probability that a uniform sample of the same size has a dip this great.

    ``ordered`` ascends. It is interpolated between the columns in the logarithm of the probability:
    1 below the first column and 0.001 past the last one (both are bounds). Between sizes, sqrt(n) *
    dip is interpolated in 1/sqrt(n). Samples smaller than the least row are not judged: 1.
    """
    n = len(ordered)
    sizes = sorted(SCALED_DIPS)
    if n < sizes[0]:
        return 1.0
    row = _row(n, sizes)
    scaled = math.sqrt(n) * dip(ordered)
    if scaled < row[0]:
        return 1.0
    columns = zip(row, PROBABILITIES, strict=True)
    for (near, likely), (far, unlikely) in pairwise(columns):
        if scaled <= far:
            share = (scaled - near) / (far - near) if far > near else 1.0
            return math.exp(math.log(likely) + share * (math.log(unlikely) - math.log(likely)))
    return PROBABILITIES[-1]


def _row(n: int, sizes: list[int]) -> tuple[float, ...]:
    at = bisect_left(sizes, n)
    if at == len(sizes):
        return SCALED_DIPS[sizes[-1]]
    upper = sizes[at]
    if upper == n:
        return SCALED_DIPS[n]
    lower = sizes[at - 1]
    share = (1 / math.sqrt(lower) - 1 / math.sqrt(n)) / (
        1 / math.sqrt(lower) - 1 / math.sqrt(upper)
    )
    below, above = SCALED_DIPS[lower], SCALED_DIPS[upper]
    return tuple(a + share * (b - a) for a, b in zip(below, above, strict=True))
